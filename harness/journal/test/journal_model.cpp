#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/journal/ledger.h"
#include "harness/journal/making.h"
#include "harness/journal/removing.h"
#include "harness/test/sanitizers.h"

BOOST_AUTO_TEST_SUITE(journal_model)

// Explores every order of steps of two runs, clean-ups, a network that loses and repeats requests, a full disk, crashes
// and strangers, with the state machines that the product runs. What must hold in every state:
//  - nobody deletes what the journal's run did not make;
//  - what makes an object is on disk before the cluster makes it;
//  - what a run has made, and that is still there, is in a journal that somebody can clean up after.

using namespace nodebound;
using namespace nodebound::journal;

namespace {

constexpr std::size_t runs = 2;
constexpr std::size_t paths = 3;  // one for each run, and a shared one
constexpr std::uint8_t shared_path = 2;
constexpr std::uint8_t nobody = 0;  // runs are 1 and 2
constexpr std::uint8_t stranger = 3;

std::string path_text(std::uint8_t path) {
  return "/api/v1/nodes/" + std::to_string(path);
}

struct Thing {
  std::uint8_t uid = 0;  // 0: no object
  std::uint8_t maker = nobody;
  std::uint8_t label = nobody;
  bool deleting = false;
  bool held = false;  // by a finalizer of a stranger
  bool operator==(const Thing&) const = default;
};

struct Line {
  JournalRecord::Kind kind{};
  std::uint8_t number = 0;
  std::uint8_t path = 0;
  std::uint8_t uid = 0;
  Manner manner{};
  bool marked = true;
  bool operator==(const Line&) const = default;
};

JournalRecord record_of(const Line& line) {
  JournalRecord out;
  out.kind = line.kind;
  out.number = line.number;
  if (line.kind == JournalRecord::Kind::asked) out.path = path_text(line.path);
  out.manner = line.manner;
  out.marked = line.marked;
  if (line.kind == JournalRecord::Kind::made) out.uid = std::to_string(line.uid);
  return out;
}

enum class Holder : std::uint8_t { none, run, cleaner };

struct File {
  bool there = false;
  bool header = false;
  std::vector<Line> lines;
  std::size_t synced = 0;
  Holder lock = Holder::none;
  bool operator==(const File&) const = default;
};

struct Message {
  std::uint8_t attempt = 0;
  std::uint8_t number = 0;
  std::uint8_t path = 0;
  Manner manner{};
  bool marks = true;
  std::uint8_t seen = 0;  // UID of what was there when the run looked
  bool operator==(const Message&) const = default;
};

struct Reply {
  Making::Answer answer{};
  std::uint8_t uid = 0;
  bool operator==(const Reply&) const = default;
};

struct Item {
  std::uint8_t number = 0;
  std::uint8_t path = 0;
  std::uint8_t uid = 0;  // 0: unclear
  Manner manner{};
  bool marked = true;
  bool operator==(const Item&) const = default;
};

struct Task {
  std::uint8_t path = 0;
  Manner manner = Manner::create;
};

struct Run {
  enum class Phase : std::uint8_t { absent, lock, header, ready, making, synching, waiting, removing, over };
  Phase phase = Phase::absent;
  std::uint8_t task = 0;
  std::uint8_t last = 0;
  bool retried = false;
  std::uint8_t attempt = 0;
  bool broken = false;
  std::optional<Making> making;
  std::uint8_t number = 0;
  std::uint8_t uid = 0;
  std::vector<Item> items;
  std::optional<Removing> removing;
  std::uint8_t cleaned = 0;  // how many of the items, latest first, were looked at
  bool operator==(const Run&) const = default;
};

struct Cleaner {
  bool at_work = false;
  std::uint8_t file = 0;
  bool holds = false;
  std::vector<Item> items;
  std::uint8_t cleaned = 0;
  bool left = false;
  std::optional<Removing> removing;
  std::uint8_t uid = 0;
  bool operator==(const Cleaner&) const = default;
};

struct State {
  std::array<Thing, paths> things;
  std::array<File, runs> files;
  std::array<Run, runs> run;
  std::array<std::vector<Message>, runs> sent;
  std::array<std::optional<Reply>, runs> reply;
  Cleaner cleaner;
  std::uint8_t last_uid = 0;
  std::uint8_t kills = 0;
  std::uint8_t launches = 0;  // of the cleaner
  std::uint8_t mishaps = 0;   // of network and disk
  std::uint8_t mischief = 0;  // of strangers
  bool power_lost = false;
  bool operator==(const State&) const = default;
};

struct Hash {
  std::size_t operator()(const State& state) const {
    std::size_t out = 0;
    const auto add = [&](std::size_t value) { out = (out ^ value) * 0x9E3779B97F4A7C15U; };
    for (const Thing& each : state.things) {
      add(std::size_t{each.uid} | std::size_t{each.maker} << 8U | std::size_t{each.label} << 16U |
          (each.deleting ? 1U << 24U : 0U) | (each.held ? 1U << 25U : 0U));
    }
    for (std::size_t r = 0; r < runs; ++r) {
      const Run& run = state.run[r];
      add(state.files[r].lines.size() | state.files[r].synced << 8U |
          static_cast<std::size_t>(state.files[r].lock) << 16U | (state.files[r].there ? 1U << 24U : 0U));
      add(static_cast<std::size_t>(run.phase) | std::size_t{run.task} << 8U | std::size_t{run.cleaned} << 16U |
          (run.making ? static_cast<std::size_t>(run.making->step()) << 24U : 0U) |
          (run.removing ? static_cast<std::size_t>(run.removing->step()) << 32U : 0U) | run.items.size() << 40U |
          state.sent[r].size() << 52U | (state.reply[r] ? 1ULL << 49U : 0U));
    }
    add((state.cleaner.at_work ? 1U : 0U) | state.cleaner.file * 2U | state.cleaner.cleaned * 16U |
        (state.cleaner.removing ? 256U + static_cast<unsigned>(state.cleaner.removing->step()) : 0U) |
        (state.cleaner.holds ? 1U << 16U : 0U));
    add(std::size_t{state.last_uid} | std::size_t{state.kills} << 8U | std::size_t{state.launches} << 12U |
        std::size_t{state.mishaps} << 16U | std::size_t{state.mischief} << 20U | (state.power_lost ? 1U << 30U : 0U));
    return out ^ (out >> 29U);
  }
};

/// How much may go wrong in a world.
struct Limits {
  std::array<std::vector<Task>, runs> tasks;
  std::uint8_t kills = 0;
  std::uint8_t launches = 0;
  std::uint8_t mishaps = 0;
  std::uint8_t mischief = 0;
  bool power = false;
};

class World {
 public:
  explicit World(Limits limits) : limits_(std::move(limits)) {}

