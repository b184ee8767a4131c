#include "harness/journal/journaled_session.h"

#include <algorithm>

#include "harness/journal/stored_path.h"

namespace nodebound::journal {
namespace {

bool is_unclear(int status) {
  return status == 408 || status == 429 || status >= 500 || status < 200;
}

/// A journaled session that owns the session through which it sends. What it cannot remove stays in the journal.
class OwnSession final : public Session {
 public:
  OwnSession(Endpoint& endpoint, std::unique_ptr<Session> inner, Journal& journal, const std::string& run)
      : inner_(std::move(inner)), journaled_(endpoint, *inner_, journal, run) {}
  ~OwnSession() override { journaled_.clean_up(); }
  OwnSession(const OwnSession&) = delete;
  OwnSession& operator=(const OwnSession&) = delete;

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    return journaled_.send(subject, request);
  }

 private:
  std::unique_ptr<Session> inner_;
  JournaledSession journaled_;
};

}  // namespace

WrapSession journaled_by(Endpoint& endpoint, Journal& journal, const std::string& run) {
  return [&endpoint, &journal, run](std::unique_ptr<Session> inner) -> std::unique_ptr<Session> {
    return std::make_unique<OwnSession>(endpoint, std::move(inner), journal, run);
  };
}

/// One request under way.
struct JournaledSession::Attempt {
  HttpRequest request;
  WriteRequest write;
  std::uint64_t number = 0;
  Result<HttpResponse> response = unreachable_error("", "nothing was sent");
  std::string uid;   ///< of the object that was made or found
  std::string made;  ///< the object's path, if the server chose the name
};

Result<HttpResponse> JournaledSession::send(const Subject& subject, const HttpRequest& request) {
  if (endpoint_.disposable()) return session_.send(subject, request);
  if (Result<void> written = write_down_finalizers(request); !written) return tl::unexpected<Error>(written.error());
  const std::optional<WriteRequest> write = write_of(request, journal_.dry_runs_stick());
  if (!write) {
    Result<HttpResponse> response = session_.send(subject, request);
    if (response && request.method == "DELETE") note_deletion(request, *response);
    return response;
  }
  if (const auto failure = journal_.failure()) return tl::unexpected<Error>(*failure);
  Attempt attempt;
  attempt.request = request;
  attempt.write = *write;
  return make(subject, attempt);
}

Result<void> JournaledSession::write_down_finalizers(const HttpRequest& request) {
  const std::vector<std::string> names = finalizers_in(request);
  if (names.empty()) return {};
  // A PUT repeats the finalizers that others have added.
  Object before;
  if (request.method == "PUT") {
    const std::string path = object_path_of(request.target);
    HttpRequest read{"GET", path, "", ""};
    read.accept = "application/json";
    const Result<HttpResponse> response = session_.send(endpoint_.administrator(), read);
    if (!response) return tl::unexpected<Error>(response.error());
    if (response->status != 200 && response->status != 404) {
      return unreachable_error(path, "cannot be read, so it is not known which finalizers others have put there");
    }
    if (response->status == 200) before = Object::parse(response->body, nullptr, false);
  }
  const Object& repeated = member(before, "metadata", "finalizers");
  for (const std::string& name : names) {
    const bool of_others = repeated.is_array() && std::find(repeated.begin(), repeated.end(), name) != repeated.end();
    if (!is_finalizer(name) || of_others) continue;
    if (Result<void> written = journal_.write_down_finalizer(name); !written) return written;
  }
  return {};
}

// Two requests that let the server choose the name cannot be told apart.
const JournaledSession::Item* JournaledSession::unclear_item(const WriteRequest& write) const {
  const auto found = std::find_if(items_.rbegin(), items_.rend(), [&](const Item& item) {
    return item.entry.path == write.path && item.entry.manner == Manner::create && item.entry.uid.empty();
  });
  const bool tells = write.names_object && write.manner == Manner::create;
  return found == items_.rend() || !tells ? nullptr : &*found;
}

const JournaledSession::Item* JournaledSession::made_item(const std::string& path) const {
  const auto found = std::find_if(items_.rbegin(), items_.rend(),
                                  [&](const Item& item) { return item.entry.path == path && !item.entry.uid.empty(); });
  return found == items_.rend() ? nullptr : &*found;
}

