#include "harness/simulate/simulate_on_binaries.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/endpoint/signals.h"
#include "harness/simulate/control_plane/binary_server.h"
#include "harness/simulate/control_plane/reference_servers.h"
#include "harness/simulate/control_plane/server_builds.h"
#include "harness/simulate/findings/expectations.h"

namespace nodebound::simulate {
namespace {

// Up to one request in this many may stay unanswered. With more, the absence of refusals proves nothing.
constexpr std::size_t most_unanswered = 100;

using Refusal = std::tuple<std::string, std::string, int>;  // who, request, status
using Refusals = std::map<Refusal, const Simulation::Finding*>;

Refusals refusals_of(const Simulation::Step& step) {
  Refusals out;
  for (const Simulation::Finding& finding : step.findings) {
    out.try_emplace({finding.who, finding.request, finding.status}, &finding);
  }
  return out;
}

std::string answer_of(const Simulation::Finding& finding) {
  const std::string out = finding.who + " is refused `" + finding.request + "` (" + std::to_string(finding.status);
  return out + "; " + finding.example + ": " + finding.reason + ")";
}

void compare_refusals(const Simulation::Step& real, const Simulation::Step& reference, const std::string& step,
                      std::vector<std::string>& out) {
  const Refusals here = refusals_of(real);
  const Refusals there = refusals_of(reference);
  for (const auto& [refusal, finding] : here) {
    const auto same = there.find(refusal);
    if (same == there.end()) {
      out.push_back(step + answer_of(*finding) + " by the builds, not by the reference");
    } else if (finding->healed.has_value() != same->second->healed.has_value()) {
      out.push_back(step + answer_of(*same->second) + ": that heals on " +
                    (finding->healed ? "the builds, not on the reference" : "the reference, not on the builds"));
    }
  }
  for (const auto& [refusal, finding] : there) {
    if (!here.contains(refusal)) out.push_back(step + answer_of(*finding) + " by the reference, not by the builds");
  }
}

void compare_health(const Simulation::Health& real, const Simulation::Health& reference, const std::string& step,
                    std::vector<std::string>& out) {
  if (real.nodes_not_ready != reference.nodes_not_ready) {
    out.push_back(step + std::to_string(real.nodes_not_ready) + " nodes are not ready on the builds, " +
                  std::to_string(reference.nodes_not_ready) + " on the reference");
  }
  const auto lost_by_one = [&](const Simulation::Health& one, const Simulation::Health& other, const char* where) {
    for (const std::string& lost : one.pods_lost) {
      const bool both = std::find(other.pods_lost.begin(), other.pods_lost.end(), lost) != other.pods_lost.end();
      if (!both) out.push_back(std::string(step).append("lost ").append(where).append(": ").append(lost));
    }
  };
  lost_by_one(real, reference, "on the builds alone");
  lost_by_one(reference, real, "on the reference alone");
}

// Hides the reference's rules, as a real server does. Otherwise a refusal that continues by another rule would count as
// new here, but not with real servers.
class SilentReference final : public PlannedServers {
 public:
  explicit SilentReference(std::unique_ptr<PlannedServers> reference) : reference_(std::move(reference)) {}

  Result<void> start(std::size_t number, const Plan::ControlPlane& control_plane) override {
    return reference_->start(number, control_plane);
  }
  HttpResponse handle(std::size_t number, const Subject& subject, const HttpRequest& request) override {
    HttpResponse response = reference_->handle(number, subject, request);
    response.headers.erase("x-nodebound-rule");
    return response;
  }
  void tick() override { reference_->tick(); }
  [[nodiscard]] bool streams() const override { return reference_->streams(); }
  [[nodiscard]] bool settles_at_once() const override { return reference_->settles_at_once(); }
  // False like the builds, so that kubelets authenticate callers in the same way.
  [[nodiscard]] bool knows_tokens() const override { return false; }

