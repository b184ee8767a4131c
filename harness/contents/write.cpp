#include <set>
#include <utility>

#include "fakes/wire/requests.h"
#include "harness/contents/contents.h"

namespace nodebound {
namespace {

constexpr const char* owners = "ownerReferences";

/// Whether all that one map of texts asks for is in another: a null asks for the absence of a key.
bool holds_all(const Object& stored, const Object& asked) {
  if (!asked.is_object()) return true;
  for (const auto& [key, value] : asked.items()) {
    // `$patch` and its like are directives of a strategic merge patch.
    if (key.starts_with('$')) continue;
    const Object& found = member(stored, key);
    if (value.is_string() ? found != value : value.is_null() && found.is_string()) return false;
  }
  return true;
}

Object without(Object object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return object;
  for (const char* key : keys) object.erase(key);
  return object;
}

}  // namespace

WriteJudge::WriteJudge(const HttpRequest& request, bool is_dry, const ApiResources& resources,
                       SendRequest as_administrator)
    : request_(request), is_dry_(is_dry), as_administrator_(std::move(as_administrator)) {
  attributes_ = attributes_of(request.method, request.target);
  if (!is_write(request) || !attributes_.resource_request) return;
  const Route route = route_of(resources, attributes_);
  if (attributes_.name.empty() && attributes_.verb == "create") {
    attributes_.name = text(Object::parse(request.body, nullptr, false), "metadata", "name");
  }
  const bool has_object = route.outcome == Route::Outcome::found && route.resource->serves("get");
  if (!has_object || attributes_.name.empty()) return;
  resource_ = route.resource;
  subresource_ = route.subresource;
  before_ = read();
}

std::optional<Object> WriteJudge::read() const {
  const Result<HttpResponse> response =
      as_administrator_({"GET", object_path(attributes_, attributes_.name), "", "", false});
  if (!response) return std::nullopt;
  if (response->status == 404) return Object();
  Object object = Object::parse(response->body, nullptr, false);
  if (response->status != 200 || !object.is_object()) return std::nullopt;
  return object;
}

std::vector<std::string> WriteJudge::mistakes(const HttpResponse& response) {
  if (resource_ == nullptr || !before_) return {};
  const bool allowed = response.status >= 200 && response.status < 300;
  const bool refused = response.status >= 400 && response.status < 500;
  if (!allowed && !refused) return {};
  const std::optional<Object> after = read();
  if (!after) return {};
  if (allowed && !is_dry_) return mistakes_of_allowed(*after, Object::parse(response.body, nullptr, false));
  if (allowed && *after == *before_) return mistakes_of_dry(Object::parse(response.body, nullptr, false));
  if (*after == *before_) return {};
  const std::string done = before_->is_null() ? "made" : after->is_null() ? "deleted" : "changed";
  return {(allowed ? "a dry run " : "a refused request ") + done + " the object"};
}

std::vector<std::string> WriteJudge::mistakes_of_allowed(const Object& after, const Object& answered) const {
  if (request_.method == "DELETE") {
    const bool is_gone = after.is_null() || member(after, "metadata").contains("deletionTimestamp") ||
                         text(after, "metadata", "uid") != text(*before_, "metadata", "uid");
    return is_gone ? std::vector<std::string>{} : std::vector<std::string>{"the object is not deleted"};
  }
  const bool is_update = subresource_ == nullptr || subresource_->kind == resource_->kind;
  if (!is_update) return {};
  // The update that removes the last finalizer removes the object.
  if (after.is_null()) {
    const bool was_ending = member(*before_, "metadata").contains("deletionTimestamp");
    return was_ending ? std::vector<std::string>{} : std::vector<std::string>{"nothing is stored"};
  }
  if (text(answered, "kind") == resource_->kind &&
      text(answered, "metadata", "resourceVersion") == text(after, "metadata", "resourceVersion") &&
      answered != after) {
    return {"the answer is not what is stored"};
  }
  return mistakes_of_stored(after);
}

// A dry run answers with the object that it would have stored.
std::vector<std::string> WriteJudge::mistakes_of_dry(const Object& answered) const {
  const bool is_update = subresource_ == nullptr || subresource_->kind == resource_->kind;
  const bool holds_object = is_update && request_.method != "DELETE" && text(answered, "kind") == resource_->kind;
  return holds_object ? mistakes_of_stored(answered) : std::vector<std::string>{};
}

std::vector<std::string> WriteJudge::mistakes_of_stored(const Object& after) const {
  std::vector<std::string> out;
  if (subresource_ != nullptr && subresource_->name == "status") {
    const std::initializer_list<const char*> others = {"metadata", "status"};
    if (without(after, others) != without(*before_, others)) out.push_back("a write of the status changed the rest");
    for (const char* key : {"labels", "annotations", "finalizers", owners}) {
      // Old kubelets sent wrong owners with the status of pods (podStatusStrategy in
      // pkg/registry/core/pod/strategy.go).
      const bool of_pod = resource_->resource == "pods" && key == std::string_view(owners);
      const bool is_kept = subresource_->keeps_metadata || of_pod;
      const bool same = !is_kept || member(after, "metadata", key) == member(*before_, "metadata", key);
      if (!same) out.push_back("a write of the status changed the " + std::string(key));
    }
    return out;
  }
  if (subresource_ != nullptr) return out;
  const bool has_status = resource_->subresource("status") != nullptr;
  if (has_status && !before_->is_null() && member(after, "status") != member(*before_, "status")) {
    out.emplace_back("a write beside the status changed the status");
  }
  if (request_.content_type == "application/json-patch+json") return out;
  const Object asked = Object::parse(request_.body, nullptr, false);
  for (const char* key : {"labels", "annotations"}) {
    if (!holds_all(member(after, "metadata", key), member(asked, "metadata", key))) {
      out.push_back("not all " + std::string(key) + " are stored as they were sent");
    }
  }
  if (!holds_all(member(after, "data"), member(asked, "data"))) out.emplace_back("not all data are stored as sent");
  return out;
}

}  // namespace nodebound
