#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/engine.h"
#include "harness/check/exchange.h"

namespace nodebound {

/// A scenario's check, asked in one way.
class ProbeQuestion final : public CheckQuestion {
 public:
  /// What a scenario's questions share. All that it refers to must outlive them.
  struct World {
    Setting setting;
    const RuleSet& rules;
    const ApiResources& resources;  ///< of the release
    ReadJudge& reads;
    /// Set once the target does not answer /livez either: nothing more is asked of it.
    std::atomic<bool>& target_gone;
    /// Whether the administrator makes what the scenario says.
    bool makes_objects = true;
    /// Whether nobody else changes the target.
    bool has_target_to_itself = false;
  };

  /// `made` says whether all objects that the check is about are there; `not_asked` why it is not asked, or nothing;
  /// `doubt` why a refusal proves nothing.
  ProbeQuestion(const World& world, const Check& check, const Probe& probe, bool made, std::string not_asked,
                std::optional<Error> doubt = std::nullopt)
      : world_(world),
        check_(check),
        probe_(probe),
        made_(made),
        not_asked_(std::move(not_asked)),
        doubt_(std::move(doubt)) {}

  [[nodiscard]] std::vector<Capability> needs() const override;
  [[nodiscard]] std::string not_asked() const override { return not_asked_; }
  Judgement ask(CheckResult& result) override;
  [[nodiscard]] std::chrono::milliseconds patience(const Judgement& judgement) const override;
  [[nodiscard]] const Deviation* known_defect() const override;

 private:
  void note(const Exchange& exchange, CheckResult& result) const;
  Judgement broken(Reason reason) const;
  [[nodiscard]] Expectation expectation_for(const Subject& subject) const;
  [[nodiscard]] Result<ContentMistakes> mistakes_of_read(Exchange& exchange) const;
  /// Whether nobody else changes what the check writes.
  [[nodiscard]] bool is_alone() const;
  [[nodiscard]] const Subject& administrator() const;
  [[nodiscard]] SendRequest as(const Subject& subject) const;
  [[nodiscard]] std::string lasting(std::string text) const;

  const World& world_;
  const Check& check_;
  const Probe& probe_;
  bool made_;
  std::string not_asked_;
  std::optional<Error> doubt_;
};

/// Asks whether the target still lives, and notes it if not. One request may stay unanswered.
void see_whether_target_lives(const ProbeQuestion::World& world);

}  // namespace nodebound
