#include "harness/certify/recording_endpoint.h"

#include <map>
#include <mutex>

namespace nodebound::certify {
namespace {

/// The lines of one scenario, or of the run itself, until they are complete. For one thread at a time.
class RecordingTape final : public Circumstances {
 public:
  RecordingTape(RecordWriter& record, std::size_t server, std::string scenario)
      : record_(record), server_(server), scenario_(std::move(scenario)) {}
  ~RecordingTape() override { record_.add(server_, scenario_, lines_); }
  RecordingTape(const RecordingTape&) = delete;
  RecordingTape& operator=(const RecordingTape&) = delete;

  void note(const RecordLine& line) {
    lines_ += line.dump(-1, ' ', false, RecordLine::error_handler_t::replace) + "\n";
  }

  bool decide(bool now) override {
    note({{"decided", now}});
    return now;
  }

  Result<std::string> draw(const std::function<Result<std::string>()>& make) override {
    Result<std::string> drawn = make();
    if (drawn) note({{"drew", *drawn}});
    return drawn;
  }

 private:
  RecordWriter& record_;
  std::size_t server_;
  std::string scenario_;
  std::string lines_;
};

class RecordingSession final : public Session {
 public:
  RecordingSession(std::unique_ptr<Session> session, std::shared_ptr<RecordingTape> tape)
      : session_(std::move(session)), tape_(std::move(tape)) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    Result<HttpResponse> answer = session_->send(subject, tokens_.reveal(request));
    if (answer) {
      if (answer->stream != nullptr) answer->stream->take(answer->body);
      answer->stream = nullptr;
      answer = tokens_.hide(std::move(*answer));
    }
    tape_->note({{"ask", record_of(subject, request)}, {"answer", record_of(answer)}});
    return answer;
  }

 private:
  std::unique_ptr<Session> session_;
  std::shared_ptr<RecordingTape> tape_;
  RecordedTokens tokens_;
};

class RecordingEndpoint final : public Endpoint {
 public:
  RecordingEndpoint(Endpoint& target, RecordWriter& record)
      : target_(target),
        record_(record),
        server_(record.add_server(record_of(target))),
        of_run_(std::make_shared<RecordingTape>(record_, server_, "")) {}
  RecordingEndpoint(std::unique_ptr<Endpoint> target, RecordWriter& record) : RecordingEndpoint(*target, record) {
    started_ = std::move(target);
  }

  [[nodiscard]] std::string name() const override { return target_.name(); }
  [[nodiscard]] const Observation& observed() const override { return target_.observed(); }
  [[nodiscard]] Capabilities capabilities() const override { return target_.capabilities(); }
  [[nodiscard]] const Subject& administrator() const override { return target_.administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return target_.decides_on_latest_state(); }
  [[nodiscard]] bool must_learn_of_writes() const override { return target_.must_learn_of_writes(); }
  [[nodiscard]] bool disposable() const override { return target_.disposable(); }
  [[nodiscard]] Address address() const override { return target_.address(); }
  [[nodiscard]] std::string context() const override { return target_.context(); }
  void wrap_own_requests(WrapSession wrap) override { target_.wrap_own_requests(std::move(wrap)); }

  Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& settings) override {
    Result<std::unique_ptr<Endpoint>> started = target_.start_with(settings);
    if (!started) {
      record_.add_server(record_of_failed_start(started.error()));
      return started;
    }
    return std::make_unique<RecordingEndpoint>(std::move(*started), record_);
  }

  std::unique_ptr<Session> open_session() override {
    return std::make_unique<RecordingSession>(target_.open_session(), of_run_);
  }

  std::unique_ptr<Session> open_session_of(const std::string& scenario) override {
    auto tape = std::make_shared<RecordingTape>(record_, server_, scenario);
    {
      const std::lock_guard lock(mutex_);
      tapes_[scenario] = tape;
    }
    return std::make_unique<RecordingSession>(target_.open_session_of(scenario), std::move(tape));
  }

  Circumstances& circumstances_of(const std::string& scenario) override {
    const std::lock_guard lock(mutex_);
    const auto found = tapes_.find(scenario);
    const std::shared_ptr<RecordingTape> tape = found == tapes_.end() ? nullptr : found->second.lock();
    // The session keeps the tape.
    return tape == nullptr ? *of_run_ : *tape;
  }

 private:
  std::unique_ptr<Endpoint> started_;
  Endpoint& target_;
  RecordWriter& record_;
  std::size_t server_;
  std::shared_ptr<RecordingTape> of_run_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<RecordingTape>> tapes_;
};

}  // namespace

std::unique_ptr<Endpoint> make_recording_endpoint(Endpoint& target, RecordWriter& record) {
  return std::make_unique<RecordingEndpoint>(target, record);
}

}  // namespace nodebound::certify
