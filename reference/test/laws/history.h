#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <rapidcheck.h>
#include <string>
#include <vector>

#include "reference/authorizer/authorizer_chain.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/cluster/cluster.h"
#include "reference/test/support.h"

namespace nodebound::test {

/// Names of nodes and objects are prefixes of each other, so that comparing only a part of a name would confuse them.
inline constexpr std::array<const char*, 3> nodes = {"n", "nn", "n.n"};
inline constexpr std::array<const char*, 3> names = {"x", "xx", "x.x"};

/// The rules at every release at which something changes, from the first with NodeRestriction's rules on pods.
inline const std::vector<RuleSet>& all_rules() {
  static const std::vector<RuleSet> all = [] {
    std::vector<RuleSet> out;
    for (const Version& version : Catalogue::built_in().turning_points()) {
      if (version >= *Version::parse("1.8")) out.push_back(rules_of(version.text()));
    }
    return out;
  }();
  return all;
}

inline const RuleSet& any_rules() {
  return all_rules()[*rc::gen::inRange<std::size_t>(0, all_rules().size())];
}

/// An event of an informer: an object's current state, or its deletion.
struct Event {
  ObjectKey key;
  std::shared_ptr<const Object> object;  ///< null: deleted

  [[nodiscard]] std::string of() const { return key.resource + "/" + key.namespace_ + "/" + key.name; }
};

inline void showValue(const Event& event, std::ostream& out) {
  out << event.of() << " " << (event.object ? event.object->dump() : "deleted");
}

inline void arrive(Cluster& cluster, const Event& event) {
  if (event.object) {
    cluster.put_shared(event.key, event.object);
  } else {
    cluster.erase(event.key);
  }
}

inline rc::Gen<std::string> a_node() {
  return rc::gen::map(rc::gen::inRange<std::size_t>(0, nodes.size()),
                      [](std::size_t i) { return std::string(nodes[i]); });
}

inline rc::Gen<std::string> a_name() {
  return rc::gen::map(rc::gen::inRange<std::size_t>(0, names.size()),
                      [](std::size_t i) { return std::string(names[i]); });
}

/// A volume that a pod's spec may have.
inline rc::Gen<Object> a_volume() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 5), a_name()), [](const std::pair<int, std::string>& drawn) {
    const auto& [kind, name] = drawn;
    Object out = {{"name", "v"}};
    if (kind == 0) out["secret"] = {{"secretName", name}};
    if (kind == 1) out["configMap"] = {{"name", name}};
    if (kind == 2) out["persistentVolumeClaim"] = {{"claimName", name}};
    if (kind == 3) out["csi"] = {{"driver", "d"}, {"nodePublishSecretRef", {{"name", name}}}};
    if (kind == 4) out["projected"] = {{"sources", {{{"secret", {{"name", name}}}}}}};
    return out;
  });
}

inline Object pod_of(const std::string& name, const std::string& uid, const std::string& node,
                     const std::vector<Object>& volumes, const std::string& account, bool mirror) {
  Object out = {{"metadata", {{"name", name}, {"namespace", "s"}, {"uid", uid}}},
                {"spec", {{"containers", {{{"name", "main"}}}}, {"serviceAccountName", account}}}};
  if (!node.empty()) out["spec"]["nodeName"] = node;
  if (!volumes.empty()) out["spec"]["volumes"] = volumes;
  if (mirror) out["metadata"]["annotations"] = {{"kubernetes.io/config.mirror", "m"}};
  return out;
}

inline Event pod_event(const Object& pod) {
  return {{"", "pods", "s", std::string(text(pod, "metadata", "name"))}, std::make_shared<const Object>(pod)};
}

/// One life of a pod: created unbound or bound, bound, changed as pods may change, deleted.
inline rc::Gen<std::vector<Event>> life_of_pod(const std::string& name, int life) {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::maybe(a_node()), rc::gen::container<std::vector<Object>>(a_volume()), a_name(),
                     rc::gen::element(false, false, false, true), rc::gen::arbitrary<bool>(), rc::gen::maybe(a_name()),
                     rc::gen::arbitrary<bool>()),
      [name, life](const auto& drawn) {
        const auto& [node, volumes, account, mirror, bound_later, late, deleted] = drawn;
        const std::string uid = name + "-" + std::to_string(life);
        std::vector<Event> out;
        const std::string bound = node ? *node : "";
        if (bound_later) out.push_back(pod_event(pod_of(name, uid, "", volumes, account, mirror)));
        Object pod = pod_of(name, uid, bound, volumes, account, mirror);
        out.push_back(pod_event(pod));
        if (late) {
          pod["spec"]["ephemeralContainers"] = {{{"name", "late"}, {"envFrom", {{{"secretRef", {{"name", *late}}}}}}}};
          out.push_back(pod_event(pod));
          pod["status"]["phase"] = "Running";
          out.push_back(pod_event(pod));
        }
        if (deleted) out.push_back({out.back().key, nullptr});
        return out;
      });
}

inline Event volume_event(const std::string& name, const std::string& claim, const std::string& secret) {
  const Object object = {
      {"metadata", {{"name", name}}},
      {"spec",
       {{"claimRef", {{"namespace", "s"}, {"name", claim}}},
        {"csi", {{"driver", "d"}, {"nodeStageSecretRef", {{"namespace", "s"}, {"name", secret}}}}}}}};
  return {{"", "persistentvolumes", "", name}, std::make_shared<const Object>(object)};
}