  void explore() {
    visit({}, "");
    while (!open_.empty()) {
      now_ = open_.back();
      const State& state = *now_;
      open_.pop_back();
      check(state);
      for (std::size_t r = 0; r < runs; ++r) step_of_run(state, r);
      for (std::size_t r = 0; r < runs; ++r) step_of_network(state, r);
      step_of_cleaner(state);
      step_of_strangers(state);
      step_of_crashes(state);
      if (is_quiet(state)) check_end(state);
    }
  }

  [[nodiscard]] std::size_t states() const { return seen_.size(); }
  [[nodiscard]] std::size_t ends() const { return ends_; }

 private:
  /// The step that led to a state.
  struct Origin {
    const State* before;
    const char* step;
  };

  void visit(State state, const char* step) {
    const auto [at, is_new] = seen_.emplace(std::move(state), Origin{now_, step});
    if (is_new) open_.push_back(&at->first);
  }

  // Includes the steps that led to it.
  void fault(const char* what) {
    if (!faults_.insert(what).second) return;
    std::string steps;
    for (const State* at = now_; at != nullptr; at = seen_.at(*at).before)
      steps = "\n  " + std::string(seen_.at(*at).step) + steps;
    BOOST_ERROR(std::string(what) + " after" + steps);
  }

  static Ledger ledger_of(const File& file) {
    Ledger out;
    for (const Line& line : file.lines) BOOST_REQUIRE(out.apply(record_of(line)));
    return out;
  }

  // Every object that a run has made is known to some journal or run.
  void check(const State& state) {
    for (std::uint8_t path = 0; path < paths; ++path) {
      const Thing& thing = state.things[path];
      const bool of_run = thing.uid != 0 && (thing.maker == 1 || thing.maker == 2);
      if (!of_run || state.run[thing.maker - 1U].phase != Run::Phase::over) continue;
      const File& file = state.files[thing.maker - 1U];
      if (!file.there) {
        fault("an object is left, and no journal names it");
        continue;
      }
      const std::vector<LedgerEntry> open = ledger_of(file).open();
      const bool known = std::any_of(open.begin(), open.end(), [&](const LedgerEntry& entry) {
        // Whichever request made it: an object with another UID is identified by its label.
        return entry.path == path_text(path);
      });
      if (!known) fault("an object is left that its run's journal does not name");
    }
  }

