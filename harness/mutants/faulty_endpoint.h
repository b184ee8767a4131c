#pragma once

#include <memory>
#include <set>
#include <string>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/judges.h"
#include "harness/endpoint/endpoint.h"
#include "harness/mutants/faulty_judges.h"

namespace nodebound {

/// The embedded reference with judges of somebody's choice. Every session is a cluster of its own, with judges of its
/// own.
class FaultyEndpoint final : public Endpoint {
 public:
  /// Makes the judges of one server; `request` is what it answers whenever they are asked.
  using MakeJudges = std::function<std::shared_ptr<Judges>(const HttpRequest*& request)>;

  /// `rules` must outlive the endpoint.
  FaultyEndpoint(const RuleSet& rules, std::set<std::string> disabled_plugins,
                 std::shared_ptr<const ApiResources> resources, MakeJudges make_judges);

  [[nodiscard]] std::string name() const override { return "mutant"; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override;

 private:
  const RuleSet& rules_;
  std::set<std::string> disabled_plugins_;
  std::shared_ptr<const ApiResources> resources_;
  MakeJudges make_judges_;
  Subject administrator_;
  Observation observed_;
};

}  // namespace nodebound
