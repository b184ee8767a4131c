#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound::guest {

/// What a run may send to a cluster that others use, whatever its scenarios say: reads, reviews, dry runs, new objects
/// of its own, and changes of those. It inspects requests as they are sent, so no spelling in a scenario can bypass it.
class RunBounds {
 public:
  /// All names that the run gives contain `run_id`. `keeps_dry_runs` is false if dry runs on the target may have an
  /// effect; then they are restricted like other writes.
  RunBounds(std::string run_id, bool keeps_dry_runs) : run_id_(std::move(run_id)), keeps_dry_runs_(keeps_dry_runs) {}

  /// An error of kind `withheld`, with the reason, if the request must not be sent.
  [[nodiscard]] Result<void> allow(const HttpRequest& request) const;

  /// Records the answer to a request: an object that it made belongs to the run until it is deleted.
  void note(const HttpRequest& request, const HttpResponse& response);

 private:
  /// Whether the run gave this name to an object, namespace, user or group.
  [[nodiscard]] bool is_own_name(std::string_view name) const;
  [[nodiscard]] bool is_own_node(std::string_view name) const;
  [[nodiscard]] bool is_own(const Attributes& target) const;
  [[nodiscard]] Result<void> allow_write(const HttpRequest& request, const Attributes& target) const;
  [[nodiscard]] Result<void> allow_new(const HttpRequest& request, const Attributes& target) const;
  [[nodiscard]] Result<void> allow_content(const HttpRequest& request, const Attributes& target) const;
  /// Why an object, or a part of one, must not be written; empty if it may be.
  [[nodiscard]] std::string fault_in(const Object& value, const Attributes& target) const;

  std::string run_id_;
  bool keeps_dry_runs_;
  std::set<std::string> made_;  ///< including objects with names that others may use
};

}  // namespace nodebound::guest