  static bool is_quiet(const State& state) {
    bool quiet = !state.cleaner.at_work;
    for (std::size_t r = 0; r < runs; ++r) {
      const Run::Phase phase = state.run[r].phase;
      quiet = quiet && (phase == Run::Phase::over || phase == Run::Phase::absent) && state.sent[r].empty();
    }
    return quiet;
  }

  // In every state, an undisturbed clean-up removes everything of the runs, or reports what is left and keeps the
  // journal.
  void check_end(const State& state) {
    ++ends_;
    State end = state;
    for (std::uint8_t r = 0; r < runs; ++r) {
      File& file = end.files[r];
      if (!file.there) continue;
      bool left = false;
      for (const Item& item : items_of(file)) {
        Removing removing(known_of(item, false));
        std::uint8_t uid = item.uid;
        while (removing.step() != Removing::Step::done) take(end, r, item, removing, uid, false, true);
        left = left || !is_settled(removing.outcome());
      }
      if (!left) file.there = false;
    }
    for (std::uint8_t path = 0; path < paths; ++path) {
      const Thing& thing = end.things[path];
      if (thing.uid == 0 || thing.maker == stranger) continue;
      const bool excused = thing.held || thing.label == nobody || is_upsert(end, thing.maker, path);
      if (!excused) fault("a clean-up leaves an object without need");
      if (!end.files[thing.maker - 1U].there) fault("a clean-up leaves an object and removes the journal");
    }
  }

  [[nodiscard]] bool is_upsert(const State& state, std::uint8_t maker, std::uint8_t path) const {
    for (const Task& task : limits_.tasks[maker - 1U]) {
      if (task.path == path && task.manner == Manner::upsert) return true;
    }
    static_cast<void>(state);
    return false;
  }

  static std::vector<Item> items_of(const File& file) {
    std::vector<Item> out;
    for (const LedgerEntry& entry : ledger_of(file).open()) {
      Item item;
      item.number = static_cast<std::uint8_t>(entry.number);
      item.path = static_cast<std::uint8_t>(entry.path.back() - '0');
      item.uid = static_cast<std::uint8_t>(entry.uid.empty() ? 0 : std::stoi(entry.uid));
      item.manner = entry.manner;
      item.marked = entry.marked;
      out.push_back(item);
    }
    return out;
  }

  static Removing::Known known_of(const Item& item, bool sure) {
    return {item.uid != 0, sure && item.uid != 0, item.manner, item.marked, false};
  }

  // One step of removing without a choice; the caller decides what gets lost.
  void take(State& state, std::uint8_t r, const Item& item, Removing& removing, std::uint8_t& uid, bool lost,
            bool of_cleaner) {
    Thing& thing = state.things[item.path];
    // A run knows which of its requests had no answer; later cleaners wait for every request.
    const bool may_arrive = std::any_of(state.sent[r].begin(), state.sent[r].end(), [&](const Message& message) {
      return of_cleaner || message.number == item.number;
    });
    switch (removing.step()) {
      case Removing::Step::look: {
        if (!removing.knows_uid()) uid = 0;
        Removing::Seen seen;
        seen.silent = lost;
        seen.there = thing.uid != 0;
        seen.same_uid = uid == thing.uid;
        if (!lost && thing.uid != 0) uid = thing.uid;
        seen.labelled = thing.label == r + 1;
        seen.being_deleted = thing.deleting;
        seen.held = thing.held;
        seen.may_arrive = may_arrive;
        removing.looked(seen);
        break;
      }
      case Removing::Step::erase: {
        Removing::Answer answer = Removing::Answer::gone;
        if (thing.uid != 0 && thing.uid != uid) {
          answer = Removing::Answer::conflict;
        } else if (thing.uid != 0) {
          if (thing.maker != r + 1) fault("something was deleted that the run did not make");
          thing.deleting = true;
          answer = thing.held ? Removing::Answer::held : Removing::Answer::gone;
          if (!thing.held) thing = {};
        }
        removing.erased(lost ? Removing::Answer::none : answer, may_arrive);
        break;
      }
      case Removing::Step::release:
        fault("finalizers of others were touched");
        removing.released();
        break;
      case Removing::Step::wait:
        removing.waited();
        break;
      case Removing::Step::done:
        break;
    }
  }

