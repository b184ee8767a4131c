#include "harness/explain/question.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "fakes/wire/resources/api_catalogue.h"
#include "harness/scenario/request_text.h"
#include "reference/identity/node_identity.h"

namespace nodebound::explain {
namespace {

constexpr const char* request_place = "request";

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> methods = {{{"get", "GET"},
                                                                                   {"list", "GET"},
                                                                                   {"watch", "GET"},
                                                                                   {"create", "POST"},
                                                                                   {"update", "PUT"},
                                                                                   {"patch", "PATCH"},
                                                                                   {"apply", "PATCH"},
                                                                                   {"delete", "DELETE"},
                                                                                   {"deletecollection", "DELETE"}}};

bool takes_body(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

Result<std::string> method_of(const RequestText& request) {
  if (!request.resource_request) {
    std::string method = request.verb;
    std::transform(method.begin(), method.end(), method.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    for (const char* known : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}) {
      if (method == known) return method;
    }
    return input_error(request_place, "unknown verb \"" + request.verb + "\" for a path",
                       "expected get, head, post, put, patch or delete");
  }
  if (Result<void> known = check_verb(request); !known) {
    return input_error(request_place, known.error().what, known.error().hint);
  }
  for (const auto& [verb, method] : methods) {
    if (request.verb == verb) return std::string(method);
  }
  return std::string();
}

// Otherwise a server would read another request: it derives the verb from the method and the name.
Result<void> check_name(const RequestText& request) {
  const auto is = [&](std::initializer_list<std::string_view> any) {
    return std::find(any.begin(), any.end(), request.verb) != any.end();
  };
  if (!request.resource_request || request.only_reviewed()) return {};
  if (!request.name.empty() && is({"list", "watch", "deletecollection"})) {
    return input_error(request_place, request.verb + " is for a collection, and takes no name",
                       "select one object with --field-selector metadata.name=" + request.name);
  }
  if (request.name.empty() && is({"update", "patch", "apply", "delete"})) {
    return input_error(request_place, request.verb + " needs a name", "give it as " + request.resource + "/NAME");
  }
  if (request.namespaced && request.namespace_.empty() && !request.name.empty()) {
    return input_error(request_place, "one object cannot be named in all namespaces", "give -n, or no name");
  }
  return {};
}

Result<RequestText> read_request(const QuestionText& asked, const std::string& default_in) {
  std::vector<std::string> words = asked.words;
  if (words.size() < 2) {
    return input_error(request_place, "expected a verb and a target", "give them as in: get secrets/db");
  }
  if (words.size() > 2) {
    return input_error(request_place, "unexpected \"" + words[2] + "\"",
                       "give one verb and one target, as in: get secrets/db");
  }
  if (asked.all_namespaces) words.emplace_back("-A");
  for (const auto& [flag, value] :
       {std::pair("-n", asked.namespace_), std::pair("-l", asked.label_selector),
        std::pair("--field-selector", asked.field_selector), std::pair("--subresource", asked.subresource)}) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  }
  Result<RequestText> request = parse_request(words, default_in);
  if (!request) return input_error(request_place, request.error().what, request.error().hint);
  // In scenarios `=name` marks a name that is kept as it is. Here all names are.
  if (request->name.starts_with('=')) request->name = percent_decoded(request->name.substr(1), false);
  // As in kubectl, a namespace has no effect on cluster-scoped resources.
  const bool known = !request->kind.empty() || request->only_reviewed();
  if (!request->namespaced && known) request->namespace_.clear();
  if (const Result<void> fits = check_name(*request); !fits) return tl::unexpected<Error>(fits.error());
  return request;
}

std::string target_of(const RequestText& request) {
  if (!request.resource_request) return request.path;
  std::string target = (request.group.empty() ? "/api/" : "/apis/" + request.group + "/") + request.version;
  if (!request.namespace_.empty()) target += "/namespaces/" + percent_encoded(request.namespace_);
  target += "/" + request.resource;
  const bool at_collection = request.verb == "create" && request.subresource.empty();
  if (!request.name.empty() && !at_collection) target += "/" + percent_encoded(request.name);
  if (!request.subresource.empty()) target += "/" + request.subresource;
  std::string query;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) query += (query.empty() ? "?" : "&") + std::string(name) + "=" + percent_encoded(value);
  };
  if (request.verb == "watch") add("watch", "true");
  add("fieldSelector", request.field_selector);
  add("labelSelector", request.label_selector);
  return target + query;
}

// The attributes that a SubjectAccessReview of it has.
Attributes reviewed_attributes(const RequestText& request) {
  Attributes out;
  out.resource_request = true;
  out.verb = request.verb;
  out.api_group = request.group;
  out.api_version = request.version;
  out.resource = request.resource;
  out.subresource = request.subresource;
  out.namespace_ = request.namespace_;
  out.name = request.name;
  return out;
}

Result<void> agree(Object& body, const char* field, const std::string& of_request, const std::string& file) {
  if (of_request.empty()) return {};
  const std::string own(text(body, "metadata", field));
  if (own.empty()) body["metadata"][field] = of_request;
  if (own.empty() || own == of_request) return {};
  return input_error(
      file, std::string("metadata.") + field + " is \"" + own + "\", but the request is for \"" + of_request + "\"");
}

