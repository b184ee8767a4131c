#include "harness/lint/admission_policy_lint.h"

#include <algorithm>
#include <utility>

#include "fakes/validation/kinds.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/cluster/object.h"

namespace nodebound::lint {
namespace {

// Where the node of a service account's token stands (KEP-4193).
constexpr std::string_view node_name_key = "authentication.kubernetes.io/node-name";

bool mentions_node_name(const Object& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().find(node_name_key) != std::string::npos;
  return value.is_structured() && std::any_of(value.begin(), value.end(), mentions_node_name);
}

bool sees(const Object& rules, const char* operation) {
  return std::any_of(rules.begin(), rules.end(), [&](const Object& rule) {
    const Object& all = member(rule, "operations");
    return std::any_of(all.begin(), all.end(), [&](const Object& one) { return one == "*" || one == operation; });
  });
}

/// Looks at a policy or binding that an API server stores.
class PolicyLint {
 public:
  PolicyLint(const Object& object, std::string_view text, const std::string& file)
      : spec_(member(object, "spec")), text_(text), file_(file) {}

  Remarks of_policy() && {
    if (!mentions_node_name(spec_)) return std::move(out_);
    if (nodebound::text(spec_, "failurePolicy") == "Ignore") {
      unsafe("failurePolicy",
             "a token that names no node passes this policy, because an expression that fails is ignored",
             "leave out failurePolicy, which then is Fail");
    }
    const Object& rules = member(spec_, "matchConstraints", "resourceRules");
    if (!sees(rules, "DELETE")) {
      unsafe("operations", "the policy does not look at deletions, so the account may delete what is of another node",
             "add the operation DELETE, and look at oldObject where object is null");
    }
    return std::move(out_);
  }

  Remarks of_binding() && {
    const Object& actions = member(spec_, "validationActions");
    if (std::find(actions.begin(), actions.end(), "Deny") == actions.end()) {
      unsafe("validationActions", "what the policy finds is told, and nothing is refused", "add the action Deny");
    }
    const Object& missing = member(spec_, "paramRef", "parameterNotFoundAction");
    if (missing == "Allow") {
      unsafe("parameterNotFoundAction", "where the parameters are missing, everything passes", "set it to Deny");
    }
    return std::move(out_);
  }

 private:
  void unsafe(std::string_view word, std::string what, std::string advice) {
    out_.push_back({Remark::Kind::unsafe, place_of(word, text_, file_), std::move(what), std::move(advice)});
  }

  const Object& spec_;
  std::string_view text_;
  const std::string& file_;
  Remarks out_;
};

// The line of the value that a mistake is about, if it has one of its own; otherwise that of the field.
std::string place_of_mistake(const validation::FieldMistake& mistake, std::string_view text, const std::string& file) {
  if (mistake.value && mistake.value->is_string()) {
    const std::string& value = mistake.value->get_ref<const std::string&>();
    const std::string first_line = value.substr(0, value.find('\n'));
    if (!first_line.empty() && text.find(first_line) != std::string_view::npos) return place_of(first_line, text, file);
  }
  const std::size_t dot = mistake.field.rfind('.');
  const std::string last = mistake.field.substr(dot == std::string::npos ? 0 : dot + 1);
  return place_of(last.substr(0, last.find('[')) + ":", text, file);
}

}  // namespace

Remarks lint_admission_policy(std::string_view text, const std::string& file, const Release& release) {
  const auto read = read_yaml(text);
  if (!read) return {{Remark::Kind::refused, file, read.error(), ""}};
  const bool binding = nodebound::text(*read, "kind") == "ValidatingAdmissionPolicyBinding";
  const auto wrong = binding ? validation::wrong_admission_policy_binding : validation::wrong_admission_policy;
  Remarks out;
  for (const validation::FieldMistake& mistake : wrong(*read, release)) {
    // What this program does not evaluate, an API server may.
    const bool unknown = mistake.why.starts_with("this server does not evaluate it");
    out.push_back({unknown ? Remark::Kind::unknown : Remark::Kind::refused, place_of_mistake(mistake, text, file),
                   mistake.field + ": " + message_of(mistake, release), ""});
  }
  if (!out.empty()) return out;
  PolicyLint lint(*read, text, file);
  return binding ? std::move(lint).of_binding() : std::move(lint).of_policy();
}

}  // namespace nodebound::lint