  void append(State& state, std::size_t r, const Line& line) {
    if (!state.run[r].broken) state.files[r].lines.push_back(line);
  }

  void step_of_run(const State& before, std::size_t r) {
    const Run& run = before.run[r];
    if (limits_.tasks[r].empty()) return;
    State next = before;
    File& file = next.files[r];
    switch (run.phase) {
      case Run::Phase::absent:
        file.there = true;
        next.run[r].phase = Run::Phase::lock;
        return visit(std::move(next), "run");
      case Run::Phase::lock:
        if (file.lock == Holder::cleaner) return;
        // Removed by a clean-up that found nothing in it.
        next.run[r].phase = file.there ? Run::Phase::header : Run::Phase::over;
        if (file.there) file.lock = Holder::run;
        return visit(std::move(next), "run");
      case Run::Phase::header:
        file.header = true;
        next.run[r].phase = Run::Phase::ready;
        return visit(std::move(next), "run");
      case Run::Phase::ready:
        return begin(std::move(next), r);
      case Run::Phase::making:
        return make(std::move(next), r);
      case Run::Phase::synching:
        file.synced = file.lines.size();
        next.run[r].making->wrote_down(true);
        next.run[r].phase = Run::Phase::making;
        return visit(std::move(next), "run");
      case Run::Phase::waiting:
        return hear(std::move(next), r);
      case Run::Phase::removing:
        return remove(std::move(next), r);
      case Run::Phase::over:
        return;
    }
  }

  void begin(State next, std::size_t r) {
    Run& run = next.run[r];
    if (run.task == limits_.tasks[r].size() || run.broken) {
      run.phase = Run::Phase::removing;
      return visit(std::move(next), "run begins");
    }
    const Task& task = limits_.tasks[r][run.task];
    run.making = Making(task.manner, run.retried && task.manner == Manner::create);
    run.phase = Run::Phase::making;
    visit(std::move(next), "run begins");
  }

  [[nodiscard]] Making::Found found(const State& state, std::size_t r, std::uint8_t path) const {
    const Thing& thing = state.things[path];
    if (thing.uid == 0) return Making::Found::absent;
    return thing.label == r + 1 ? Making::Found::ours : Making::Found::others;
  }

  // No answer to a read.
  void look_in_vain(State next, std::size_t r) {
    if (next.mishaps == limits_.mishaps) return;
    ++next.mishaps;
    next.run[r].making->looked(Making::Found::unknown);
    visit(std::move(next), "no answer to look");
  }

  void make(State next, std::size_t r) {
    Run& run = next.run[r];
    const Task& task = limits_.tasks[r][run.task];
    switch (run.making->step()) {
      case Making::Step::look_before:
      case Making::Step::look_after:
        look_in_vain(next, r);
        run.making->looked(found(next, r, task.path));
        run.uid = next.things[task.path].uid;
        break;
      case Making::Step::write_down:
        if (next.mishaps < limits_.mishaps) {
          State full = next;
          ++full.mishaps;
          full.run[r].broken = true;
          full.run[r].making->wrote_down(false);
          visit(std::move(full), "run makes: full");
        }
        run.number = ++run.last;
        append(next, r, {JournalRecord::Kind::asked, run.number, task.path, 0, task.manner, run.making->marks()});
        run.items.push_back({run.number, task.path, 0, task.manner, run.making->marks()});
        run.phase = Run::Phase::synching;
        break;
      case Making::Step::send:
        next.sent[r].push_back({++run.attempt, run.number, task.path, task.manner, run.making->marks(), run.uid});
        next.reply[r].reset();
        run.phase = Run::Phase::waiting;
        break;
      case Making::Step::note_made:
        append(next, r, {JournalRecord::Kind::made, run.number, 0, run.uid, {}, true});
        for (Item& item : run.items) {
          if (item.number == run.number) item.uid = run.uid;
        }
        run.making->noted();
        break;
      case Making::Step::note_not_made:
        append(next, r, {JournalRecord::Kind::not_made, run.number, 0, 0, {}, true});
        std::erase_if(run.items, [&](const Item& item) { return item.number == run.number; });
        run.making->noted();
        break;
      case Making::Step::done: {
        // The caller retries once after an unclear answer.
        const bool again = run.making->standing() == Making::Standing::unclear && !run.retried && !run.broken;
        run.retried = again;
        if (!again) ++run.task;
        run.making.reset();
        run.phase = Run::Phase::ready;
        break;
      }
    }
    visit(std::move(next), "run makes");
  }

