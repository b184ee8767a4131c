#pragma once

#include <memory>
#include <string>

#include "reference/admission/node_restriction.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/test/support.h"

namespace nodebound::test {

inline const Object nothing;
inline const std::string admitted;

/// A cluster with the nodes n1 and n2, and the plugin's answers to writes of n1.
struct World {
  explicit World(std::string_view version = "1.36.3", const GateSettings& gates = {})
      : rules(rules_of(version, gates)), cluster(rules), rbac(rules, cluster.rbac()), plugin(rules, cluster, rbac) {
    put("", "nodes", "", "n1", R"({"metadata":{"name":"n1","uid":"uid-1"}})");
    put("", "nodes", "", "n2", R"({"metadata":{"name":"n2","uid":"uid-2"}})");
  }

  void put(const char* group, const char* resource, const char* namespace_, const char* name, const std::string& json) {
    cluster.put({group, resource, namespace_, name}, Object::parse(json));
  }

  Admission admit(const AdmissionRequest& request) const { return plugin.admit(request); }
  std::string said(const AdmissionRequest& request) const {
    const Admission refusal = plugin.admit(request);
    return refusal ? refusal->reason : admitted;
  }

  std::string create(const char* group, const char* resource, const char* namespace_, const Object& object) const {
    return said({Operation::create, node, group, resource, "", namespace_, "", object, nothing});
  }
  std::string update(const char* group, const char* resource, const char* subresource, const Object& before,
                     const Object& after, const char* name = "") const {
    const std::string own(*name != 0 ? std::string_view(name) : text(before, "metadata", "name"));
    return said({Operation::update, node, group, resource, subresource, "ns", own, after, before});
  }
  std::string remove(const char* group, const char* resource, const char* namespace_, const Object& object) const {
    const std::string own(text(object, "metadata", "name"));
    return said({Operation::remove, node, group, resource, "", namespace_, own, nothing, object});
  }

  RuleSet rules;
  Cluster cluster;
  RbacAuthorizer rbac;
  NodeRestriction plugin;
  Subject node = node_named("n1");
};

inline Object changed(Object object, const char* pointer, const Object& value) {
  object[Object::json_pointer(pointer)] = value;
  return object;
}

inline Object without(Object object, const char* parent, const char* field) {
  object[Object::json_pointer(parent)].erase(field);
  return object;
}

}  // namespace nodebound::test
