#include "harness/endpoint/authorizer/exec_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/endpoint/authorizer/exec_lines.h"
#include "harness/endpoint/child_process.h"
#include "harness/endpoint/signals.h"

namespace nodebound {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class ExecProgram::Pending {
 public:
  std::uint64_t id = 0;
  steady_clock::time_point until;
  std::condition_variable answered;
  std::optional<Result<AccessAnswer>> answer;  ///< guarded by the conversation's lock
};

namespace {

/// What a program has not read yet: its objects, above all.
constexpr std::size_t most_unread = std::size_t{256} * 1024 * 1024;
/// How many bytes of objects wait for the next question.
constexpr std::size_t most_kept_back = std::size_t{256} * 1024;
/// How much of its standard error is kept.
constexpr std::size_t most_noise = std::size_t{4} * 1024;
/// How long a program may take to end after its input has ended.
constexpr milliseconds farewell{2000};
/// How often a wait looks for signals.
constexpr milliseconds glance{100};

std::string in_seconds(milliseconds time) {
  std::string text = std::to_string(static_cast<double>(time.count()) / 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

std::string quoted_start(std::string_view line) {
  constexpr std::size_t most = 100;
  return "\"" + std::string(line.substr(0, most)) + (line.size() > most ? "…" : "") + "\"";
}

/// A program that has ended must not end us by SIGPIPE, in whichever thread that is noticed.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    constexpr timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

/// One thread moves the bytes; whoever asks waits for the answer with its id.
class ExecProgram::Conversation {
 public:
  Conversation(const Options& options, ChildProcess::Piped started)
      : name_("exec:" + options.command),
        patience_(options.patience),
        process_(std::move(started.process)),
        streams_(std::move(started.streams)),
        wakes_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        mover_([this] { move_bytes(); }) {}

  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  ~Conversation() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake();
    mover_.join();
    process_->kill();
  }

  Result<exec::Introduction> introduce() {
    send(exec::greeting());
    std::unique_lock lock(mutex_);
    const auto until = steady_clock::now() + patience_;
    while (!introduction_ && !broken_) {
      introduced_.wait_for(lock, glance);
      if (interrupted() && !broken_) break_off(interruption());
      if (steady_clock::now() >= until && !introduction_ && !broken_) {
        break_off("has not introduced itself within " + in_seconds(patience_),
                  "its first line is {\"protocol\":\"nodebound.dev/exec\",\"version\":1,…}; does it flush its output?");
      }
    }
    if (broken_) return tl::unexpected<Error>(*broken_);
    return *introduction_;
  }

  void send(const std::string& line) {
    bool waits = false;
    {
      const std::lock_guard lock(mutex_);
      waits = append(line);
    }
    if (waits) wake();
  }

  /// Goes with the next question: until then nobody needs it.
  void tell(const std::string& line) {
    bool full = false;
    {
      const std::lock_guard lock(mutex_);
      append(line);
      full = unsent_.size() - sent_ >= most_kept_back;
    }
    if (full) wake();
  }

  // Who asks writes the question, too, as far as the program takes it: the mover need not be woken for that.
  std::shared_ptr<Pending> ask(const std::string& spec) {
    auto question = std::make_shared<Pending>();
    question->until = steady_clock::now() + patience_;
    bool rest = false;
    {
      const std::lock_guard lock(mutex_);
      if (broken_) {
        question->answer = tl::unexpected<Error>(*broken_);
        return question;
      }
      question->id = ++last_id_;
      questions_.emplace(question->id, question);
      append(exec::question_line(question->id, spec));
      const NoPipeSignal quiet;
      rest = give();
    }
    if (rest) wake();
    return question;
  }

  Result<AccessAnswer> await(Pending& question) {
    std::unique_lock lock(mutex_);
    while (!question.answer) {
      question.answered.wait_for(lock, glance);
      if (question.answer) break;
      if (interrupted()) {
        break_off(interruption());
      } else if (steady_clock::now() >= question.until) {
        break_off("has not answered within " + in_seconds(patience_), "--request-timeout allows more");
      }
    }
    return std::move(*question.answer);
  }

  [[nodiscard]] std::optional<Error> broken() const {
    const std::lock_guard lock(mutex_);
    return broken_;
  }

  Result<void> finish() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    lock.unlock();
    wake();
    lock.lock();
    ended_.wait_for(lock, farewell, [this] { return output_ended_ || broken_.has_value(); });
    if (broken_) return tl::unexpected<Error>(*broken_);
    return {};
  }

 private:
  /// Whether the mover must be woken.
  bool append(const std::string& line) {
    if (broken_) return false;
    const bool waits = unsent_.size() == sent_;
    if (unsent_.size() - sent_ + line.size() > most_unread) {
      break_off("has left " + std::to_string(most_unread / 1024 / 1024) + " MiB unread");
      return false;
    }
    unsent_ += line;
    return waits;
  }

  void wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wakes_.get(), &one, sizeof one);
  }