  void hear(State next, std::size_t r) {
    Run& run = next.run[r];
    if (next.reply[r]) {
      const Reply reply = *next.reply[r];
      const bool another = reply.answer == Making::Answer::there && reply.uid != run.uid;
      run.uid = reply.uid;
      run.making->answered(another ? Making::Answer::unclear : reply.answer);
      next.reply[r].reset();
      run.phase = Run::Phase::making;
      return visit(std::move(next), "run hears");
    }
    // Time-out: the request may still arrive, but its answer is ignored.
    const bool on_its_way = std::any_of(next.sent[r].begin(), next.sent[r].end(),
                                        [&](const Message& message) { return message.attempt == run.attempt; });
    if (on_its_way && next.mishaps++ == limits_.mishaps) return;
    run.making->answered(Making::Answer::unclear);
    run.phase = Run::Phase::making;
    visit(std::move(next), "run hears");
  }

  void remove(State next, std::size_t r) {
    Run& run = next.run[r];
    if (run.cleaned == run.items.size()) {
      File& file = next.files[r];
      if (run.items.empty()) file.there = false;
      file.lock = Holder::none;
      run.phase = Run::Phase::over;
      return visit(std::move(next), "run removes");
    }
    const Item item = run.items[run.items.size() - 1U - run.cleaned];
    if (!run.removing) {
      run.removing = Removing(known_of(item, true));
      run.uid = item.uid;
    }
    if (run.removing->step() == Removing::Step::done) {
      if (is_settled(run.removing->outcome())) {
        append(next, r, {JournalRecord::Kind::gone, item.number, 0, 0, {}, true});
        std::erase_if(run.items, [&](const Item& each) { return each.number == item.number; });
      } else {
        ++run.cleaned;
      }
      run.removing.reset();
      return visit(std::move(next), "run removes");
    }
    lose_answer(
        next, r, item, [](State& state, std::size_t of) -> auto& { return state.run[of]; }, false);
    take(next, static_cast<std::uint8_t>(r), item, *run.removing, run.uid, false, false);
    visit(std::move(next), "run removes");
  }

  template <typename Who>
  void lose_answer(State next, std::size_t r, const Item& item, Who who, bool of_cleaner) {
    const Removing::Step step = who(next, r).removing->step();
    const bool asks = step == Removing::Step::look || step == Removing::Step::erase;
    if (!asks || next.mishaps == limits_.mishaps) return;
    ++next.mishaps;
    take(next, static_cast<std::uint8_t>(r), item, *who(next, r).removing, who(next, r).uid, true, of_cleaner);
    visit(std::move(next), "answer lost");
  }

  // The cluster carries out what was sent, once or twice, and answers or not.
  void step_of_network(const State& before, std::size_t r) {
    for (std::size_t i = 0; i < before.sent[r].size(); ++i) deliver(before, r, i);
  }

  void deliver(const State& before, std::size_t r, std::size_t i) {
    const Message message = before.sent[r][i];
    State dropped = before;
    dropped.sent[r].erase(dropped.sent[r].begin() + static_cast<std::ptrdiff_t>(i));
    State next = dropped;
    const Reply reply = carry_out(next, r, message);
    if (before.mishaps < limits_.mishaps) {
      State lost = next;
      ++lost.mishaps;
      visit(std::move(lost), "the request is carried out, its answer lost");
      State repeated = next;
      ++repeated.mishaps;
      const Reply second = carry_out(repeated, r, message);
      if (is_listening(repeated, r, message)) repeated.reply[r] = second;
      visit(std::move(repeated), "the request is carried out twice, its first answer lost");
      ++dropped.mishaps;
      visit(std::move(dropped), "the request is lost");
    }
    if (is_listening(next, r, message)) next.reply[r] = reply;
    visit(std::move(next), "the request is carried out");
  }

  static bool is_listening(const State& state, std::size_t r, const Message& message) {
    return state.run[r].phase == Run::Phase::waiting && state.run[r].attempt == message.attempt;
  }

