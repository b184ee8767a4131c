#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound {

enum class Operation { create, update, remove, connect };

/// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
std::string_view to_string(Operation operation);

/// A write that has been authorized and is to be admitted. A patch is an update whose object is the patched one. Of
/// connections, only webhooks are asked.
struct AdmissionRequest {
  Operation operation = Operation::create;
  const Subject& subject;
  std::string group;
  std::string resource;
  std::string subresource;
  std::string namespace_;
  std::string name;          ///< of the request; empty for a create
  const Object& object;      ///< null for a delete
  const Object& old_object;  ///< null for a create
  std::string version = {};  ///< of the API that is written to

  [[nodiscard]] bool is(std::string_view of_group, std::string_view of_resource) const {
    return group == of_group && resource == of_resource;
  }
};

/// Why a write is not admitted, or not valid.
struct Refusal {
  Rule rule;
  int status;          ///< HTTP status
  std::string reason;  ///< the catalogue's text, filled in
};

/// The answer of an admission plugin: nothing, or a refusal.
using Admission = std::optional<Refusal>;

/// A refusal by `rule` with its text filled in, if the rule is in force.
Admission refuse(const RuleSet& rules, Rule rule, std::initializer_list<TextArgument> arguments);

/// When a plugin is asked. Mutating plugins run before the object is validated, in kube-apiserver's order; those that
/// change fields which others complete run late. Rules of the object's own validation are asked with the rest of it,
/// and tell all that is wrong. Validating plugins see the object as it would be stored (k8s.io/apiserver/pkg/admission,
/// MutationInterface and ValidationInterface).
enum class AdmissionPhase { mutation, late_mutation, object_validation, validation };

class AdmissionPlugin {
 public:
  virtual ~AdmissionPlugin() = default;

  /// As `--enable-admission-plugins` spells it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool runs_in(AdmissionPhase phase) const { return phase == AdmissionPhase::mutation; }
  /// Changes the object of a write before the plugin admits it, in a phase before validation.
  virtual Admission complete(const AdmissionRequest& /*request*/, Object& /*object*/) const { return std::nullopt; }
  [[nodiscard]] virtual Admission admit(const AdmissionRequest& request) const = 0;
  /// All that is wrong with a write, in the order in which kube-apiserver tells it.
  [[nodiscard]] virtual std::vector<Refusal> refusals(const AdmissionRequest& request) const {
    const Admission refusal = admit(request);
    return refusal ? std::vector{*refusal} : std::vector<Refusal>();
  }
};

}  // namespace nodebound