inline Event attachment_event(const std::string& name, const std::string& node) {
  const Object object = {{"metadata", {{"name", name}}}, {"spec", {{"nodeName", node}}}};
  return {{"storage.k8s.io", "volumeattachments", "", name}, std::make_shared<const Object>(object)};
}

/// The events of one object in order: several lives under one name.
using Lives = std::vector<Event>;

inline rc::Gen<Lives> lives_of_pod(const std::string& name) {
  return rc::gen::map(rc::gen::pair(life_of_pod(name, 1), life_of_pod(name, 2)), [](auto both) {
    Lives out = std::move(both.first);
    // A second life begins only if the first has ended.
    if (out.back().object == nullptr) out.insert(out.end(), both.second.begin(), both.second.end());
    return out;
  });
}

inline rc::Gen<Lives> lives_of_volume(const std::string& name) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(a_name(), a_name())),
      [name](const auto& bindings) {
        Lives out;
        for (const auto& [claim, secret] : bindings) {
          out.push_back(volume_event(name, claim, secret));
          if (claim == names[0]) out.push_back({out.back().key, nullptr});
        }
        return out;
      });
}

inline rc::Gen<Lives> lives_of_attachment(const std::string& name) {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(a_node()), [name](const auto& on) {
    Lives out;
    for (const std::string& node : on) {
      out.push_back(attachment_event(name, node));
      out.push_back({out.back().key, nullptr});
    }
    if (on.size() % 2 == 1) out.pop_back();
    return out;
  });
}

/// The lives of all objects of a small cluster.
inline rc::Gen<std::vector<Lives>> a_history() {
  return rc::gen::map(rc::gen::tuple(lives_of_pod("p"), lives_of_pod("pp"), lives_of_pod("p.p"), lives_of_volume("v"),
                                     lives_of_volume("vv"), lives_of_attachment("t")),
                      [](const auto& drawn) {
                        return std::apply([](const auto&... lives) { return std::vector<Lives>{lives...}; }, drawn);
                      });
}

/// An order in which the events of all objects may arrive; the events of each object keep their order.
inline std::vector<Event> interleaved(std::vector<Lives> lives, const std::vector<std::uint8_t>& choices) {
  std::vector<Event> out;
  std::vector<std::size_t> at(lives.size(), 0);
  for (std::size_t turn = 0;; ++turn) {
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < lives.size(); ++i) {
      if (at[i] < lives[i].size()) waiting.push_back(i);
    }
    if (waiting.empty()) return out;
    const std::size_t choice = choices.empty() ? 0 : choices[turn % choices.size()];
    const std::size_t chosen = waiting[choice % waiting.size()];
    out.push_back(lives[chosen][at[chosen]++]);
  }
}

/// A read that a node may ask for.
struct Question {
  std::string node;
  Attributes attributes;
};

inline void showValue(const Question& question, std::ostream& out) {
  out << question.node << ": " << question.attributes.verb << " " << question.attributes.resource << "/"
      << question.attributes.name;
}

inline Attributes reading(const char* group, const char* resource, bool namespaced, const std::string& name) {
  Attributes out;
  out.verb = "get";
  out.resource_request = true;
  out.api_group = group;
  out.api_version = "v1";
  out.resource = resource;
  out.namespace_ = namespaced ? "s" : "";
  out.name = name;
  return out;
}

/// Every read of every object by every node.
inline const std::vector<Question>& all_questions() {
  static const std::vector<Question> all = [] {
    std::vector<Question> out;
    for (const char* node : nodes) {
      for (const char* name : names) {
        for (const char* resource : {"secrets", "configmaps", "persistentvolumeclaims"}) {
          out.push_back({node, reading("", resource, true, name)});
        }
        Attributes token = reading("", "serviceaccounts", true, name);
        token.verb = "create";
        token.subresource = "token";
        out.push_back({node, token});
      }
      for (const char* pod : {"p", "pp", "p.p"}) out.push_back({node, reading("", "pods", true, pod)});
      for (const char* volume : {"v", "vv"}) out.push_back({node, reading("", "persistentvolumes", false, volume)});
      out.push_back({node, reading("storage.k8s.io", "volumeattachments", false, "t")});
    }
    return out;
  }();
  return all;
}

/// The decider under test, which says yes or no: a chain of authorizers, or something broken in its place.
using Says = std::function<bool(const Cluster& cluster, const Question& question)>;

inline Decision decision_on(const Cluster& cluster, const RuleSet& rules, const Question& question) {
  const NodeAuthorizer node(rules, cluster.graph());
  const RbacAuthorizer rbac(rules, cluster.rbac());
  return AuthorizerChain(rules, {&node, &rbac}).authorize(node_named(question.node), question.attributes);
}

inline Says as_the_reference(const RuleSet& rules) {
  return [&rules](const Cluster& cluster, const Question& question) {
    return decision_on(cluster, rules, question).allowed();
  };
}

/// Whether RapidCheck refutes the property; prints nothing. Only a few clusters may refute it, so it gets more of them
/// than a true law.
template <typename Property>
bool refuted(Property property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= 50;
  params.disableShrinking = true;
  const rc::detail::TestResult result =
      rc::detail::checkTestable(std::move(property), rc::detail::TestMetadata(), params);
  return result.is<rc::detail::FailureResult>();
}

}  // namespace nodebound::test