  Reply carry_out(State& state, std::size_t r, const Message& message) {
    Thing& thing = state.things[message.path];
    if (thing.uid == 0) {
      const File& file = state.files[r];
      const bool written = std::any_of(
          file.lines.begin(), file.lines.begin() + static_cast<std::ptrdiff_t>(file.synced), [&](const Line& line) {
            return line.kind == JournalRecord::Kind::asked && line.number == message.number &&
                   line.path == message.path;
          });
      if (!file.there || !written) fault("an object was made that is not in a journal on disk");
      thing = {++state.last_uid, static_cast<std::uint8_t>(r + 1),
               static_cast<std::uint8_t>(message.marks ? r + 1 : nobody), false, false};
      return {Making::Answer::made, thing.uid};
    }
    if (message.manner == Manner::create) return {Making::Answer::exists, 0};
    const bool was_there = message.seen == thing.uid && thing.maker != r + 1 && thing.label != r + 1;
    if (message.marks && was_there) fault("an object of others was given the label of the run");
    if (message.marks) thing.label = static_cast<std::uint8_t>(r + 1);
    return {Making::Answer::there, thing.uid};
  }

  void step_of_cleaner(const State& before) {
    State next = before;
    Cleaner& cleaner = next.cleaner;
    if (!cleaner.at_work) {
      if (before.launches == limits_.launches) return;
      ++next.launches;
      cleaner = {};
      cleaner.at_work = true;
      return visit(std::move(next), "cleaner");
    }
    if (cleaner.file == runs) {
      cleaner = {};
      return visit(std::move(next), "cleaner");
    }
    File& file = next.files[cleaner.file];
    if (!cleaner.holds) {
      if (!file.there || file.lock != Holder::none) {
        ++cleaner.file;
        return visit(std::move(next), "cleaner");
      }
      file.lock = Holder::cleaner;
      cleaner.holds = true;
      cleaner.items = items_of(file);
      return visit(std::move(next), "cleaner");
    }
    if (cleaner.cleaned == cleaner.items.size()) {
      if (!cleaner.left) file.there = false;
      file.lock = Holder::none;
      const auto following = static_cast<std::uint8_t>(cleaner.file + 1);
      cleaner = {};
      cleaner.at_work = true;
      cleaner.file = following;
      return visit(std::move(next), "cleaner");
    }
    const Item item = cleaner.items[cleaner.cleaned];
    if (!cleaner.removing) {
      cleaner.removing = Removing(known_of(item, false));
      cleaner.uid = item.uid;
    }
    if (cleaner.removing->step() == Removing::Step::done) {
      cleaner.left = cleaner.left || !is_settled(cleaner.removing->outcome());
      cleaner.removing.reset();
      ++cleaner.cleaned;
      return visit(std::move(next), "cleaner");
    }
    lose_answer(
        next, cleaner.file, item, [](State& state, std::size_t) -> auto& { return state.cleaner; }, true);
    take(next, cleaner.file, item, *cleaner.removing, cleaner.uid, false, true);
    visit(std::move(next), "cleaner");
  }

  void step_of_strangers(const State& before) {
    if (before.mischief == limits_.mischief) return;
    const auto with = [&](std::uint8_t path, const std::function<void(State&, Thing&)>& change) {
      State next = before;
      ++next.mischief;
      change(next, next.things[path]);
      visit(std::move(next), "stranger");
    };
    for (std::uint8_t path = 0; path < paths; ++path) {
      const Thing& thing = before.things[path];
      // A stranger writes into the journal of an ended run that the run made this object.
      const File& file = before.files[0];
      const bool may_forge =
          file.there && file.lock == Holder::none && before.run[0].phase == Run::Phase::over && before.sent[0].empty();
      if (may_forge && thing.maker == stranger && thing.label == nobody) {
        with(path, [&](State& state, Thing& forged) {
          const auto number = static_cast<std::uint8_t>(100U + state.mischief);
          state.files[0].lines.push_back({JournalRecord::Kind::asked, number, path, 0, Manner::create, true});
          state.files[0].lines.push_back({JournalRecord::Kind::made, number, 0, forged.uid, {}, true});
        });
      }
      if (thing.uid == 0) {
        with(path, [](State& state, Thing& made) { made = {++state.last_uid, stranger, nobody, false, false}; });
        continue;
      }
      with(path, [](State&, Thing& deleted) { deleted = {}; });
      with(path, [](State& state, Thing& replaced) { replaced = {++state.last_uid, stranger, nobody, false, false}; });
      if (!thing.held && !thing.deleting) with(path, [](State&, Thing& held) { held.held = true; });
      if (thing.held && thing.deleting) with(path, [](State&, Thing& gone) { gone = {}; });
      // Before its UID is known, only the label identifies the owner.
      if (thing.label != nobody && is_noted(before, thing))
        with(path, [](State&, Thing& bare) { bare.label = nobody; });
    }
  }