Result<HttpResponse> JournaledSession::make(const Subject& subject, Attempt& attempt) {
  const Item* before = unclear_item(attempt.write);
  if (before != nullptr) attempt.number = before->entry.number;
  Making making(attempt.write.manner, before != nullptr);
  for (;;) {
    switch (making.step()) {
      case Making::Step::look_before:
        making.looked(look(attempt.write.path, attempt.uid));
        if (making.step() == Making::Step::done) {
          return unreachable_error(attempt.write.path, "cannot be read, so it is not known whether it is of others");
        }
        break;
      case Making::Step::write_down: {
        attempt.write.takes_our_label = attempt.write.takes_our_label && making.marks();
        const Result<void> written = write_down(attempt);
        if (!written) attempt.response = tl::unexpected<Error>(written.error());
        making.wrote_down(written.has_value());
        break;
      }
      case Making::Step::send: {
        const bool mark = attempt.write.takes_our_label && making.marks();
        attempt.response = session_.send(subject, mark ? marked(attempt.request, run_) : attempt.request);
        const Making::Answer answer = read_answer(attempt);
        for (Item& item : items_) {
          const bool late = item.entry.number == attempt.number && answer == Making::Answer::unclear;
          if (late) item.arrived = std::chrono::steady_clock::now() + longest_time_on_the_way;
        }
        making.answered(answer);
        break;
      }
      case Making::Step::look_after: {
        const Making::Found found = look(attempt.write.path, attempt.uid);
        // If the request could not carry the label, an object without it may be ours.
        const bool untold = found == Making::Found::others && !attempt.write.takes_our_label;
        making.looked(untold ? Making::Found::unknown : found);
        break;
      }
      case Making::Step::note_made:
        journal_.note_made(attempt.number, attempt.uid, attempt.made);
        for (Item& item : items_) {
          if (item.entry.number != attempt.number) continue;
          item.entry.uid = attempt.uid;
          if (!attempt.made.empty()) item.entry.path = attempt.made;
        }
        making.noted();
        break;
      case Making::Step::note_not_made:
        journal_.note_not_made(attempt.number);
        std::erase_if(items_, [&](const Item& item) { return item.entry.number == attempt.number; });
        making.noted();
        break;
      case Making::Step::done:
        return std::move(attempt.response);
    }
  }
}

Result<void> JournaledSession::write_down(Attempt& attempt) {
  const WriteRequest& write = attempt.write;
  const Result<std::uint64_t> number = journal_.write_down(write.path, write.manner, write.takes_our_label);
  if (!number) return tl::unexpected<Error>(number.error());
  attempt.number = *number;
  items_.push_back({{*number, write.path, write.manner, write.takes_our_label, ""}, {}, write.prefix});
  return {};
}

Making::Answer JournaledSession::read_answer(Attempt& attempt) const {
  if (!attempt.response) {
    // These errors occur before anything is sent: bad input, and requests outside the run's bounds.
    const bool sent = attempt.response.error().kind == Error::Kind::unreachable;
    return sent ? Making::Answer::unclear : Making::Answer::refused;
  }
  const HttpResponse& response = *attempt.response;
  if (response.status == 201) {
    const Object body = Object::parse(response.body, nullptr, false);
    attempt.uid = text(body, "metadata", "uid");
    if (!attempt.write.names_object) attempt.made = stored_path(attempt.write.path, text(body, "metadata", "name"));
    const bool known = is_uid(attempt.uid) && (attempt.write.names_object || !attempt.made.empty());
    if (known) return Making::Answer::made;
    const bool can_be_found = attempt.write.names_object && attempt.write.manner == Manner::create;
    return can_be_found ? Making::Answer::exists : Making::Answer::unclear;
  }
  if (is_unclear(response.status)) return Making::Answer::unclear;
  if (response.status < 300) {
    // An upsert may have been sent twice: first making the object, then changing it.
    const std::string uid(text(Object::parse(response.body, nullptr, false), "metadata", "uid"));
    return uid == attempt.uid && !uid.empty() ? Making::Answer::there : Making::Answer::unclear;
  }
  // If the server chose the name and it was taken, nothing was made.
  const bool exists = response.status == 409 && attempt.write.names_object;
  return exists ? Making::Answer::exists : Making::Answer::refused;
}

