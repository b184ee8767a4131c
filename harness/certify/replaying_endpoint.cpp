#include "harness/certify/replaying_endpoint.h"

#include <optional>

#include "harness/certify/bounded_json.h"
#include "harness/certify/exchange_line.h"
#include "harness/certify/gzip.h"
#include "harness/certify/record.h"
#include "reports/text.h"

namespace nodebound::certify {
namespace {

constexpr std::size_t shown_columns = 200;

/// The lines of a record, one after the other. After the first problem it gives no more lines.
class RecordReader {
 public:
  RecordReader(std::string_view compressed, std::string where) : where_(std::move(where)), lines_(compressed, where_) {}

  /// The next line without taking it; null at the end and after a problem.
  const RecordLine* peek() {
    if (!at_line()) return nullptr;
    if (!line_) {
      line_ = parse_bounded_object(text_);
      if (!line_) fail("is not a line of a record");
    }
    return problem_ ? nullptr : &*line_;
  }

  /// Takes the next line if it is plainly an exchange that asks this; otherwise it stays.
  std::optional<HttpResponse> take_plain_exchange(const Subject& subject, const HttpRequest& request) {
    if (!at_line()) return std::nullopt;
    std::optional<HttpResponse> out = answer_in_line(text_, subject, request);
    if (out) go_on();
    return out;
  }

  /// The next line if it has the key; otherwise that is a problem. `wanted` is what the run does at this place.
  std::optional<RecordLine> take(const char* key, const std::string& wanted) {
    const RecordLine* next = peek();
    if (next == nullptr || !next->contains(key)) {
      fail("does not hold what the run " + wanted);
      return std::nullopt;
    }
    std::optional<RecordLine> out = std::move(line_);
    go_on();
    return out;
  }

  void fail(const std::string& what) {
    if (!problem_) problem_ = input_error(where_ + ":" + std::to_string(number_), what).value();
  }

  /// The name of the scenario whose lines come next; empty if it is not the beginning of one's.
  std::string scenario() {
    const RecordLine* next = peek();
    if (next == nullptr || !next->contains("scenario") || !(*next)["scenario"].is_string()) return {};
    return (*next)["scenario"].get<std::string>();
  }

  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void go_on() {
    line_.reset();
    has_text_ = false;
  }

  // Reads a line unless there is one. False at the end and after a problem.
  bool at_line() {
    if (problem_ || has_text_ || ended_) return !problem_ && has_text_;
    Result<std::optional<std::string>> text = lines_.next();
    if (!text) {
      problem_ = text.error();
      return false;
    }
    ended_ = !*text;
    if (ended_) return false;
    ++number_;
    text_ = std::move(**text);
    has_text_ = true;
    return true;
  }

  std::string where_;
  GzipLines lines_;
  std::string text_;                ///< of the next line, if it was read
  std::optional<RecordLine> line_;  ///< what it says, if somebody has asked
  std::optional<Error> problem_;
  std::size_t number_ = 0;
  bool has_text_ = false;
  bool ended_ = false;
};

class ReplayingCircumstances final : public Circumstances {
 public:
  explicit ReplayingCircumstances(RecordReader& record) : record_(record) {}

  /// Whether there is anything of the scenario. Without, nothing was asked, and nothing may be asked.
  bool present = true;

  bool decide(bool /*now*/) override {
    if (!present) return fail();
    const auto line = record_.take("decided", "waits for");
    if (!line) return true;
    const auto& value = (*line)["decided"];
    return !value.is_boolean() || value.get<bool>();
  }

  Result<std::string> draw(const std::function<Result<std::string>()>& /*make*/) override {
    if (!present) fail();
    const auto line = present ? record_.take("drew", "draws") : std::nullopt;
    if (line && (*line)["drew"].is_string()) return (*line)["drew"].get<std::string>();
    return unreachable_error("", "the record does not hold it");
  }

  void pause(std::chrono::milliseconds /*time*/) override {}

 private:
  bool fail() {
    record_.fail("lacks what the run draws or waits for");
    return true;
  }

