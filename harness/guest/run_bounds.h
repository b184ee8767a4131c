#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fakes/apiserver/http.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// What a run may send to a cluster that others use, whatever its scenarios say: reads, reviews, dry runs, new objects
/// of its own, and changes of those. It looks at requests as they are sent, so no way of writing a scenario leads
/// around it.
class RunBounds {
 public:
  /// All names that the run gives hold `run_id`. Where the target is not known to keep dry runs from having an effect,
  /// `keeps_dry_runs` is false, and they may do no more than other writes.
  RunBounds(std::string run_id, bool keeps_dry_runs) : run_id_(std::move(run_id)), keeps_dry_runs_(keeps_dry_runs) {}

  /// An error of kind `withheld`, with the reason, where the request must not be sent.
  [[nodiscard]] Result<void> allow(const HttpRequest& request) const;

  /// What came of a request that was sent: an object that it made is the run's, until it is deleted.
  void note(const HttpRequest& request, const HttpResponse& response);

 private:
  /// Whether a name of an object, namespace, user or group was given by the run.
  [[nodiscard]] bool is_own_name(std::string_view name) const;
  [[nodiscard]] bool is_own_node(std::string_view name) const;
  [[nodiscard]] bool is_own(const Attributes& target) const;
  [[nodiscard]] Result<void> allow_write(const HttpRequest& request, const Attributes& target) const;
  [[nodiscard]] Result<void> allow_new(const HttpRequest& request, const Attributes& target) const;
  [[nodiscard]] Result<void> allow_content(const HttpRequest& request, const Attributes& target) const;
  /// Why an object, or a part of one, must not be written; empty where it may be.
  [[nodiscard]] std::string fault_in(const Object& value, const Attributes& target) const;

  std::string run_id_;
  bool keeps_dry_runs_;
  std::set<std::string> made_;  ///< with names that others may use, too
};

}  // namespace nodebound
