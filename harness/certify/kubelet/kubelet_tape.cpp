#include "harness/certify/kubelet/kubelet_tape.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "fakes/wire/http.h"
#include "harness/certify/record_parts.h"
#include "reference/encoding/ascii.h"
#include "reports/text.h"

namespace nodebound::certify {
namespace {

using Json = nlohmann::json;
using kubelet_conformance::CallerText;
using kubelet_conformance::KubeletCallers;
using kubelet_conformance::KubeletCluster;
using kubelet_conformance::KubeletPort;
using kubelet_conformance::KubeletScenario;
using kubelet_conformance::KubeletSource;
using kubelet_conformance::KubeletStartup;
using kubelet_conformance::KubeletStep;
using kubelet_conformance::KubeletUnderTest;
using kubelet_conformance::ReviewServer;

// No check looks further into an answer; logs and metrics go on.
constexpr std::size_t most_of_a_body = 4096;
// They hold tokens.
constexpr std::array<std::string_view, 2> hidden_headers = {"authorization", "sec-websocket-protocol"};

const char* name_of(KubeletPort port) {
  switch (port) {
    case KubeletPort::main:
      return "main";
    case KubeletPort::read_only:
      return "read-only";
    case KubeletPort::healthz:
      return "healthz";
  }
  return "";
}

Json outcome_of(const Result<void>& done) {
  return done ? Json(true) : Json{{"error", record_of(done.error())}};
}

/// What such an outcome was; the tape is told if it is none.
Result<void> read_outcome(KubeletTape& tape, const Json& outcome) {
  if (outcome == true) return {};
  const auto error = outcome.is_object() ? outcome.find("error") : outcome.end();
  if (outcome.is_object() && error != outcome.end()) {
    if (std::optional<Error> read = error_of(*error)) return tl::unexpected<Error>(std::move(*read));
  }
  tape.reject("does not hold what became of it");
  return not_recorded();
}

std::string read_text(KubeletTape& tape, const Json& text) {
  if (text.is_string()) return text.get<std::string>();
  tape.reject("does not hold a text");
  return "the record does not hold it";
}

class TapedClient final : public HttpClient {
 public:
  TapedClient(KubeletTape& tape, KubeletPort port, Result<std::unique_ptr<HttpClient>> live)
      : tape_(tape), port_(port), live_(std::move(live)) {}

  Result<HttpResponse> send(const HttpRequest& request) override {
    Json question = {{"port", name_of(port_)}, {"method", request.method}, {"target", request.target}};
    for (const auto& [name, value] : request.headers) {
      if (std::ranges::find(hidden_headers, in_lower_case(name)) == hidden_headers.end())
        question["headers"][name] = value;
    }
    const Json recorded = tape_.answer("ask", std::move(question), [&] { return record_of(ask(request)); });
    std::optional<Result<HttpResponse>> out = recorded.is_object() ? answer_of(recorded) : std::nullopt;
    if (out) return std::move(*out);
    tape_.reject("does not hold an answer to " + request.method + " " + request.target);
    return not_recorded();
  }

 private:
  Result<HttpResponse> ask(const HttpRequest& request) {
    if (!live_) return tl::unexpected<Error>(live_.error());
    Result<HttpResponse> out = (*live_)->send(request);
    if (!out) return out;
    if (out->stream != nullptr) out->stream->take(out->body);
    out->stream = nullptr;
    if (out->body.size() > most_of_a_body) out->body.resize(most_of_a_body);
    return out;
  }

  KubeletTape& tape_;
  KubeletPort port_;
  Result<std::unique_ptr<HttpClient>> live_;
};

/// `live` is null where a record is replayed, here and below.
class TapedKubelet final : public KubeletUnderTest {
 public:
  TapedKubelet(KubeletTape& tape, std::unique_ptr<KubeletUnderTest> live) : tape_(tape), live_(std::move(live)) {}