// Fills in the body from the request, as the API server does.
Result<void> complete(Object& body, const RequestText& request, const std::string& file) {
  for (const char* field : {"metadata", "spec"}) {
    const Object& part = member(body, field);
    if (!part.is_null() && !part.is_object()) return input_error(file, std::string(field) + " is no mapping");
  }
  const bool of_subresource = !request.subresource.empty() && request.verb == "create";
  const std::string kind(text(body, "kind"));
  if (!of_subresource && !kind.empty() && !request.kind.empty() && kind != request.kind) {
    return input_error(file, "is a " + kind + ", but the request is for " + request.resource);
  }
  if (request.verb != "create" && request.verb != "update" && request.verb != "apply") return {};
  if (request.subresource == "token") return {};
  if (Result<void> name = agree(body, "name", request.name, file); !name) return name;
  if (Result<void> in = agree(body, "namespace", request.namespace_, file); !in) return in;
  if (!of_subresource && text(body, "metadata", "name").empty() && text(body, "metadata", "generateName").empty()) {
    return input_error(file, "the object has no metadata.name");
  }
  // The old name of the field, which API servers still read.
  const std::string account(text(body, "spec", "serviceAccount"));
  const bool new_pod = request.resource == "pods" && request.subresource.empty();
  if (new_pod && !account.empty() && text(body, "spec", "serviceAccountName").empty()) {
    body["spec"]["serviceAccountName"] = account;
  }
  return {};
}

// An eviction without a body says nothing that the request does not.
Object plain_eviction(const RequestText& request) {
  return {{"apiVersion", "policy/v1"},
          {"kind", "Eviction"},
          {"metadata", {{"name", request.name}, {"namespace", request.namespace_}}}};
}

}  // namespace

Result<Subject> parse_subject(std::string_view as) {
  constexpr std::string_view service_account = "system:serviceaccount:";
  // The names that kubectl and audit logs use.
  if (as == "system:anonymous") as = "anonymous";
  if (as.starts_with(node_user_prefix)) return parse_subject("node:" + std::string(as.substr(node_user_prefix.size())));
  if (as.starts_with(service_account)) return parse_subject("user:" + std::string(as));
  if (as == "anonymous") return Subject{"system:anonymous", {"system:unauthenticated"}, "", {}};
  if (as == "admin") return Subject{"admin", {"system:masters", "system:authenticated"}, "", {}};
  const std::size_t colon = as.find(':');
  const std::string_view kind = as.substr(0, colon);
  const std::string rest(colon == std::string_view::npos ? std::string_view() : as.substr(colon + 1));
  if ((kind != "node" && kind != "user") || rest.empty() || rest.starts_with(',')) {
    return input_error("--as", "\"" + std::string(as) + "\" is no subject",
                       "expected node:NAME, user:NAME[,GROUP...], admin or anonymous; or system:node:NAME, "
                       "system:serviceaccount:NAMESPACE:NAME");
  }
  Subject subject;
  if (kind == "node") {
    subject = {std::string(node_user_prefix) + rest, {std::string(nodes_group)}, "", {}};
  } else {
    std::istringstream in(rest);
    std::getline(in, subject.name, ',');
    for (std::string group; std::getline(in, group, ',');) subject.groups.push_back(group);
  }
  if (subject.name == "system:anonymous") {
    subject.groups.emplace_back("system:unauthenticated");
    return subject;
  }
  if (subject.name.starts_with(service_account) && subject.groups.empty()) {
    const std::string of = subject.name.substr(service_account.size());
    subject.groups = {"system:serviceaccounts", "system:serviceaccounts:" + of.substr(0, of.find(':'))};
  }
  if (!subject.in_group("system:authenticated")) subject.groups.emplace_back("system:authenticated");
  return subject;
}

Result<Question> understand(const QuestionText& asked, std::optional<Object> body, const std::string& body_file) {
  Question question;
  Result<Subject> subject = parse_subject(asked.as);
  if (!subject) return tl::unexpected<Error>(subject.error());
  question.subject = std::move(*subject);
  const std::string own_namespace(body ? text(*body, "metadata", "namespace") : std::string_view());
  const Result<RequestText> request = read_request(asked, own_namespace.empty() ? "default" : own_namespace);
  if (!request) return tl::unexpected<Error>(request.error());
  const Result<std::string> method = method_of(*request);
  if (!method) return tl::unexpected<Error>(method.error());
  question.reviewed = request->only_reviewed();
  if (body && (question.reviewed || !takes_body(*method) || !request->resource_request)) {
    return input_error("--body", "a " + request->verb + " has no object", "leave --body out");
  }
  if (!body && request->verb == "create" && request->subresource == "eviction") body = plain_eviction(*request);
  if (body) {
    if (Result<void> completed = complete(*body, *request, body_file); !completed) {
      return tl::unexpected<Error>(completed.error());
    }
  }
  question.line = asked.words[0] + " " + asked.words[1];
  if (!asked.subresource.empty()) question.line += " --subresource " + asked.subresource;
  question.line += flags_of(*request, "");
  if (question.reviewed) {
    question.attributes = reviewed_attributes(*request);
  } else {
    question.method = *method;
    question.target = target_of(*request);
    question.attributes = attributes_of(question.method, question.target);
  }
  question.body = std::move(body);
  question.body_file = body_file;
  return question;
}

}  // namespace nodebound::explain
