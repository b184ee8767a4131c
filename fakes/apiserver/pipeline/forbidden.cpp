#include "fakes/apiserver/pipeline/forbidden.h"

#include "fakes/apiserver/status.h"
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

}  // namespace

std::string forbidden_message(const Subject& subject, const Attributes& attributes, const std::string& reason) {
  const std::string user = "User " + go_quoted(subject.name) + " cannot ";
  const std::string tail = reason.empty() ? "" : ": " + reason;
  if (!attributes.resource_request) {
    return "forbidden: " + without_html(user + attributes.verb + " path " + go_quoted(attributes.path)) + tail;
  }
  const bool is_nothing = attributes.api_group.empty() && attributes.resource.empty();
  std::string message = qualified_resource(attributes.api_group, attributes.resource);
  if (!attributes.name.empty()) message += " " + go_quoted(attributes.name);
  std::string what = user + attributes.verb + " resource " + go_quoted(attributes.full_resource()) + " in API group " +
                     go_quoted(attributes.api_group);
  what +=
      attributes.namespace_.empty() ? " at the cluster scope" : " in the namespace " + go_quoted(attributes.namespace_);
  return (is_nothing ? "" : message + " is ") + "forbidden: " + without_html(what) + tail;
}

HttpResponse forbidden(const RuleSet& rules, const Subject& subject, const Attributes& attributes,
                       const Decision& decision) {
  HttpResponse response = failure(403, "Forbidden", forbidden_message(subject, attributes, decision.reason),
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
  if (decision.rule) response.headers.try_emplace("x-nodebound-rule", rules.catalogue()[*decision.rule].id);
}

}  // namespace nodebound::apiserver
