#include "harness/certify/replaying_endpoint.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "harness/certify/record_parts.h"
#include "reports/text.h"

namespace nodebound::certify {
namespace {

constexpr std::size_t shown_columns = 200;

std::string described(const Subject& subject, const HttpRequest& request) {
  return clip(printable(request.method + " " + request.target + " as " + subject.name), shown_columns);
}

/// A part as the answers and circumstances of who asked in it. For one thread at a time.
class PartReplay final : public Circumstances {
 public:
  explicit PartReplay(const RecordPart& part) : reader_(part) {}

  Result<HttpResponse> answer(const Subject& subject, const HttpRequest& request) {
    if (std::optional<HttpResponse> plain = reader_.take_plain_exchange(subject, request)) return std::move(*plain);
    const std::string asked = described(subject, request);
    const auto line = reader_.take("ask", "asks: " + asked);
    if (!line) return not_recorded();
    if ((*line)["ask"] != record_of(subject, request)) {
      reader_.fail("holds another request than the run's: " + asked);
      return not_recorded();
    }
    const auto found = line->find("answer");
    auto answer = found == line->end() ? std::nullopt : answer_of(*found);
    if (answer) return std::move(*answer);
    reader_.fail("does not hold an answer to " + asked);
    return not_recorded();
  }

  bool decide(bool /*now*/) override {
    const auto line = reader_.take("decided", "waits for");
    if (!line) return true;
    const auto& value = (*line)["decided"];
    return !value.is_boolean() || value.get<bool>();
  }

  Result<std::string> draw(const std::function<Result<std::string>()>& /*make*/) override {
    const auto line = reader_.take("drew", "draws");
    if (!line) return not_recorded();
    if ((*line)["drew"].is_string()) return (*line)["drew"].get<std::string>();
    reader_.fail("does not hold what the run draws");
    return not_recorded();
  }

  void pause(std::chrono::milliseconds /*time*/) override {}

  [[nodiscard]] bool has_failed() const { return reader_.has_failed(); }
  std::optional<RecordProblem> finish(bool cut_short) { return reader_.finish(cut_short); }

 private:
  PartReader reader_;
};

class ReplayingSession final : public Session {
 public:
  explicit ReplayingSession(PartReplay& part) : part_(part) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    return part_.answer(subject, request);
  }

 private:
  PartReplay& part_;
};

/// What is asked of one server. Its scenarios may be asked for side by side.
class ServerReplay {
 public:
  explicit ServerReplay(const RecordOfServer& record) : record_(record), of_run_(record.of_run) {
    for (const RecordPart& part : record.scenarios) {
      if (scenarios_.try_emplace(part.scenario, part).second) continue;
      problems_.push_back({part.first_line - 1, "holds a scenario twice"});
    }
  }

  /// The server; nothing if the line is none.
  [[nodiscard]] std::optional<Result<RecordedServer>> server() const { return server_of(record_.server); }

  PartReplay& of_run() { return of_run_; }

  /// A scenario that asked nothing has no lines, and may ask nothing now.
  PartReplay& of_scenario(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return scenarios_.try_emplace(id, no_lines()).first->second;
  }

  void fail_start() { problems_.push_back({record_.line, "does not hold the server that the run starts"}); }

  [[nodiscard]] bool has_failed() const {
    return of_run_.has_failed() || std::any_of(scenarios_.begin(), scenarios_.end(),
                                               [](const auto& scenario) { return scenario.second.has_failed(); });
  }

  std::vector<RecordProblem> finish(bool cut_short) {
    std::vector<RecordProblem> out = problems_;
    const auto add = [&](std::optional<RecordProblem> problem) {
      if (problem) out.push_back(std::move(*problem));
    };
    add(of_run_.finish(cut_short));
    for (auto& [id, scenario] : scenarios_) add(scenario.finish(cut_short));
    return out;
  }

 private:
  static const RecordPart& no_lines() {
    static const RecordPart none{"", 1, ""};
    return none;
  }

  const RecordOfServer& record_;
  PartReplay of_run_;
  std::mutex mutex_;
  std::map<std::string, PartReplay> scenarios_;  ///< by id
  std::vector<RecordProblem> problems_;
};

/// The servers of a record, in the order in which a run starts them.
class ServerReplays {
 public:
  explicit ServerReplays(std::vector<RecordOfServer> record) : record_(std::move(record)) {
    for (const RecordOfServer& server : record_) servers_.emplace_back(server);
  }