  /// Needs the lock. Every question under way gets this error, and every later one.
  void break_off(const std::string& why, const std::string& hint = {}) {
    if (broken_) return;
    std::string what = why;
    if (!noise_.empty()) what += "; the last that it wrote to its standard error: " + last_noise();
    broken_ = Error{Error::Kind::unreachable, name_, std::move(what), hint};
    for (auto& [id, question] : questions_) {
      question->answer = tl::unexpected<Error>(*broken_);
      question->answered.notify_all();
    }
    questions_.clear();
    unsent_.clear();
    sent_ = 0;
    introduced_.notify_all();
    ended_.notify_all();
    wake();
  }

  [[nodiscard]] std::string last_noise() const {
    constexpr std::size_t most = 300;
    std::string_view text = noise_;
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (text.size() > most) text.remove_prefix(text.size() - most);
    return std::string(text);
  }

  void move_bytes() {
    const NoPipeSignal quiet;
    while (step()) {
    }
    process_->kill();
  }

  bool step() {
    bool has_unsent = false;
    {
      const std::lock_guard lock(mutex_);
      if (broken_ || closing_ || output_ended_) return false;
      has_unsent = sent_ < unsent_.size();
      if (ending_ && !has_unsent) streams_.input = Descriptor();
    }
    std::array<pollfd, 4> watched = {{{has_unsent ? streams_.input.get() : -1, POLLOUT, 0},
                                      {streams_.output.get(), POLLIN, 0},
                                      {streams_.error.get(), POLLIN, 0},
                                      {wakes_.get(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), static_cast<int>(glance.count()));
    if (watched[3].revents != 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t got = read(wakes_.get(), &count, sizeof count);
    }
    if (watched[2].revents != 0) take_noise();
    if (watched[1].revents != 0) take_output();
    if (watched[0].revents != 0) give_input();
    return true;
  }

  void give_input() {
    const std::lock_guard lock(mutex_);
    give();
  }

  /// Needs the lock. Writes what the program takes at once; whether more is left.
  bool give() {
    constexpr std::size_t at_once = std::size_t{64} * 1024;
    while (sent_ < unsent_.size()) {
      const ssize_t written =
          write(streams_.input.get(), unsent_.data() + sent_, std::min(at_once, unsent_.size() - sent_));
      if (written < 0 && errno == EINTR) continue;
      // A program that no longer reads may still have something to say; the end of its output is noticed elsewhere.
      if (written < 0 && errno == EPIPE) sent_ = unsent_.size();
      if (written < 0) break;
      sent_ += static_cast<std::size_t>(written);
    }
    if (sent_ == unsent_.size() || sent_ > at_once * 16) {
      unsent_.erase(0, sent_);
      sent_ = 0;
    }
    return sent_ < unsent_.size();
  }

  void take_noise() {
    std::array<char, 16384> bytes{};
    const ssize_t got = read(streams_.error.get(), bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
      streams_.error = Descriptor();
      return;
    }
    const std::lock_guard lock(mutex_);
    noise_.append(bytes.data(), static_cast<std::size_t>(got));
    if (noise_.size() > most_noise) noise_.erase(0, noise_.size() - most_noise);
  }

  void take_output() {
    std::array<char, 65536> bytes{};
    const ssize_t got = read(streams_.output.get(), bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) return end_of_output();
    received_.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t from = 0;
    std::vector<exec::AnswerLine> answers;
    std::string mistake;
    for (std::size_t end = 0; (end = received_.find('\n', from)) != std::string::npos; from = end + 1) {
      mistake = read_line(std::string_view(received_).substr(from, end - from), answers);
      if (!mistake.empty()) break;
    }
    received_.erase(0, from);
    if (mistake.empty() && received_.size() > exec::longest_line) {
      mistake = "has written a line of more than " + std::to_string(exec::longest_line / 1024) + " KiB";
    }
    hand_out(std::move(answers), mistake);
  }

  /// What is wrong with the line; empty if nothing.
  std::string read_line(std::string_view line, std::vector<exec::AnswerLine>& answers) {
    if (line.size() > exec::longest_line) {
      return "has written a line of more than " + std::to_string(exec::longest_line / 1024) + " KiB";
    }
    if (!spoke_) {
      spoke_ = true;
      Result<exec::Introduction> read = exec::read_introduction(line);
      if (!read) return "its first line " + quoted_start(line) + " " + read.error().what;
      const std::lock_guard lock(mutex_);
      introduction_ = *read;
      introduced_.notify_all();
      return {};
    }
    Result<exec::AnswerLine> read = exec::read_answer_line(line);
    if (!read) return "its line " + quoted_start(line) + " " + read.error().what;
    answers.push_back(std::move(*read));
    return {};
  }

  void hand_out(std::vector<exec::AnswerLine> answers, const std::string& mistake) {
    const std::lock_guard lock(mutex_);
    if (broken_) return;
    for (exec::AnswerLine& line : answers) {
      const auto found = questions_.find(line.id);
      if (found == questions_.end()) {
        const std::string id = std::to_string(line.id);
        return break_off(line.id == 0 || line.id > last_id_ ? "has answered question " + id + ", which was not asked"
                                                            : "has answered question " + id + " twice");
      }
      found->second->answer = std::move(line.answer);
      found->second->answered.notify_all();
      questions_.erase(found);
    }
    if (!mistake.empty()) break_off(mistake);
  }

  void end_of_output() {
    // What it complained of last says why.
    while (streams_.error.is_open()) {
      pollfd noise{streams_.error.get(), POLLIN, 0};
      if (poll(&noise, 1, 0) <= 0) break;
      take_noise();
    }
    const auto until = steady_clock::now() + glance;
    std::optional<std::string> ending = process_->ending();
    while (!ending && steady_clock::now() < until) {
      std::this_thread::sleep_for(milliseconds(1));
      ending = process_->ending();
    }
    const std::lock_guard lock(mutex_);
    output_ended_ = true;
    const bool in_order = ending_ && questions_.empty() && received_.empty();
    if (!in_order) {
      break_off(ending ? "has ended " + *ending : std::string("has closed its output"),
                received_.empty() ? "" : "its last line was not complete");
    }
    ended_.notify_all();
  }

  const std::string name_;
  const milliseconds patience_;
  std::unique_ptr<ChildProcess> process_;
  ChildProcess::Streams streams_;
  Descriptor wakes_;

  mutable std::mutex mutex_;
  std::string unsent_;
  std::size_t sent_ = 0;  ///< of the bytes of `unsent_`
  std::string noise_;     ///< the end of its standard error
  std::uint64_t last_id_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<Pending>> questions_;
  std::optional<Error> broken_;
  std::optional<exec::Introduction> introduction_;
  std::condition_variable introduced_;
  std::condition_variable ended_;
  bool ending_ = false;        ///< its input ends after what is unsent
  bool output_ended_ = false;  ///< so has its output
  bool closing_ = false;

  // Of the mover alone.
  std::string received_;
  bool spoke_ = false;

  std::thread mover_;  ///< the last member: it uses the others
};

ExecProgram::ExecProgram(std::unique_ptr<Conversation> conversation) : conversation_(std::move(conversation)) {}

ExecProgram::~ExecProgram() = default;

Result<std::unique_ptr<ExecProgram>> ExecProgram::start(const Options& options) {
  auto started = ChildProcess::start_piped("/bin/sh", {"-c", options.command});
  if (!started) return tl::unexpected<Error>(started.error());
  auto conversation = std::make_unique<Conversation>(options, std::move(*started));
  const Result<exec::Introduction> introduction = conversation->introduce();
  if (!introduction) return tl::unexpected<Error>(introduction.error());
  auto program = std::unique_ptr<ExecProgram>(new ExecProgram(std::move(conversation)));
  program->objects_ = introduction->objects;
  return program;
}

std::shared_ptr<ExecProgram::Pending> ExecProgram::ask(const std::string& spec) {
  return conversation_->ask(spec);
}

Result<AccessAnswer> ExecProgram::await(Pending& question) {
  return conversation_->await(question);
}

Result<AccessAnswer> ExecProgram::decide(const std::string& spec) {
  return await(*ask(spec));
}

void ExecProgram::changed(const ObjectEvent& event) {
  conversation_->tell(exec::event_line(event));
}

std::optional<Error> ExecProgram::broken() const {
  return conversation_->broken();
}

Result<void> ExecProgram::finish() {
  return conversation_->finish();
}

}  // namespace nodebound
