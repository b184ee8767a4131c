#include "harness/guest/run_bounds.h"

#include <algorithm>
#include <array>

#include "fakes/wire/requests.h"
#include "harness/guest/unrunnable.h"

namespace nodebound::guest {
namespace {

constexpr const char* how_to_stay_within =
    "a scenario changes what it made itself; try it on --target reference or binary:DIR, which end with the run";

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Reviews: their answers inform, and store nothing.
bool is_review(const Attributes& target) {
  static constexpr std::array<std::string_view, 6> reviews = {"subjectaccessreviews",     "localsubjectaccessreviews",
                                                              "selfsubjectaccessreviews", "selfsubjectrulesreviews",
                                                              "selfsubjectreviews",       "tokenreviews"};
  return target.verb == "create" && target.subresource.empty() && is_one_of(reviews, target.resource);
}

// These subresources reach into a workload or give away its credentials, even in a dry run.
bool reaches_inside(const Attributes& target) {
  static constexpr std::array<std::string_view, 5> ways = {"proxy", "exec", "attach", "portforward", "token"};
  return is_one_of(ways, target.subresource);
}

bool is_read(const HttpRequest& request, const Attributes& target) {
  static constexpr std::array<std::string_view, 3> methods = {"GET", "HEAD", "OPTIONS"};
  static constexpr std::array<std::string_view, 3> verbs = {"get", "list", "watch"};
  // Includes the verb of old paths: /api/v1/proxy/nodes/a.
  return is_one_of(methods, request.method) && (!target.resource_request || is_one_of(verbs, target.verb));
}

// Kinds of which a cluster has one shared set. More of them would change how it treats everybody: webhooks, API
// services, priorities.
bool may_be_made_for_all(std::string_view resource) {
  static constexpr std::array<std::string_view, 14> known = {"nodes",
                                                             "namespaces",
                                                             "persistentvolumes",
                                                             "volumeattachments",
                                                             "csinodes",
                                                             "csidrivers",
                                                             "csinodeinfos",
                                                             "runtimeclasses",
                                                             "certificatesigningrequests",
                                                             "clustertrustbundles",
                                                             "resourceslices",
                                                             "clusterroles",
                                                             "clusterrolebindings",
                                                             "deviceclasses"};
  return is_one_of(known, resource);
}

std::string described(const HttpRequest& request) {
  return request.method + " " + request.target.substr(0, request.target.find('?'));
}

Result<void> not_sent(const HttpRequest& request, const std::string& why) {
  return tl::unexpected<Error>(
      Error{Error::Kind::withheld, described(request), "not sent: " + why, how_to_stay_within});
}

// A `.` or `..` segment, an empty one, or an escaped slash, dot or zero byte: a server that cleans the path would find
// another object.
bool is_ambiguous(std::string_view target) {
  const std::string path = std::string(target.substr(0, target.find('?'))) + "/";
  static constexpr std::array<std::string_view, 8> signs = {"//", "/./", "/../", "%2f", "%2F", "%2e", "%2E", "%00"};
  return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return path.find(sign) != path.npos; });
}

// The path of the target object, without subresource and query.
std::string path_of(const Attributes& target, std::string_view name) {
  std::string out = target.api_group + "/" + target.namespace_;
  return out.append("/").append(target.resource).append("/").append(name);
}

// A role binding in the run's own namespace is harmless: everything there belongs to the run.
bool may_bind_rights_to_others(const Attributes& target, bool in_own_namespace) {
  return target.resource == "clusterrolebindings" || (target.resource == "rolebindings" && !in_own_namespace);
}

}  // namespace

// The run's id must stand between the separators that Names puts around it, so that it cannot match inside a word.
bool RunBounds::is_own_name(std::string_view name) const {
  for (std::size_t at = name.find(run_id_); at != std::string_view::npos; at = name.find(run_id_, at + 1)) {
    const std::size_t end = at + run_id_.size();
    const bool begins = at > 0 && (name[at - 1] == '-' || name[at - 1] == ':');
    if (begins && end < name.size() && (name[end] == '-' || name[end] == ':')) return true;
  }
  return false;
}

// A scenario about the case of names spells out a whole `nodebound-…` name, and no such node exists.
bool RunBounds::is_own_node(std::string_view name) const {
  return is_own_name(name) || name.starts_with("nodebound-") || made_.contains("//nodes/" + std::string(name));
}

bool RunBounds::is_own(const Attributes& target) const {
  // The attributes of a Namespace have its name as name and as namespace.
  if (is_own_name(target.namespace_)) return true;
  if (target.name.empty()) return false;
  return is_own_name(target.name) || made_.contains(path_of(target, target.name));
}