  // Whether a connection can be made is part of the answer to the first request over it.
  Result<std::unique_ptr<HttpClient>> connect(KubeletPort port, const Credentials& credentials) override {
    Result<std::unique_ptr<HttpClient>> client = not_recorded();
    if (live_ != nullptr) client = live_->connect(port, credentials);
    return std::make_unique<TapedClient>(tape_, port, std::move(client));
  }

  bool listens(KubeletPort port) override {
    const Json recorded = tape_.answer("listens", name_of(port), [&] { return Json(live_->listens(port)); });
    if (recorded.is_boolean()) return recorded.get<bool>();
    tape_.reject("does not say whether anybody listens");
    return false;
  }

  void wait(std::chrono::milliseconds time) override {
    if (live_ != nullptr) live_->wait(time);
  }

  Result<void> trust(const std::string& authorities) override {
    return read_outcome(tape_, tape_.answer("trust", "other", [&] { return outcome_of(live_->trust(authorities)); }));
  }

 private:
  KubeletTape& tape_;
  std::unique_ptr<KubeletUnderTest> live_;
};

class TapedSource final : public KubeletSource {
 public:
  TapedSource(std::shared_ptr<KubeletTape> tape, std::string name, GateSettings gates, KubeletSource* live)
      : tape_(std::move(tape)), name_(std::move(name)), gates_(std::move(gates)), live_(live) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] GateSettings gates() const override { return gates_; }

  // A run asks this first of each scenario.
  [[nodiscard]] std::string unsuitable(const KubeletScenario& scenario, const RuleSet& rules) const override {
    tape_->begin(scenario.id);
    return read_text(
        *tape_, tape_->answer("unsuitable", scenario.id, [&] { return Json(live_->unsuitable(scenario, rules)); }));
  }

  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override {
    const Json question = {{"config", startup.config}, {"flags", startup.flags}, {"kubeconfig", startup.kubeconfig}};
    std::unique_ptr<KubeletUnderTest> kubelet;
    const Json recorded = tape_->answer("start", question, [&] {
      auto started = live_->start(startup, rules);
      if (!started) return outcome_of(tl::unexpected<Error>(started.error()));
      kubelet = std::move(*started);
      return outcome_of({});
    });
    if (Result<void> done = read_outcome(*tape_, recorded); !done) return tl::unexpected<Error>(done.error());
    return std::make_unique<TapedKubelet>(*tape_, std::move(kubelet));
  }

 private:
  std::shared_ptr<KubeletTape> tape_;
  std::string name_;
  GateSettings gates_;
  KubeletSource* live_;
};

class TapedCluster final : public KubeletCluster {
 public:
  TapedCluster(std::shared_ptr<KubeletTape> tape, KubeletCluster* live) : tape_(std::move(tape)), live_(live) {}

  void begin(const KubeletScenario& scenario, const RuleSet& rules) override {
    if (live_ != nullptr) live_->begin(scenario, rules);
  }

  [[nodiscard]] std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const override {
    return read_text(*tape_, tape_->answer("cannot", step.name, [&] { return Json(live_->cannot(scenario, step)); }));
  }

