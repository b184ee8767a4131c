#pragma once

#include <string>

#include "fakes/wire/http.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound::kubelet_conformance {

/// The required result of a step, in a kubelet's own words at the release.
struct KubeletExpectation {
  int status = 0;  ///< 0: any status except those of a refusal
  std::string body;
  bool exact_body = false;

  static KubeletExpectation of(const KubeletStep& step, const std::string& user, const RuleSet& rules);

  /// `it reaches the path`, `HTTP 401`
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool met_by(const HttpResponse& response) const;
};

/// Whether authentication and authorization let the request pass.
bool was_let_through(const HttpResponse& response);

}  // namespace nodebound::kubelet_conformance
