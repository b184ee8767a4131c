#include "harness/endpoint/webhook/webhook_script.h"

#include <algorithm>
#include <array>

namespace nodebound {
namespace {

constexpr std::array<std::string_view, 6> kind_names = {"allow",          "deny",    "no-opinion",
                                                        "allow-and-deny", "rubbish", "refusal"};

bool fits(const std::string& wanted, std::string_view found) {
  return wanted.empty() || wanted == found;
}

bool is_for(const ScriptedAnswer& answer, const Subject& subject, const Attributes& attributes) {
  return fits(answer.user, subject.name) && (answer.group.empty() || subject.in_group(answer.group)) &&
         fits(answer.verb, attributes.verb) && fits(answer.resource, attributes.resource) &&
         (answer.path.empty() || (!attributes.resource_request && answer.path == attributes.path));
}

}  // namespace

std::string_view to_string(ScriptedAnswer::Kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

std::vector<std::string> scripted_kinds() {
  return {kind_names.begin(), kind_names.end()};
}

ScriptedAnswer answer_of(const WebhookScript& script, const Subject& subject, const Attributes& attributes) {
  const auto found = std::find_if(script.begin(), script.end(),
                                  [&](const ScriptedAnswer& one) { return is_for(one, subject, attributes); });
  return found == script.end() ? ScriptedAnswer() : *found;
}

WebhookAnswer as_received(const ScriptedAnswer& answer) {
  using Kind = ScriptedAnswer::Kind;
  switch (answer.kind) {
    case Kind::allow:
      return {true, false, answer.reason, {}};
    case Kind::deny:
      return {false, true, answer.reason, {}};
    case Kind::no_opinion:
      break;
    case Kind::allow_and_deny:
      return {true, true, answer.reason, {}};
    case Kind::rubbish:
      return {false, false, {}, "the webhook's answer is no review"};
    case Kind::refusal:
      return {false, false, {}, "the webhook refused the review"};
  }
  return {false, false, answer.reason, {}};
}

}  // namespace nodebound
