#include "harness/explore/drawn/review.h"

#include "harness/explore/drawn/names.h"
#include "harness/explore/drawn/object.h"
#include "harness/explore/drawn/subject.h"

namespace nodebound::explore {
namespace {

Object requirement(Chance& chance, const std::string& node) {
  Object out = {{"key", chance.pick({"spec.nodeName", "spec.nodeName", "metadata.name", "app"})},
                {"operator", chance.pick({"In", "In", "In", "NotIn", "Exists", "DoesNotExist", "Gt"})}};
  const std::size_t values = chance.one_in(4) ? chance.below(3) : 1;
  for (std::size_t at = 0; at < values; ++at) {
    out["values"].push_back(chance.one_in(3) || node.empty() ? drawn_node(chance) : node);
  }
  return out;
}

Object selector(Chance& chance, const std::string& node) {
  Object out = Object::object();
  if (chance.one_in(3)) {
    out["rawSelector"] =
        chance.pick({"spec.nodeName=a", "spec.nodeName=b", "spec.nodeName==a", "spec.nodeName!=a",
                     "spec.nodeName=a,metadata.name=x", "metadata.name=x", "", "spec.nodeName", "app=x,,"});
  }
  const std::size_t count = chance.one_in(3) ? chance.below(3) : 1;
  for (std::size_t at = 0; at < count && (!out.contains("rawSelector") || chance.one_in(6)); ++at) {
    out["requirements"].push_back(requirement(chance, node));
  }
  return out;
}

Object resource_attributes(Chance& chance, const ApiResources& resources, const std::string& node) {
  Object out = {{"verb", chance.pick({"get", "get", "list", "watch", "create", "update", "patch", "delete",
                                      "deletecollection", "*", "bind", "impersonate", ""})}};
  if (chance.one_in(5)) {
    const ApiResource& any = chance.pick(resources.all());
    out["group"] = any.group;
    out["version"] = any.version;
    out["resource"] = any.resource;
  } else {
    const DrawnKind& kind = chance.pick(drawn_kinds());
    out["group"] = kind.group;
    out["resource"] = kind.resource;
  }
  if (chance.one_in(4)) {
    out["subresource"] =
        chance.pick({"status", "token", "eviction", "binding", "exec", "log", "proxy", "*", "approval"});
  }
  if (!chance.one_in(4)) out["namespace"] = drawn_namespace(chance);
  if (!chance.one_in(4)) out["name"] = chance.one_in(3) && !node.empty() ? node : drawn_name(chance);
  if (chance.one_in(4)) out["fieldSelector"] = selector(chance, node);
  if (chance.one_in(8)) out["labelSelector"] = selector(chance, node);
  return out;
}

Object attributes(Chance& chance, const ApiResources& resources, const std::string& node) {
  Object out;
  if (!chance.one_in(10)) out["resourceAttributes"] = resource_attributes(chance, resources, node);
  // To set both of them, or neither, is an error.
  if (out.is_null() ? !chance.one_in(20) : chance.one_in(40)) {
    out["nonResourceAttributes"] = {
        {"verb", chance.pick({"get", "post", "*"})},
        {"path", chance.pick({"/", "/metrics", "/metrics/x", "/healthz", "/version", "/api", "/apis/apps", "/logs"})}};
  }
  return out.is_null() ? Object::object() : out;
}

void name_user(Chance& chance, const Subject& about, Object& spec) {
  if (!chance.one_in(30)) spec["user"] = about.name;
  if (!about.groups.empty()) spec["groups"] = about.groups;
  if (chance.one_in(3)) spec["groups"].push_back("system:authenticated");
  if (chance.one_in(20)) spec["uid"] = "7";
  if (chance.one_in(10)) spec["extra"] = {{"example.com/x", {"1"}}};
}

}  // namespace

DrawnRequest drawn_review(Chance& chance, const ApiResources& resources) {
  const Subject about = drawn_subject(chance);
  DrawnRequest out{chance.one_in(6) ? drawn_subject(chance) : drawn_administrator(), "POST", "", "application/json"};
  const std::string node = node_of(about);
  Object spec = Object::object();
  const std::size_t kind = chance.below(20);
  std::string name = "subjectaccessreviews";
  if (kind < 14) {
    spec = attributes(chance, resources, node);
    name_user(chance, about, spec);
  } else if (kind < 17) {
    name = "selfsubjectaccessreviews";
    out.subject = about;
    spec = attributes(chance, resources, node);
  } else if (kind < 19) {
    name = "localsubjectaccessreviews";
    spec = attributes(chance, resources, node);
    name_user(chance, about, spec);
  } else {
    name = "selfsubjectrulesreviews";
    out.subject = about;
    spec["namespace"] = drawn_namespace(chance);
  }
  const std::string in = name.starts_with("local") ? "namespaces/" + drawn_namespace(chance) + "/" : "";
  out.target = "/apis/authorization.k8s.io/v1/" + in + name;
  const char* const kind_name = name.starts_with("local")            ? "LocalSubjectAccessReview"
                                : name == "selfsubjectaccessreviews" ? "SelfSubjectAccessReview"
                                : name == "selfsubjectrulesreviews"  ? "SelfSubjectRulesReview"
                                                                     : "SubjectAccessReview";
  out.body = {{"apiVersion", "authorization.k8s.io/v1"}, {"kind", kind_name}, {"spec", spec}};
  return out;
}

}  // namespace nodebound::explore