  static bool is_noted(const State& state, const Thing& thing) {
    return std::any_of(state.files.begin(), state.files.end(), [&](const File& file) {
      const auto end = file.lines.begin() + static_cast<std::ptrdiff_t>(file.synced);
      return std::any_of(file.lines.begin(), end, [&](const Line& line) {
        return line.kind == JournalRecord::Kind::made && line.uid == thing.uid;
      });
    });
  }

  static void kill_run(State& state, std::size_t r) {
    if (state.run[r].phase == Run::Phase::absent || state.run[r].phase == Run::Phase::over) return;
    state.run[r] = {};
    state.run[r].phase = Run::Phase::over;
    state.reply[r].reset();
    if (state.files[r].lock == Holder::run) state.files[r].lock = Holder::none;
  }

  static void kill_cleaner(State& state) {
    for (File& file : state.files) {
      if (file.lock == Holder::cleaner) file.lock = Holder::none;
    }
    state.cleaner = {};
  }

  void step_of_crashes(const State& before) {
    if (before.kills < limits_.kills) {
      for (std::size_t r = 0; r < runs; ++r) {
        State next = before;
        ++next.kills;
        kill_run(next, r);
        visit(std::move(next), "crash");
      }
      if (before.cleaner.at_work) {
        State next = before;
        ++next.kills;
        kill_cleaner(next);
        visit(std::move(next), "crash");
      }
    }
    if (!limits_.power || before.power_lost) return;
    // The machine loses power: unsynced data is lost. The cluster runs elsewhere.
    State next = before;
    next.power_lost = true;
    for (std::size_t r = 0; r < runs; ++r) {
      kill_run(next, r);
      next.files[r].lines.resize(next.files[r].synced);
    }
    kill_cleaner(next);
    visit(std::move(next), "crash");
  }

  Limits limits_;
  std::unordered_map<State, Origin, Hash> seen_;
  std::vector<const State*> open_;
  const State* now_ = nullptr;
  std::size_t ends_ = 0;
  std::set<std::string> faults_;
};

// Under sanitizers the largest worlds take minutes, and the smaller ones run the same code.
void hold(const char* name, Limits limits, std::size_t at_least) {
  constexpr std::size_t large = 100000;
  if (sanitized && at_least >= large) return;
  World world(std::move(limits));
  world.explore();
  BOOST_TEST_MESSAGE(name << ": " << world.states() << " states, " << world.ends() << " ends");
  BOOST_TEST(world.states() > at_least);
  BOOST_TEST(world.ends() > 0U);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_and_clean_ups_that_are_killed_anywhere) {
  hold("own objects", {{{{{0}, {0}}, {}}}, 2, 2, 2, 0, true}, 10000);
  hold("upserts", {{{{{0, Manner::upsert}}, {}}}, 2, 2, 3, 0, true}, 10000);
}

BOOST_AUTO_TEST_CASE(a_run_among_strangers) {
  hold("a shared name", {{{{{shared_path}}, {}}}, 1, 1, 1, 2, true}, 100000);
  hold("an upsert of a shared name", {{{{{shared_path, Manner::upsert}}, {}}}, 1, 1, 1, 2, true}, 100000);
  hold("more mischief", {{{{{shared_path}}, {}}}, 1, 1, 0, 3, false}, 10000);
}

BOOST_AUTO_TEST_CASE(two_runs_and_a_clean_up_beside_them) {
  hold("own objects", {{{{{0}}, {{1}}}}, 1, 1, 1, 0, true}, 100000);
  hold("a shared name", {{{{{shared_path}}, {{shared_path}}}}, 2, 1, 1, 0, false}, 100000);
  hold("a shared name, and a stranger", {{{{{shared_path}}, {{shared_path}}}}, 1, 1, 0, 1, false}, 10000);
  hold("an upsert beside a run", {{{{{0, Manner::upsert}}, {{1}}}}, 1, 1, 1, 0, false}, 10000);
}

BOOST_AUTO_TEST_SUITE_END()