Result<void> RunBounds::allow(const HttpRequest& request) const {
  const Attributes target = attributes_of(request.method, request.target);
  if (is_read(request, target)) {
    if (!reaches_inside(target) || is_own(target)) return {};
    return not_sent(request, "it leads into what others run");
  }
  if (!target.resource_request)
    return not_sent(request, "nobody knows what it changes: it is no request for a resource");
  if (is_review(target)) return {};
  if (is_dry_run(request) && !reaches_inside(target)) {
    if (keeps_dry_runs_ || is_own(target)) return {};
    return not_sent(request, "the target lets dry runs have an effect, and the run did not make what it is about");
  }
  return allow_write(request, target);
}

Result<void> RunBounds::allow_write(const HttpRequest& request, const Attributes& target) const {
  if (is_ambiguous(request.target)) return not_sent(request, "servers read such a path in different ways");
  if (target.verb == "create" && target.name.empty()) {
    if (auto may = allow_new(request, target); !may) return may;
  } else if (!is_own(target)) {
    return not_sent(request, target.name.empty() ? "it is about all objects of a kind, those of others among them"
                                                 : "the run did not make it");
  }
  return allow_content(request, target);
}

// Creating takes nothing away from others. But an object in a shared place must not act on everybody, nor have a name
// that somebody may look for.
Result<void> RunBounds::allow_new(const HttpRequest& request, const Attributes& target) const {
  if (is_own_name(target.namespace_)) return {};
  if (target.namespace_.empty()) {
    if (may_be_made_for_all(target.resource)) return {};
    return not_sent(request, target.resource + " of the whole cluster change how it treats others");
  }
  const Object body = Object::parse(request.body, nullptr, false);
  const bool named = body.is_object() && (is_own_name(text(body, "metadata", "name")) ||
                                          is_own_name(text(body, "metadata", "generateName")));
  if (named) return {};
  return not_sent(request,
                  "in the namespace " + target.namespace_ + " of others, a name of the run's own was expected");
}

Result<void> RunBounds::allow_content(const HttpRequest& request, const Attributes& target) const {
  if (request.method == "DELETE" || request.body.empty()) return {};
  const Object body = Object::parse(request.body, nullptr, false);
  if (body.is_discarded()) return not_sent(request, "what it says cannot be read: expected JSON");
  const std::string fault = fault_in(body, target);
  return fault.empty() ? Result<void>() : not_sent(request, fault);
}

std::string RunBounds::fault_in(const Object& value, const Attributes& target) const {
  if (std::string image = runnable_image(value); !image.empty()) {
    return "the image " + image + " could be run; expected one that cannot be had, like registry.invalid/none";
  }
  if (value.is_object()) {
    const std::string_view node = text(value, "nodeName");
    const bool places_a_pod = target.resource == "pods" || value.contains("containers");
    if (places_a_pod && !node.empty() && !is_own_node(node)) {
      return "the node " + std::string(node) + " was not made by the run, and would run the pod";
    }
    const std::string_view kind = text(value, "kind");
    const bool binds_a_pod = target.subresource == "binding" || target.resource == "bindings";
    if (binds_a_pod && kind == "Node" && !is_own_node(text(value, "name"))) {
      return "the node " + std::string(text(value, "name")) + " was not made by the run, and would run the pod";
    }
    const bool is_subject = kind == "User" || kind == "Group" || kind == "ServiceAccount";
    if (may_bind_rights_to_others(target, is_own_name(target.namespace_)) && is_subject &&
        !is_own_name(text(value, "name")) && !is_own_name(text(value, "namespace"))) {
      return "it would give rights to " + std::string(kind) + " " + std::string(text(value, "name")) +
             ", which is not of the run";
    }
  }
  if (!value.is_structured()) return {};
  for (const Object& each : value) {
    if (std::string fault = fault_in(each, target); !fault.empty()) return fault;
  }
  return {};
}

void RunBounds::note(const HttpRequest& request, const HttpResponse& response) {
  if (response.status >= 300 || is_dry_run(request)) return;
  const Attributes target = attributes_of(request.method, request.target);
  if (!target.resource_request || !target.subresource.empty()) return;
  if (target.verb == "create" && response.status == 201) {
    const Object made = Object::parse(response.body, nullptr, false);
    if (made.is_object()) made_.insert(path_of(target, text(made, "metadata", "name")));
  } else if (target.verb == "delete") {
    // If a finalizer delays the deletion, the answer is the whole object, and it still exists.
    const Object left = Object::parse(response.body, nullptr, false);
    const bool held = left.is_object() && !member(left, "metadata", "finalizers").empty();
    if (!held) made_.erase(path_of(target, target.name));
  }
}

}  // namespace nodebound::guest
