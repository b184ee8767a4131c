#include "harness/journal/write_request.h"

#include "fakes/wire/requests.h"
#include "harness/journal/stored_path.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::journal {
namespace {

constexpr std::string_view apply = "application/apply-patch";

// Reviews are only answered, and bindings change a pod: neither is stored.
bool is_stored(const Attributes& attributes) {
  return attributes.resource_request && !attributes.beyond && attributes.subresource.empty() &&
         attributes.api_group != "authorization.k8s.io" && attributes.api_group != "authentication.k8s.io" &&
         !(attributes.api_group.empty() && attributes.resource == "bindings");
}

bool takes_label(const Object& body) {
  if (!body.is_object()) return false;
  const auto metadata = body.find("metadata");
  if (metadata == body.end()) return true;
  if (!metadata->is_object()) return metadata->is_null();
  const auto labels = metadata->find("labels");
  return labels == metadata->end() || labels->is_object() || labels->is_null();
}

void add_names(const Object& names, std::vector<std::string>& out) {
  if (names.is_string()) out.push_back(names.get<std::string>());
  if (!names.is_array()) return;
  for (const Object& each : names) {
    if (each.is_string()) out.push_back(each.get<std::string>());
  }
}

}  // namespace

std::optional<WriteRequest> write_of(const HttpRequest& request, bool dry_runs_stick) {
  const bool post = request.method == "POST";
  const bool upsert = request.method == "PUT" || (request.method == "PATCH" && request.content_type.starts_with(apply));
  if ((!post && !upsert) || (is_dry_run(request) && !dry_runs_stick)) return std::nullopt;
  const Attributes attributes = attributes_of(request.method, request.target);
  if (!is_stored(attributes) || post != attributes.name.empty()) return std::nullopt;
  const std::string path = request.target.substr(0, request.target.find('?'));
  const Object body = Object::parse(request.body, nullptr, false);
  WriteRequest out;
  out.takes_our_label = takes_label(body);
  if (upsert) {
    out.manner = Manner::upsert;
    out.path = path;
    out.names_object = is_object_path(path);
    return out.names_object ? std::optional(out) : std::nullopt;
  }
  if (!is_collection_path(path)) return std::nullopt;
  out.path = stored_path(path, text(body, "metadata", "name"));
  out.names_object = !out.path.empty();
  if (!out.names_object) {
    out.path = path;
    out.prefix = text(body, "metadata", "generateName");
  }
  return out;
}

HttpRequest marked(const HttpRequest& request, const std::string& run) {
  HttpRequest out = request;
  Object body = Object::parse(request.body, nullptr, false);
  body["metadata"]["labels"][std::string(run_label)] = run;
  out.body = body.dump(-1, ' ', false, Object::error_handler_t::replace);
  return out;
}

std::vector<std::string> finalizers_in(const HttpRequest& request) {
  std::vector<std::string> out;
  const bool writes = request.method == "POST" || request.method == "PATCH" || request.method == "PUT";
  if (!writes || request.body.find("finalizers") == std::string::npos) return out;
  const Object body = Object::parse(request.body, nullptr, false);
  if (body.is_object()) add_names(member(body, "metadata", "finalizers"), out);
  if (!body.is_array()) return out;
  for (const Object& operation : body) {
    const std::string path(text(operation, "path"));
    if (path.starts_with("/metadata/finalizers")) add_names(member(operation, "value"), out);
    if (path == "/metadata") add_names(member(operation, "value", "finalizers"), out);
  }
  return out;
}

}  // namespace nodebound::journal
