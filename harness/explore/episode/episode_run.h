#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/administrator.h"
#include "harness/check/exchange.h"
#include "harness/contents/contents.h"
#include "harness/explore/episode/explored_side.h"
#include "harness/guest/run_bounds.h"

namespace nodebound::explore {

/// One episode on one side, from its first step to the clean-up.
class EpisodeRun {
 public:
  /// `barrier` is null if decisions use the latest state. Everything passed in must outlive the run.
  EpisodeRun(const ExploredSide& side, Session& session, Barrier* barrier, const Episode& episode, std::size_t world);

  Result<std::vector<Heard>> run(const std::vector<Heard>* expected, Pace pace);
  std::vector<Error> clean_up() { return administrator_.clean_up(); }
  [[nodiscard]] std::size_t requests() const { return session_.requests; }

 private:
  /// Distinguishes a missing answer from a refusal, and from a request that a guest may not send.
  class Line final : public Session {
   public:
    Line(Session& session, std::optional<guest::RunBounds> bounds) : session_(session), bounds_(std::move(bounds)) {}
    Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override;

    std::size_t requests = 0;
    std::optional<Error> broken;

   private:
    Session& session_;
    std::optional<guest::RunBounds> bounds_;
  };

  Result<void> prepare();
  void note_write(const RequestText& target);
  Heard perform(const Action& action);
  Heard ask(const Check& check, const Heard* expected, Pace pace);
  Heard ask_once(const Check& check);
  [[nodiscard]] SendRequest as_administrator();
  /// Empty if there is none.
  [[nodiscard]] std::string mistake_in(const Exchange& asked, WriteJudge& write) const;
  [[nodiscard]] std::chrono::milliseconds patience(const Check& check, const Heard& heard, const Heard* expected,
                                                   Pace pace) const;
  [[nodiscard]] bool may_be_stale(const Check& check, const Heard& heard, const Heard& expected) const;

  const ExploredSide& side_;
  Barrier* barrier_;
  Scenario scenario_;
  Names names_;
  Line session_;
  Administrator administrator_;
};

}  // namespace nodebound::explore
