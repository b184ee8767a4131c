#include "harness/explore/request_source.h"

#include <utility>

#include "fakes/wire/requests.h"
#include "harness/explore/drawn/names.h"
#include "harness/explore/drawn/pod.h"
#include "harness/explore/drawn/reading.h"
#include "harness/explore/drawn/review.h"
#include "harness/explore/drawn/subject.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::explore {
namespace {

constexpr const char* json = "application/json";

Object enveloped(const ApiResource& resource, Object object) {
  object["apiVersion"] = resource.group_version;
  object["kind"] = resource.kind;
  return object;
}

// A merge patch as a JSON patch of its first members. The test operation makes it depend on the present value.
Object as_json_patch(Chance& chance, const Object& patch) {
  Object out = Object::array();
  for (const auto& [name, value] : patch.items()) {
    for (const auto& [inner, leaf] : value.items()) {
      const std::string path = std::string("/").append(name).append("/").append(inner);
      out.push_back({{"op", chance.pick({"add", "add", "replace"})}, {"path", path}, {"value", leaf}});
    }
  }
  if (chance.one_in(4)) out.push_back({{"op", "remove"}, {"path", chance.pick({"/metadata/labels", "/spec/none"})}});
  return out;
}

}  // namespace

std::string RequestSource::Place::collection() const {
  std::string out = resource->group.empty() ? "/api/" : "/apis/" + resource->group + "/";
  out += resource->version + "/";
  if (resource->namespaced && !namespace_.empty()) out += "namespaces/" + percent_encoded(namespace_) + "/";
  return out + resource->resource;
}

std::string RequestSource::Place::object() const {
  return collection() + "/" + percent_encoded(name);
}

RequestSource::RequestSource(std::uint64_t seed, const ApiResources& resources) : chance_(seed), resources_(resources) {
  for (const DrawnKind& kind : drawn_kinds()) {
    if (resources.versions_of(kind.group, kind.resource).empty()) continue;
    kinds_.insert(kinds_.end(), kind.weight, &kind);
  }
}

