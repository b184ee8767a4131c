#include "fakes/apiserver/pipeline/forbidden.h"

#include "fakes/apiserver/status.h"
#include "fakes/wire/go/go_text.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {
namespace {

// A message must not look like HTML.
std::string without_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string begin_of_refusal(const Attributes& attributes) {
  if (!attributes.resource_request || (attributes.api_group.empty() && attributes.resource.empty())) {
    return "forbidden: ";
  }
  std::string out = qualified_resource(attributes.api_group, attributes.resource);
  if (!attributes.name.empty()) out += " " + go_quoted(attributes.name);
  return out + " is forbidden: ";
}

std::string what_is_refused(const Subject& subject, const Attributes& attributes, const std::string& reason) {
  std::string out = "User " + go_quoted(subject.name) + " cannot " + attributes.verb;
  if (attributes.resource_request) {
    out += " resource " + go_quoted(attributes.full_resource()) + " in API group " + go_quoted(attributes.api_group);
    out += attributes.namespace_.empty() ? " at the cluster scope"
                                         : " in the namespace " + go_quoted(attributes.namespace_);
  } else {
    out += " path " + go_quoted(attributes.path);
  }
  return without_html(out) + (reason.empty() ? "" : ": " + reason);
}

}  // namespace

std::string forbidden_message(const Subject& subject, const Attributes& attributes, const std::string& reason) {
  return begin_of_refusal(attributes) + what_is_refused(subject, attributes, reason);
}

HttpResponse forbidden(const RuleSet& rules, const Subject& subject, const Attributes& attributes,
                       const Decision& decision) {
  std::string what = what_is_refused(subject, attributes, decision.reason);
  if (rules.release().does(Behaviour::refusals_are_formats)) what = go_formatted(what);
  HttpResponse response = failure(403, "Forbidden", begin_of_refusal(attributes) + what,
                                  status_details(attributes.api_group, attributes.resource, attributes.name));
  response.headers["x-content-type-options"] = "nosniff";
  name_rule(rules, decision, response);
  return response;
}

// apiserver's responsewriters/errors.go. The caller reads the error, not the reason.
HttpResponse undecided(std::string_view target, const std::string& error) {
  HttpResponse response;
  response.status = 500;
  response.content_type = "text/plain; charset=utf-8";
  response.headers["x-content-type-options"] = "nosniff";
  response.body = without_html("Internal Server Error: " + go_quoted(target) + ": " + error) + "\n";
  return response;
}

bool breaks_off(const Attributes& attributes) {
  return attributes.resource_request && attributes.resource.empty() && attributes.name.empty() &&
         attributes.subresource.empty();
}

HttpResponse broken_off(std::string_view target) {
  return undecided(
      target, "failed to create RequestInfo: unable to determine kind and namespace from url, " + std::string(target));
}

void name_rule(const RuleSet& rules, const Decision& decision, HttpResponse& response) {
  if (decision.rule) name_rule(rules, *decision.rule, response);
}

void name_rule(const RuleSet& rules, Rule rule, HttpResponse& response) {
  response.headers.try_emplace("x-nodebound-rule", rules.catalogue()[rule].id);
}

}  // namespace nodebound::apiserver