  // Of a caller the judge takes the name alone. Credentials are no part of a record.
  Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const CallerText& who) override {
    KubeletCallers::Caller out{{}, {}, Rule::kubelet_authentication, ""};
    const Json recorded = tape_->answer("caller", to_text(who), [&] {
      auto found = live_->caller(scenario, who);
      if (!found) return outcome_of(tl::unexpected<Error>(found.error()));
      out = std::move(*found);
      return Json{{"name", out.subject.name}};
    });
    const auto name = recorded.is_object() ? recorded.find("name") : recorded.end();
    if (recorded.is_object() && name != recorded.end() && name->is_string()) {
      out.subject.name = name->get<std::string>();
      return out;
    }
    Result<void> failed = read_outcome(*tape_, recorded);
    return failed ? not_recorded() : tl::unexpected<Error>(failed.error());
  }

  Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) override {
    return read_outcome(*tape_, tape_->answer("say", step.name, [&] { return outcome_of(live_->say(caller, step)); }));
  }

  Result<void> withdraw(const KubeletCallers::Caller& caller) override {
    return read_outcome(
        *tape_, tape_->answer("withdraw", caller.subject.name, [&] { return outcome_of(live_->withdraw(caller)); }));
  }

  [[nodiscard]] std::string other_authority() const override {
    return live_ == nullptr ? std::string() : live_->other_authority();
  }

  std::optional<ReviewServer::Asked> take() override {
    const Json recorded = tape_->answer("reviews", nullptr, [&] { return reviews_of(live_->take()); });
    if (recorded == false) return std::nullopt;
    std::optional<ReviewServer::Asked> out = read_reviews(recorded);
    if (!out) tape_->reject("does not hold the reviews that were sent");
    return out;
  }

 private:
  static Json reviews_of(const std::optional<ReviewServer::Asked>& asked) {
    if (!asked) return false;
    Json mistakes = Json::array();
    for (const ReviewServer::Mistake& each : asked->mistakes) {
      mistakes.push_back({{"rule", Catalogue::built_in()[each.rule].id}, {"what", each.what}});
    }
    return {{"access", asked->access}, {"tokens", asked->tokens.size()}, {"mistakes", std::move(mistakes)}};
  }

  static std::optional<ReviewServer::Asked> read_reviews(const Json& recorded) try {
    ReviewServer::Asked out;
    out.access = recorded.at("access").get<std::vector<std::string>>();
    // As many as there were; what they were is no part of a record.
    out.tokens.resize(std::min(recorded.at("tokens").get<std::size_t>(), most_tokens));
    for (const Json& each : recorded.at("mistakes")) {
      const auto rule = Catalogue::built_in().find(each.at("rule").get<std::string>());
      if (!rule) return std::nullopt;
      out.mistakes.push_back({*rule, each.at("what").get<std::string>()});
    }
    return out;
  } catch (const Json::exception&) {
    return std::nullopt;
  }

  static constexpr std::size_t most_tokens = 1'000'000;

  std::shared_ptr<KubeletTape> tape_;
  KubeletCluster* live_;
};

class RecordingKubeletTape final : public KubeletTape {
 public:
  explicit RecordingKubeletTape(RecordWriter& record) : record_(record) {}
  ~RecordingKubeletTape() override { end_part(); }
  RecordingKubeletTape(const RecordingKubeletTape&) = delete;
  RecordingKubeletTape& operator=(const RecordingKubeletTape&) = delete;

  void begin(const std::string& scenario) override {
    const std::lock_guard lock(mutex_);
    end_part();
    scenario_ = scenario;
  }

  RecordLine answer(const char* word, RecordLine question, const std::function<RecordLine()>& live) override {
    RecordLine out = live();
    const RecordLine line = {{word, std::move(question)}, {"answer", out}};
    std::string text = line.dump(-1, ' ', false, RecordLine::error_handler_t::replace) + "\n";
    const std::lock_guard lock(mutex_);
    lines_ += text;
    return out;
  }

  void reject(const std::string& /*what*/) override {}

 private:
  void end_part() {
    record_.add(0, scenario_, lines_);
    lines_.clear();
  }

  RecordWriter& record_;
  std::mutex mutex_;
  std::string scenario_;
  std::string lines_;
};

class ReplayingKubeletTape final : public KubeletTape {
 public:
  explicit ReplayingKubeletTape(const RecordOfServer& record) {
    for (const RecordPart& part : record.scenarios) {
      if (parts_.try_emplace(part.scenario, part).second) continue;
      problems_.push_back({part.first_line - 1, "holds a scenario twice"});
    }
    if (!record.of_run.text.empty()) problems_.push_back({record.of_run.first_line, "is of no scenario"});
  }