std::vector<DrawnRequest> RequestSource::first() {
  std::vector<DrawnRequest> out;
  const auto make = [&](const std::string& collection, Object object) {
    out.push_back({drawn_administrator(), "POST", collection, json, std::move(object)});
  };
  for (const char* name : {"shop", "shop-2"}) {
    make("/api/v1/namespaces", {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}});
  }
  for (const char* namespace_ : {"shop", "shop-2", "kube-system", "default"}) {
    for (const char* name : {"default", "till"}) {
      make(std::string("/api/v1/namespaces/") + namespace_ + "/serviceaccounts",
           {{"apiVersion", "v1"}, {"kind", "ServiceAccount"}, {"metadata", {{"name", name}}}});
    }
  }
  for (const char* name : {"a", "b", "ab"}) {
    make("/api/v1/nodes", {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", name}}}});
  }
  for (int count = 0; count < 60; ++count)
    out.push_back(create(drawn_administrator(), drawn_place(drawn_administrator())));
  return out;
}

DrawnRequest RequestSource::next() {
  const std::size_t kind = chance_.below(100);
  if (kind < 42) return read();
  if (kind < 62) {
    DrawnRequest review = drawn_review(chance_, resources_);
    if (chance_.one_in(6)) draw_form(chance_, review);
    return review;
  }
  if (kind < 88) return write();
  if (kind < 97) return subresource();
  return elsewhere();
}

RequestSource::Place RequestSource::drawn_place(const Subject& subject) {
  const DrawnKind& kind = *chance_.pick(kinds_);
  const auto versions = resources_.versions_of(kind.group, kind.resource);
  Place out{&versions[chance_.below(versions.size())], &kind, "", ""};
  const std::string own = node_of(subject);
  out.namespace_ = kind.resource == "leases" && !chance_.one_in(3) ? "kube-node-lease" : drawn_namespace(chance_);
  const bool of_node = kind.resource == "nodes" || kind.resource == "csinodes" || kind.resource == "leases";
  if (of_node) {
    out.name = own.empty() || chance_.one_in(3) ? drawn_node(chance_) : own;
  } else if (kind.resource == "namespaces") {
    out.name = chance_.pick({"shop", "shop-2", "other", "default", "kube-system"});
  } else if (kind.resource == "serviceaccounts") {
    out.name = drawn_service_account(chance_);
  } else {
    out.name = drawn_name(chance_);
  }
  return out;
}

RequestSource::Place RequestSource::any_place(const Subject&) {
  const ApiResource& resource = chance_.pick(resources_.all());
  return {&resource, nullptr, drawn_namespace(chance_), drawn_name(chance_)};
}

RequestSource::Place RequestSource::place(const Subject& subject) {
  return chance_.one_in(8) ? any_place(subject) : drawn_place(subject);
}

DrawnRequest RequestSource::read() {
  const Subject subject = drawn_subject(chance_);
  Place where = place(subject);
  if (chance_.one_in(3)) return list(subject, where);
  if (chance_.one_in(40)) where.name = drawn_bad_name(chance_);
  DrawnRequest out{subject, "GET", where.name.empty() ? where.collection() : where.object()};
  if (where.kind != nullptr && chance_.one_in(12)) {
    out.target += "/";
    out.target += chance_.pick({"status", "scale", "log", "none", "status/x"});
  }
  if (chance_.one_in(30)) out.method = chance_.pick({"HEAD", "OPTIONS"});
  if (chance_.one_in(4)) draw_version(chance_, out);
  draw_form(chance_, out);
  return out;
}

DrawnRequest RequestSource::list(const Subject& subject, const Place& drawn) {
  Place where = drawn;
  const std::string own = node_of(subject);
  if (chance_.one_in(2)) where.namespace_.clear();
  DrawnRequest out{subject, "GET", where.collection()};
  const std::string node = own.empty() || chance_.one_in(4) ? drawn_node(chance_) : own;
  switch (chance_.below(6)) {
    case 0:
      out.target = with_parameter(std::move(out.target), "fieldSelector=metadata.name%3D" + where.name);
      break;
    case 1:
    case 2:
      out.target = with_parameter(std::move(out.target), "fieldSelector=spec.nodeName%3D" + node);
      break;
    case 3:
      out.target = with_parameter(
          std::move(out.target),
          std::string("fieldSelector=") +
              chance_.pick({"spec.nodeName%21%3Da", "spec.nodeName%3Da%2Cmetadata.name%3Dx", "status.phase%3DRunning",
                            "none%3Dx", "metadata.namespace%3Dshop", "metadata.name%3D%3Dx", "x"}));
      break;
    default:
      break;
  }
  if (chance_.one_in(5)) {
    out.target =
        with_parameter(std::move(out.target), std::string("labelSelector=") +
                                                  chance_.pick({"app%3Dweb", "app", "%21app", "app+in+%28web%2Cshop%29",
                                                                "app%21%3Dweb", "app+bad", "a%3D%3D%3Db"}));
  }
  if (chance_.one_in(6))
    out.target =
        with_parameter(std::move(out.target), std::string("limit=") + chance_.pick({"1", "2", "500", "0", "-1", "x"}));
  if (chance_.one_in(20))
    out.target = with_parameter(std::move(out.target),
                                std::string("continue=") + chance_.pick({"x", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ"}));
  draw_version(chance_, out);
  if (chance_.one_in(20))
    out.target = with_parameter(std::move(out.target),
                                std::string("resourceVersionMatch=") + chance_.pick({"Exact", "NotOlderThan", "Bad"}));
  if (chance_.one_in(5)) draw_watch(chance_, out);
  draw_form(chance_, out);
  return out;
}

void RequestSource::try_out(DrawnRequest& request) {
  if (!chance_.one_in(3)) request.target = with_parameter(std::move(request.target), "dryRun=All");
  if (chance_.one_in(60)) request.target = with_parameter(std::move(request.target), "dryRun=Some");
  if (chance_.one_in(30))
    request.target =
        with_parameter(std::move(request.target), std::string("fieldManager=") + chance_.pick({"me", "kubelet"}));
  if (chance_.one_in(12)) {
    request.target =
        with_parameter(std::move(request.target),
                       std::string("fieldValidation=") + chance_.pick({"Strict", "Strict", "Warn", "Ignore", "x"}));
  }
  if (request.body.is_object() && chance_.one_in(20)) add_unknown_field(chance_, request.body);
  draw_form(chance_, request);
}

DrawnRequest RequestSource::write() {
  const Subject subject = drawn_subject(chance_);
  const Place where = drawn_place(subject);
  const std::size_t verb = chance_.below(20);
  if (verb < 8) return create(subject, where);
  if (verb < 12) return update(subject, where);
  if (verb < 16) return patch(subject, where);
  return remove(subject, where);
}

DrawnRequest RequestSource::create(const Subject& subject, const Place& where) {
  const std::string node = node_of(subject);
  Object object = enveloped(*where.resource, where.kind->draw(chance_, node));
  draw_metadata(chance_, node, object);
  object["metadata"]["name"] = where.name;
  if (chance_.one_in(15)) {
    object["metadata"].erase("name");
    object["metadata"]["generateName"] = where.name + "-";
  }
  if (where.resource->namespaced && chance_.one_in(6)) {
    object["metadata"]["namespace"] = chance_.one_in(4) ? drawn_namespace(chance_) : where.namespace_;
  }
  if (chance_.one_in(25)) spoil(chance_, object);
  if (chance_.one_in(80)) object["kind"] = chance_.pick({"Other", "Pod", ""});
  if (chance_.one_in(80)) object["apiVersion"] = chance_.pick({"v2", "apps/v1", ""});
  DrawnRequest out{subject, "POST", where.collection(), json, std::move(object)};
  if (chance_.one_in(200)) out.raw_body = chance_.pick({"{", "[]", "7", "null", "{\"a\":}", "kind: Pod"});
  try_out(out);
  return out;
}

Object RequestSource::change(const Subject& subject, const Place& where, bool status) {
  const std::string node = node_of(subject);
  Object out = Object::object();
  if (status && where.resource->resource == "pods") {
    out["status"] = drawn_pod_status(chance_);
    return out;
  }
  if (chance_.one_in(2) || status) {
    const Object drawn = where.kind->draw(chance_, node);
    for (const auto& [name, value] : drawn.items()) {
      if (name != "metadata" && chance_.one_in(2)) out[name] = value;
    }
  }
  if (out.empty() || chance_.one_in(3)) draw_metadata(chance_, node, out);
  if (out.contains("metadata") && out["metadata"].is_null()) out.erase("metadata");
  return out;
}

DrawnRequest RequestSource::update(const Subject& subject, const Place& where) {
  const bool status = where.resource->subresource("status") != nullptr && chance_.one_in(3);
  DrawnRequest out{subject, "PUT", where.object() + (status ? "/status" : ""), json};
  if (!chance_.one_in(3)) {
    out.changed_object = where.object();
    out.body = change(subject, where, status);
    if (chance_.one_in(12)) out.body["metadata"]["resourceVersion"] = chance_.pick({"1", ""});
    if (chance_.one_in(20)) out.body["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000";
  } else {
    out.body = enveloped(*where.resource, where.kind->draw(chance_, node_of(subject)));
    draw_metadata(chance_, node_of(subject), out.body);
    out.body["metadata"]["name"] = chance_.one_in(20) ? drawn_name(chance_) : where.name;
  }
  try_out(out);
  return out;
}

DrawnRequest RequestSource::patch(const Subject& subject, const Place& where) {
  const bool status = where.resource->subresource("status") != nullptr && chance_.one_in(3);
  DrawnRequest out{subject, "PATCH", where.object() + (status ? "/status" : ""), ""};
  out.body = change(subject, where, status);
  if (chance_.one_in(6)) return apply(subject, where, out.target);
  if (chance_.one_in(3)) {
    out.content_type = "application/json-patch+json";
    out.body = as_json_patch(chance_, out.body);
  } else {
    out.content_type = chance_.pick({"application/merge-patch+json", "application/strategic-merge-patch+json"});
  }
  if (chance_.one_in(40)) out.content_type = chance_.pick({"application/json", "text/plain"});
  try_out(out);
  return out;
}

DrawnRequest RequestSource::apply(const Subject& subject, const Place& where, const std::string& target) {
  DrawnRequest out{subject, "PATCH", target, "application/apply-patch+yaml"};
  out.body = enveloped(*where.resource, change(subject, where, target.ends_with("/status")));
  out.body["metadata"]["name"] = where.name;
  out.target =
      with_parameter(std::move(out.target), std::string("fieldManager=") + chance_.pick({"me", "kubelet", "team"}));
  if (chance_.one_in(2)) out.target = with_parameter(std::move(out.target), "force=true");
  if (!chance_.one_in(3)) out.target = with_parameter(std::move(out.target), "dryRun=All");
  return out;
}

DrawnRequest RequestSource::remove(const Subject& subject, const Place& where) {
  const bool all = chance_.one_in(12);
  DrawnRequest out{subject, "DELETE", all ? where.collection() : where.object(), ""};
  Object options = {{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  const bool sent = chance_.one_in(3);
  if (sent) {
    out.content_type = json;
    if (chance_.one_in(3)) options["gracePeriodSeconds"] = chance_.pick({"0", "0", "30"})[0] == '0' ? 0 : 30;
    if (chance_.one_in(4)) options["propagationPolicy"] = chance_.pick({"Background", "Foreground", "Orphan", "Other"});
    if (chance_.one_in(4)) options["preconditions"] = {{"uid", "{uid " + where.object() + "}"}};
    if (chance_.one_in(12)) options["preconditions"] = {{"uid", "00000000-0000-0000-0000-000000000000"}};
    // Options in a body replace those of the query.
    if (!chance_.one_in(3)) options["dryRun"] = {"All"};
    out.body = options;
  } else if (!chance_.one_in(3)) {
    out.target = with_parameter(std::move(out.target), "dryRun=All");
  }
  return out;
}

DrawnRequest RequestSource::token(const Subject& subject) {
  const std::string namespace_ = drawn_namespace(chance_);
  DrawnRequest out{subject, "POST",
                   "/api/v1/namespaces/" + namespace_ + "/serviceaccounts/" + drawn_service_account(chance_) + "/token",
                   json};
  Object spec = Object::object();
  if (!chance_.one_in(3)) spec["audiences"] = {chance_.pick({"vault", "ledger", "https://kubernetes.default.svc"})};
  if (chance_.one_in(6)) spec["expirationSeconds"] = chance_.one_in(3) ? 60 : 3600;
  if (!chance_.one_in(3)) {
    const std::string pod = drawn_name(chance_);
    Object bound = {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", pod}};
    if (!chance_.one_in(4)) bound["uid"] = "{uid /api/v1/namespaces/" + namespace_ + "/pods/" + pod + "}";
    if (chance_.one_in(10)) bound["kind"] = chance_.pick({"Secret", "Node", "ConfigMap"});
    spec["boundObjectRef"] = bound;
  }
  out.body = {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "TokenRequest"}, {"spec", spec}};
  return out;
}

DrawnRequest RequestSource::of_pod(const Subject& subject, const std::string& name) {
  const std::string pod = "/api/v1/namespaces/" + drawn_namespace(chance_) + "/pods/" + name;
  DrawnRequest out{subject, "POST", pod, json};
  switch (chance_.below(4)) {
    case 0:
      out.target += "/eviction";
      out.body = {{"apiVersion", "policy/v1"}, {"kind", "Eviction"}, {"metadata", {{"name", name}}}};
      break;
    case 1:
      out.target += "/binding";
      out.body = {{"apiVersion", "v1"},
                  {"kind", "Binding"},
                  {"metadata", {{"name", name}}},
                  {"target", {{"kind", "Node"}, {"name", drawn_node(chance_)}}}};
      break;
    case 2:
      out.method = "PATCH";
      out.content_type = "application/strategic-merge-patch+json";
      out.target += "/ephemeralcontainers";
      out.body = {{"spec", {{"ephemeralContainers", {{{"name", "debug"}, {"image", "registry.invalid/none"}}}}}}};
      break;
    default:
      out.method = "PATCH";
      out.content_type = "application/strategic-merge-patch+json";
      out.target += "/resize";
      out.body = {{"spec", {{"containers", {{{"name", "main"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}}};
  }
  try_out(out);
  return out;
}

DrawnRequest RequestSource::subresource() {
  const Subject subject = drawn_subject(chance_);
  if (chance_.one_in(3)) return token(subject);
  if (chance_.one_in(2)) return of_pod(subject, drawn_name(chance_));
  // Users without rights are refused a connection here. Those with rights would reach a kubelet that does not exist.
  const Subject other = subject.in_group("system:masters") ? Subject{"ann", {"team"}, "", {}} : subject;
  std::string pod = "/api/v1/namespaces/" + drawn_namespace(chance_) + "/pods/";
  pod += drawn_name(chance_);
  const std::string node = "/api/v1/nodes/" + drawn_node(chance_);
  return {other, chance_.pick({"GET", "POST"}),
          chance_.one_in(2) ? pod + "/" + chance_.pick({"exec", "attach", "portforward", "proxy", "log"})
                            : node + "/proxy" + chance_.pick({"", "/pods", "/metrics", "/run/x"})};
}

DrawnRequest RequestSource::elsewhere() {
  const Subject subject = drawn_subject(chance_);
  const char* const path = chance_.pick({"/",
                                         "/api",
                                         "/apis",
                                         "/version",
                                         "/healthz",
                                         "/livez",
                                         "/readyz",
                                         "/metrics",
                                         "/api/v1",
                                         "/apis/apps",
                                         "/apis/apps/v1",
                                         "/apis/none",
                                         "/apis/none/v1/x",
                                         "/api/v2/pods",
                                         "/none",
                                         "/logs/",
                                         "/openapi/v2",
                                         "/api/v1/none",
                                         "/api/v1/namespaces/shop/none/x",
                                         "/healthz/ping",
                                         "/swagger.json",
                                         "/api/v1/namespaces/shop",
                                         "/api/v1/namespaces/shop/pods/x/none",
                                         "/apis/coordination.k8s.io"});
  return {subject, chance_.pick({"GET", "GET", "GET", "POST", "DELETE", "PUT"}), path};
}

}  // namespace nodebound::explore
