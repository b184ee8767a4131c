// Admission admits no write of a node to another node's objects: see README.md here.
#include <boost/test/unit_test.hpp>
#include <set>

#include "reference/admission/node_restriction.h"
#include "reference/test/laws/history.h"

BOOST_AUTO_TEST_SUITE(laws_admission)

using namespace nodebound;
using namespace nodebound::test;

namespace {

const Object nothing;

/// A write of an object that belongs to a node, and the rule that refuses it to others.
struct Write {
  std::string name;
  Rule rule;
  Operation operation = Operation::create;
  std::string group;
  std::string resource;
  std::string subresource;
  std::string namespace_;
  std::string object_name;
  Object object;
  Object old_object;
};

Object changed(Object object, int how) {
  if (how == 1) object["metadata"]["labels"]["tier"] = "x";
  if (how == 2) object["status"]["phase"] = "Failed";
  if (how == 3) object["metadata"]["annotations"]["note"] = "x";
  if (how == 4) object["metadata"]["finalizers"] = {"example.com/x"};
  return object;
}

Object named(const std::string& name) {
  return {{"metadata", {{"name", name}, {"uid", "uid-" + name}}}};
}

// Pods that are fine except for the node that they are bound to.
std::vector<Write> of_pods(const std::string& node, const std::string& asker, int how) {
  const Object pod = pod_of("p", "p-1", node, {}, "", true);
  Object owned = pod;
  owned["metadata"]["ownerReferences"] = {
      {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", asker}, {"uid", "uid-" + asker}, {"controller", true}}};
  return {
      {"create pod", Rule::pod_own_node, Operation::create, "", "pods", "", "s", "", owned, nothing},
      {"delete pod", Rule::pod_delete_own, Operation::remove, "", "pods", "", "s", "p", nothing, pod},
      {"update pod", Rule::pod_no_update, Operation::update, "", "pods", "", "s", "p", changed(pod, how), pod},
      {"pod status", Rule::pod_status_own, Operation::update, "", "pods", "status", "s", "p", changed(pod, how), pod},
      {"evict pod", Rule::pod_evict_own, Operation::create, "", "pods", "eviction", "s", "p", named("p"), nothing},
      {"bind pod", Rule::pod_subresources, Operation::create, "", "pods", "binding", "s", "p", named("p"), nothing}};
}

std::vector<Write> of_nodes(const std::string& node, int how) {
  const Object object = named(node);
  return {
      {"create node", Rule::node_own_name, Operation::create, "", "nodes", "", "", "", object, nothing},
      {"update node", Rule::node_own_name, Operation::update, "", "nodes", "", "", node, changed(object, how), object},
      {"node status", Rule::node_own_name, Operation::update, "", "nodes", "status", "", node, changed(object, how),
       object},
      {"delete node", Rule::node_own_name, Operation::remove, "", "nodes", "", "", node, nothing, object}};
}

std::vector<Write> of_leases(const std::string& node, int how) {
  const Object object = named(node);
  const std::string in = "kube-node-lease";
  const std::string group = "coordination.k8s.io";
  std::vector<Write> out = {
      {"create lease", Rule::lease_admission_name, Operation::create, group, "leases", "", in, "", object, nothing},
      {"update lease", Rule::lease_admission_name, Operation::update, group, "leases", "", in, node,
       changed(object, how), object},
      {"delete lease", Rule::lease_admission_name, Operation::remove, group, "leases", "", in, node, nothing, object}};
  const std::vector<Write> of_leases_alone = out;
  for (Write write : of_leases_alone) {
    write.group = "storage.k8s.io";
    write.resource = "csinodes";
    write.namespace_.clear();
    write.rule = Rule::csinode_admission_name;
    write.name = "csinode of " + write.name;
    out.push_back(std::move(write));
  }
  return out;
}

std::vector<Write> of_slices(const std::string& node) {
  Object slice = named("s");
  slice["spec"] = {{"nodeName", node}, {"driver", "d"}};
  slice["nodeName"] = node;
  Object request = named("r");
  request["spec"] = {{"nodeName", node}, {"nodeUID", "uid-" + node}};
  const std::string group = "resource.k8s.io";
  return {{"create slice", Rule::slice_admission_create, Operation::create, group, "resourceslices", "", "", "", slice,
           nothing},
          {"delete slice", Rule::slice_admission_delete, Operation::remove, group, "resourceslices", "", "", "s",
           nothing, slice},
          {"request certificate", Rule::pcr_own_node, Operation::create, "certificates.k8s.io",
           "podcertificaterequests", "", "s", "", request, nothing}};
}

std::vector<Write> writes_of_what_belongs_to(const std::string& node, const std::string& asker, int how) {
  std::vector<Write> out = of_pods(node, asker, how);
  for (const auto& more : {of_nodes(node, how), of_leases(node, how), of_slices(node)}) {
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

std::unique_ptr<Cluster> a_cluster(const RuleSet& rules, const std::string& owner) {
  const auto lives = *a_history();
  auto cluster = std::make_unique<Cluster>(rules);
  for (const Event& event : interleaved(lives, {})) arrive(*cluster, event);
  for (const char* name : nodes) cluster->put({"", "nodes", "", name}, named(name));
  // Admission looks up the pod of an eviction.
  arrive(*cluster, pod_event(pod_of("p", "p-1", owner, {}, "", true)));
  return cluster;
}

/// `rules` are the release's rules, `plugin_rules` those that the plugin uses.
void own_objects(const RuleSet& rules, const RuleSet& plugin_rules) {
  const std::size_t first = *rc::gen::inRange<std::size_t>(0, nodes.size());
  const std::string asker = nodes[first];
  const std::string owner = nodes[(first + *rc::gen::inRange<std::size_t>(1, nodes.size())) % nodes.size()];
  const auto cluster = a_cluster(plugin_rules, owner);
  const RbacAuthorizer rbac(plugin_rules, cluster->rbac());
  const NodeRestriction plugin(plugin_rules, *cluster, rbac);
  const Subject subject = node_named(asker);
  const int how = *rc::gen::inRange(0, 5);
  for (const Write& write : writes_of_what_belongs_to(owner, asker, how)) {
    if (!rules.in_force(write.rule)) continue;
    const Admission refusal = plugin.admit({write.operation, subject, write.group, write.resource, write.subresource,
                                            write.namespace_, write.object_name, write.object, write.old_object});
    if (!refusal)
      RC_LOG() << write.name << " of " << owner << " by " << asker << " at " << rules.release().version.text();
    RC_ASSERT(refusal.has_value());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(admission_never_lets_through_what_changes_another_nodes_objects) {
  const bool holds = rc::check("own_objects", [] {
    const RuleSet& rules = any_rules();
    own_objects(rules, rules);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(that_law_refutes_a_plugin_without_any_of_its_rules) {
  const RuleSet& rules = all_rules().back();
  for (const Rule rule : {Rule::pod_own_node, Rule::pod_delete_own, Rule::pod_status_own, Rule::pod_evict_own,
                          Rule::node_own_name, Rule::lease_admission_name, Rule::csinode_admission_name,
                          Rule::slice_admission_create, Rule::slice_admission_delete}) {
    const RuleSet without = rules.with_flipped(rule);
    BOOST_TEST(refuted([&] { own_objects(rules, without); }), rules.catalogue()[rule].id);
  }
}

BOOST_AUTO_TEST_CASE(each_node_is_let_at_what_is_its_own) {
  const RuleSet& rules = all_rules().back();
  Cluster cluster(rules);
  for (const char* name : nodes) cluster.put({"", "nodes", "", name}, named(name));
  arrive(cluster, pod_event(pod_of("p", "p-1", "n", {}, "", true)));
  const RbacAuthorizer rbac(rules, cluster.rbac());
  const NodeRestriction plugin(rules, cluster, rbac);
  const Subject subject = node_named("n");
  std::set<std::string> refused;
  for (const Write& write : writes_of_what_belongs_to("n", "n", 2)) {
    if (plugin.admit({write.operation, subject, write.group, write.resource, write.subresource, write.namespace_,
                      write.object_name, write.object, write.old_object})) {
      refused.insert(write.name);
    }
  }
  // Nodes may not update or bind pods at all, and the certificate's pod does not exist.
  BOOST_TEST(refused == std::set<std::string>({"update pod", "bind pod", "request certificate"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