  // A scenario that asked nothing has no lines, and may ask nothing now.
  void begin(const std::string& scenario) override {
    static const RecordPart none{"", 1, ""};
    const std::lock_guard lock(mutex_);
    now_ = &parts_.try_emplace(scenario, none).first->second;
  }

  RecordLine answer(const char* word, RecordLine question, const std::function<RecordLine()>& /*live*/) override {
    const std::lock_guard lock(mutex_);
    if (now_ == nullptr) return nullptr;
    const std::string asked = clip(
        printable(std::string(word) + " " + question.dump(-1, ' ', false, RecordLine::error_handler_t::replace)), 200);
    std::optional<RecordLine> line = now_->take(word, "asks: " + asked);
    if (!line) return nullptr;
    const auto found = line->find("answer");
    if ((*line)[word] == question && found != line->end()) return std::move(*found);
    now_->fail("holds another question than the run's: " + asked);
    return nullptr;
  }

  void reject(const std::string& what) override {
    const std::lock_guard lock(mutex_);
    if (now_ != nullptr) now_->fail(what);
  }

  std::vector<RecordProblem> finish() {
    const bool cut_short = std::ranges::any_of(parts_, [](const auto& part) { return part.second.has_failed(); });
    std::vector<RecordProblem> out = problems_;
    for (auto& [id, part] : parts_) {
      if (auto problem = part.finish(cut_short)) out.push_back(std::move(*problem));
    }
    return out;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, PartReader> parts_;  ///< by scenario
  PartReader* now_ = nullptr;
  std::vector<RecordProblem> problems_;
};

RecordedKubelets kubelets_by(const std::shared_ptr<KubeletTape>& tape, std::string name, GateSettings gates,
                             KubeletSource* kubelets, KubeletCluster* cluster) {
  return {std::make_unique<TapedSource>(tape, std::move(name), std::move(gates), kubelets),
          std::make_unique<TapedCluster>(tape, cluster)};
}

class ReplayOfKubelets final : public KubeletReplay {
 public:
  ReplayOfKubelets(std::vector<RecordOfServer> record, std::string where)
      : record_(std::move(record)),
        where_(std::move(where)),
        tape_(std::make_shared<ReplayingKubeletTape>(record_.front())) {}

  Result<void> begin() {
    if (record_.size() > 1)
      return input_error(where_ + ":" + std::to_string(record_[1].line), "asks more than one kubelet");
    try {
      const Json& kubelet = record_.front().server.at("server").at("kubelet");
      asked_ = kubelets_by(tape_, kubelet.at("name").get<std::string>(),
                           kubelet.at("feature_gates").get<GateSettings>(), nullptr, nullptr);
      return {};
    } catch (const Json::exception&) {
      return input_error(where_ + ":1", "does not begin with the kubelet that was asked");
    }
  }

  RecordedKubelets& kubelets() override { return asked_; }
  Result<void> finish() override { return first_of(tape_->finish(), where_); }

 private:
  std::vector<RecordOfServer> record_;
  std::string where_;
  std::shared_ptr<ReplayingKubeletTape> tape_;
  RecordedKubelets asked_;
};

}  // namespace

RecordedKubelets record_kubelets(KubeletSource& kubelets, KubeletCluster& cluster, RecordWriter& record) {
  record.add_server({{"server", {{"kubelet", {{"name", kubelets.name()}, {"feature_gates", kubelets.gates()}}}}}});
  return kubelets_by(std::make_shared<RecordingKubeletTape>(record), kubelets.name(), kubelets.gates(), &kubelets,
                     &cluster);
}

Result<std::unique_ptr<KubeletReplay>> KubeletReplay::of(std::string_view compressed, const std::string& where) {
  Result<std::vector<RecordOfServer>> record = split_record(compressed, where);
  if (!record) return tl::unexpected<Error>(record.error());
  auto out = std::make_unique<ReplayOfKubelets>(std::move(*record), where);
  if (Result<void> begun = out->begin(); !begun) return tl::unexpected<Error>(begun.error());
  return out;
}

}  // namespace nodebound::certify