 private:
  std::unique_ptr<PlannedServers> reference_;
};

Result<Simulation> reference_of(const Plan& plan, const Catalogue& catalogue) {
  SimulatedClock clock;
  SilentReference server(make_reference_servers(catalogue, clock));
  return simulate(plan, server, clock, catalogue);
}

Result<Simulation> run_on(const std::vector<ServerBuild>& builds, const Plan& plan, const Catalogue& catalogue,
                          const SimulationProgress& progress) {
  SimulatedClock clock;
  BinaryServer server(builds, clock);
  Result<Simulation> out = simulate(plan, server, clock, catalogue, progress);
  if (interrupted()) return unreachable_error(plan.file, "interrupted before the plan came to its end");
  const Subject nobody{"system:anonymous", {"system:unauthenticated"}, "", {}};
  // Any other error is a consequence of the missing answer.
  const bool gone = server.handle(0, nobody, {"GET", "/readyz", "", ""}).status == 0;
  if (server.failure() && (gone || !out || server.unanswered() * most_unanswered > out->run.requests)) {
    return tl::unexpected<Error>(*server.failure());
  }
  if (!out) return out;
  out->target = "binaries " + versions_of(builds);
  if (server.unanswered() > 0) {
    out->notes.push_back(std::to_string(server.unanswered()) +
                         " requests had no answer, and count as none: " + server.failure()->text());
  }
  return out;
}

// Removes the rules from expectations, because a real server does not name them.
Plan without_rules(Plan plan) {
  if (!plan.expectations) return plan;
  for (Plan::Expectation& one : *plan.expectations) one.rule.clear();
  return plan;
}

}  // namespace

std::vector<std::string> differences_of(const Simulation& real, const Simulation& reference) {
  std::vector<std::string> out;
  const std::size_t count = std::min(real.steps.size(), reference.steps.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string step = "step " + std::to_string(i) + ": ";
    compare_refusals(real.steps[i], reference.steps[i], step, out);
    compare_health(real.steps[i].health, reference.steps[i].health, step, out);
  }
  if (real.steps.size() != reference.steps.size()) out.emplace_back("one of them did not come to the plan's end");
  return out;
}

void explain_by(const Simulation& reference, Simulation& real) {
  const std::size_t count = std::min(real.steps.size(), reference.steps.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Refusals known = refusals_of(reference.steps[i]);
    for (Simulation::Finding& finding : real.steps[i].findings) {
      const auto same = known.find({finding.who, finding.request, finding.status});
      if (same == known.end()) continue;
      const Simulation::Finding& explained = *same->second;
      if (finding.rule.empty()) {
        finding.rule = explained.rule;
        finding.statement = explained.statement;
        finding.sources = explained.sources;
        finding.since = explained.since;
        finding.put_off_by = explained.put_off_by;
      }
      finding.avoided_by = explained.avoided_by;
      finding.advice = explained.advice;
    }
    for (Simulation::Loss& loss : real.steps[i].losses) {
      const auto& losses = reference.steps[i].losses;
      const auto alike = std::find_if(losses.begin(), losses.end(), [&](const Simulation::Loss& other) {
        return other.what == loss.what && other.who == loss.who;
      });
      if (alike == losses.end()) continue;
      loss.avoided_by = alike->avoided_by;
      loss.advice = alike->advice;
    }
  }
}

std::vector<std::string> unexpected_of(const Plan& plan, Simulation real) {
  for (Simulation::Step& step : real.steps) {
    for (Simulation::Finding& finding : step.findings) finding.rule.clear();
  }
  return unexpected(without_rules(plan), real);
}

Result<BinarySimulation> simulate_on_binaries(const Plan& plan, const Catalogue& catalogue,
                                              const std::vector<std::string>& directories,
                                              const SimulationProgress& progress) {
  const Result<std::vector<ServerBuild>> builds = find_builds(directories);
  if (!builds) return tl::unexpected<Error>(builds.error());
  const Result<Plan> own = on_builds(plan, *builds);
  if (!own) return tl::unexpected<Error>(own.error());
  Result<Simulation> real = run_on(*builds, *own, catalogue, progress);
  if (!real) return tl::unexpected<Error>(real.error());
  const Result<Simulation> reference = reference_of(*own, catalogue);
  if (!reference) return tl::unexpected<Error>(reference.error());
  BinarySimulation out{std::move(*real), {}};
  out.differences = differences_of(out.simulation, *reference);
  // Real servers neither name rules nor allow trials, so rules and remedies come from the reference.
  const Result<Simulation> explained = simulate_on_reference(*own, catalogue);
  if (!explained) return tl::unexpected<Error>(explained.error());
  explain_by(*explained, out.simulation);
  std::vector<std::string>& notes = out.simulation.notes;
  notes.insert(notes.end(), out.differences.begin(), out.differences.end());
  if (out.differences.empty()) notes.emplace_back("The builds and the reference agree in every refusal.");
  if (breaks_something(out.simulation)) notes.emplace_back("Rules and what avoids refusals are the reference's.");
  return out;
}

}  // namespace nodebound::simulate