  RecordReader& record_;
};

std::string described(const Subject& subject, const HttpRequest& request) {
  return clip(printable(request.method + " " + request.target + " as " + subject.name), shown_columns);
}

class ReplayingSession final : public Session {
 public:
  ReplayingSession(RecordReader& record, bool present) : record_(record), present_(present) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    if (present_) {
      if (std::optional<HttpResponse> answer = record_.take_plain_exchange(subject, request)) return std::move(*answer);
    }
    const std::string asked = described(subject, request);
    if (!present_) record_.fail("does not hold what the run asks: " + asked);
    const auto line = record_.take("ask", "asks: " + asked);
    if (!line) return unreachable_error("", "the record does not hold it");
    if ((*line)["ask"] != record_of(subject, request)) {
      record_.fail("holds another request than the run's: " + asked);
      return unreachable_error("", "the record does not hold it");
    }
    const auto found = line->find("answer");
    auto answer = found == line->end() ? std::nullopt : answer_of(*found);
    if (answer) return std::move(*answer);
    record_.fail("does not hold an answer to " + asked);
    return unreachable_error("", "the record does not hold it");
  }

 private:
  RecordReader& record_;
  bool present_;
};

class ReplayingEndpoint final : public Endpoint {
 public:
  ReplayingEndpoint(RecordReader& record, RecordedServer server)
      : record_(record), server_(std::move(server)), of_run_(record), of_scenario_(record) {}

  [[nodiscard]] std::string name() const override { return server_.name; }
  [[nodiscard]] const Observation& observed() const override { return server_.observed; }
  [[nodiscard]] Capabilities capabilities() const override { return server_.can; }
  [[nodiscard]] const Subject& administrator() const override { return server_.administrator; }
  [[nodiscard]] bool decides_on_latest_state() const override { return server_.decides_on_latest_state; }
  [[nodiscard]] bool must_learn_of_writes() const override { return server_.must_learn_of_writes; }
  [[nodiscard]] bool disposable() const override { return true; }

  Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& /*settings*/) override {
    const auto line = record_.take("server", "starts");
    auto server = line ? server_of(*line) : std::nullopt;
    if (!server) {
      record_.fail("does not hold the server that the run starts");
      return unreachable_error("", "the record does not hold it");
    }
    if (!*server) return tl::unexpected<Error>(server->error());
    return std::make_unique<ReplayingEndpoint>(record_, std::move(**server));
  }

  std::unique_ptr<Session> open_session() override { return std::make_unique<ReplayingSession>(record_, true); }

  // A scenario that asked nothing has no lines.
  std::unique_ptr<Session> open_session_of(const std::string& scenario) override {
    of_scenario_.present = record_.scenario() == scenario;
    if (of_scenario_.present) record_.take("scenario", "does");
    return std::make_unique<ReplayingSession>(record_, of_scenario_.present);
  }

  Circumstances& circumstances_of(const std::string& scenario) override {
    return scenario.empty() ? of_run_ : of_scenario_;
  }

 private:
  RecordReader& record_;
  RecordedServer server_;
  ReplayingCircumstances of_run_;
  ReplayingCircumstances of_scenario_;
};

class ReplayOfRecord final : public RecordReplay {
 public:
  ReplayOfRecord(std::string_view compressed, const std::string& where) : record_(compressed, where) {}

  Result<void> begin() {
    const auto line = record_.take("server", "asks");
    auto server = line ? server_of(*line) : std::nullopt;
    if (!server || !*server) record_.fail("does not begin with the server that was asked");
    if (record_.problem()) return tl::unexpected<Error>(*record_.problem());
    endpoint_.emplace(record_, std::move(**server));
    return {};
  }

  Endpoint& endpoint() override { return *endpoint_; }

  Result<void> finish() override {
    if (record_.peek() != nullptr) record_.fail("holds more than the run asks");
    if (record_.problem()) return tl::unexpected<Error>(*record_.problem());
    return {};
  }

 private:
  RecordReader record_;
  std::optional<ReplayingEndpoint> endpoint_;
};

}  // namespace

Result<std::unique_ptr<RecordReplay>> RecordReplay::of(std::string_view compressed, const std::string& where) {
  auto out = std::make_unique<ReplayOfRecord>(compressed, where);
  if (Result<void> begun = out->begin(); !begun) return tl::unexpected<Error>(begun.error());
  return out;
}

}  // namespace nodebound::certify
