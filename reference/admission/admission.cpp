#include "reference/admission/admission.h"

namespace nodebound {

std::string_view to_string(Operation operation) {
  switch (operation) {
    case Operation::create:
      return "CREATE";
    case Operation::update:
      return "UPDATE";
    case Operation::remove:
      return "DELETE";
    case Operation::connect:
      return "CONNECT";
  }
  return "";
}

Admission refuse(const RuleSet& rules, Rule rule, std::initializer_list<TextArgument> arguments) {
  if (!rules.in_force(rule)) return std::nullopt;
  return Refusal{rule, rules.catalogue()[rule].status, rules.refusal(rule).render(arguments)};
}

}  // namespace nodebound