Making::Found JournaledSession::look(const std::string& path, std::string& uid) {
  uid.clear();
  HttpRequest request{"GET", path, "", ""};
  request.accept = "application/json";
  const Result<HttpResponse> response = session_.send(endpoint_.administrator(), request);
  if (!response || is_unclear(response->status)) return Making::Found::unknown;
  if (response->status == 404 || response->status == 405) return Making::Found::absent;
  const Object object = Object::parse(response->body, nullptr, false);
  uid = text(object, "metadata", "uid");
  if (response->status != 200 || !is_uid(uid)) return Making::Found::unknown;
  return run_of(object) == run_ ? Making::Found::ours : Making::Found::others;
}

void JournaledSession::forget(std::uint64_t number) {
  journal_.note_gone(number);
  std::erase_if(items_, [&](const Item& item) { return item.entry.number == number; });
}

void JournaledSession::note_deletion(const HttpRequest& request, const HttpResponse& response) {
  const bool dry = request.body.find("dryRun") != std::string::npos || request.target.find('?') != std::string::npos;
  if (dry || response.status >= 300 || !says_gone(response)) return;
  const Item* item = made_item(request.target);
  if (item == nullptr) return;
  // The answer is the object, or contains its UID.
  const Object body = Object::parse(response.body, nullptr, false);
  const std::string& uid = item->entry.uid;
  if (text(body, "metadata", "uid") == uid || text(body, "details", "uid") == uid) forget(item->entry.number);
}

std::string JournaledSession::uid_of(const std::string& path) const {
  const Item* item = made_item(path);
  return item == nullptr ? std::string() : item->entry.uid;
}

Remover JournaledSession::remover() {
  return {session_,
          endpoint_.administrator(),
          {run_, [this](const std::string& name) { return journal_.has_finalizer(name); }, endpoint_.disposable(),
           [this](std::chrono::milliseconds time) { endpoint_.circumstances_of("").pause(time); }}};
}

Result<void> JournaledSession::remove(const Item& item) {
  Remover removing = remover();
  const auto may_arrive = [&] { return std::chrono::steady_clock::now() < item.arrived; };
  const Removing::Outcome outcome = removing.remove(item.entry, !item.entry.uid.empty(), may_arrive);
  if (!is_settled(outcome)) return tl::unexpected<Error>(removing.why_left(item.entry, outcome));
  forget(item.entry.number);
  return {};
}

// The server may have chosen a name, so the object is found by its label.
Result<void> JournaledSession::remove_unnamed(const Item& item) {
  Remover removing = remover();
  if (!item.entry.marked || item.prefix.empty()) {
    return tl::unexpected<Error>(removing.why_left(item.entry, Removing::Outcome::uncertain));
  }
  const auto found = removing.labelled(item.entry.path);
  if (!found) return tl::unexpected<Error>(found.error());
  for (const Labelled& each : *found) {
    // Other sessions of the run use the same collection; only the prefix is this item's.
    if (!each.entry.path.substr(item.entry.path.size() + 1).starts_with(item.prefix)) continue;
    const Removing::Outcome outcome = removing.remove(each.entry, false, [] { return false; });
    if (!is_settled(outcome)) return tl::unexpected<Error>(removing.why_left(each.entry, outcome));
  }
  forget(item.entry.number);
  return {};
}

Result<void> JournaledSession::remove(const std::string& path) {
  if (!is_object_path(path)) {
    return unreachable_error(path, "not deleted: that is no single object", "delete by hand what is yours of it");
  }
  if (const Item* item = made_item(path)) return remove(Item(*item));
  Remover removing = remover();
  LedgerEntry entry;
  entry.path = path;
  const Removing::Outcome outcome = removing.remove(entry, false, [] { return false; });
  if (outcome == Removing::Outcome::gone) return {};
  return tl::unexpected<Error>(removing.why_left(entry, outcome));
}

std::vector<Error> JournaledSession::clean_up() {
  std::vector<Error> errors;
  const std::vector<Item> all(items_.rbegin(), items_.rend());
  for (const Item& item : all) {
    const bool named = is_object_path(item.entry.path);
    if (Result<void> removed = named ? remove(item) : remove_unnamed(item); !removed) errors.push_back(removed.error());
  }
  return errors;
}

}  // namespace nodebound::journal