  /// The next server. Call it from one thread.
  Result<std::unique_ptr<Endpoint>> start();

  std::vector<RecordProblem> finish() {
    std::vector<RecordProblem> out = problems_;
    const bool cut_short =
        std::any_of(servers_.begin(), servers_.end(), [](const ServerReplay& server) { return server.has_failed(); });
    if (started_ < record_.size() && !cut_short) {
      out.push_back({record_[started_].line, "holds more than the run asks"});
    }
    for (std::size_t i = 0; i < started_; ++i) {
      for (RecordProblem& problem : servers_[i].finish(cut_short)) out.push_back(std::move(problem));
    }
    return out;
  }

 private:
  std::vector<RecordOfServer> record_;
  std::deque<ServerReplay> servers_;  ///< of each of `record_`
  std::size_t started_ = 0;
  std::vector<RecordProblem> problems_;
};

class ReplayingEndpoint final : public Endpoint {
 public:
  ReplayingEndpoint(ServerReplays& servers, ServerReplay& replay, RecordedServer server)
      : servers_(servers), replay_(replay), server_(std::move(server)) {}

  [[nodiscard]] std::string name() const override { return server_.name; }
  [[nodiscard]] const Observation& observed() const override { return server_.observed; }
  [[nodiscard]] Capabilities capabilities() const override { return server_.can; }
  [[nodiscard]] const Subject& administrator() const override { return server_.administrator; }
  [[nodiscard]] bool decides_on_latest_state() const override { return server_.decides_on_latest_state; }
  [[nodiscard]] bool must_learn_of_writes() const override { return server_.must_learn_of_writes; }
  [[nodiscard]] bool disposable() const override { return true; }

  Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& /*settings*/) override { return servers_.start(); }

  std::unique_ptr<Session> open_session() override { return std::make_unique<ReplayingSession>(replay_.of_run()); }

  std::unique_ptr<Session> open_session_of(const std::string& scenario) override {
    return std::make_unique<ReplayingSession>(replay_.of_scenario(scenario));
  }

  Circumstances& circumstances_of(const std::string& scenario) override {
    return scenario.empty() ? replay_.of_run() : replay_.of_scenario(scenario);
  }

 private:
  ServerReplays& servers_;
  ServerReplay& replay_;
  RecordedServer server_;
};

Result<std::unique_ptr<Endpoint>> ServerReplays::start() {
  if (started_ == record_.size()) {
    problems_.push_back({0, "does not hold what the run starts"});
    return not_recorded();
  }
  ServerReplay& next = servers_[started_++];
  auto server = next.server();
  if (!server) {
    next.fail_start();
    return not_recorded();
  }
  if (!*server) return tl::unexpected<Error>(server->error());
  return std::make_unique<ReplayingEndpoint>(*this, next, std::move(**server));
}

class ReplayOfRecord final : public RecordReplay {
 public:
  ReplayOfRecord(std::vector<RecordOfServer> record, std::string where)
      : where_(std::move(where)), servers_(std::move(record)) {}

  Result<void> begin() {
    Result<std::unique_ptr<Endpoint>> first = servers_.start();
    if (!first) return input_error(where_ + ":1", "does not begin with the server that was asked");
    endpoint_ = std::move(*first);
    return {};
  }

  Endpoint& endpoint() override { return *endpoint_; }

  Result<void> finish() override { return first_of(servers_.finish(), where_); }

 private:
  std::string where_;
  ServerReplays servers_;
  std::unique_ptr<Endpoint> endpoint_;
};

}  // namespace

Result<std::unique_ptr<RecordReplay>> RecordReplay::of(std::string_view compressed, const std::string& where) {
  Result<std::vector<RecordOfServer>> record = split_record(compressed, where);
  if (!record) return tl::unexpected<Error>(record.error());
  auto out = std::make_unique<ReplayOfRecord>(std::move(*record), where);
  if (Result<void> begun = out->begin(); !begun) return tl::unexpected<Error>(begun.error());
  return out;
}

}  // namespace nodebound::certify
