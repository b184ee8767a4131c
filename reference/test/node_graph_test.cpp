#include "reference/cluster/node_graph.h"

#include <boost/test/unit_test.hpp>
#include <map>
#include <rapidcheck.h>
#include <set>
#include <sstream>
#include <tuple>

BOOST_AUTO_TEST_SUITE(node_graph)

using namespace nodebound;

namespace {

constexpr Rule any_rule = Rule::edge_secret_volume;

NodeGraph::Reference names(ObjectKind kind, std::string_view namespace_, std::string_view name) {
  return {kind, namespace_, name, any_rule};
}

struct Graph : NodeGraph {
  void pod(std::string_view name, std::string_view node, const std::vector<NodeGraph::Reference>& references = {}) {
    put_pod("ns", name, node, references);
  }
  void volume(std::string_view name, std::string_view claim, const std::vector<NodeGraph::Reference>& secrets = {}) {
    put_volume(name, "ns", claim, secrets);
  }
  bool secret(std::string_view name, std::string_view node) const {
    return leads(ObjectKind::secret, "ns", name, node);
  }
};

const std::vector<NodeGraph::Reference> secret_s = {names(ObjectKind::secret, "ns", "s")};
const std::vector<NodeGraph::Reference> claim_c = {names(ObjectKind::persistentvolumeclaim, "ns", "c")};

}  // namespace

BOOST_AUTO_TEST_SUITE(edges)

BOOST_FIXTURE_TEST_CASE(a_pod_leads_to_its_node_and_to_no_other, Graph) {
  pod("p", "n1");
  BOOST_TEST(leads(ObjectKind::pod, "ns", "p", "n1"));
  BOOST_TEST(!leads(ObjectKind::pod, "ns", "p", "n2"));
  BOOST_TEST(!leads(ObjectKind::pod, "other", "p", "n1"));
  BOOST_TEST(!leads(ObjectKind::pod, "ns", "", "n1"));
  BOOST_TEST(!leads(ObjectKind::pod, "ns", "p", ""));
}

BOOST_FIXTURE_TEST_CASE(whatever_a_pod_names_leads_to_its_node, Graph) {
  for (const ObjectKind kind : {ObjectKind::secret, ObjectKind::configmap, ObjectKind::persistentvolumeclaim,
                                ObjectKind::serviceaccount, ObjectKind::resourceclaim}) {
    BOOST_TEST_CONTEXT(to_string(kind)) {
      pod("p", "n1", {names(kind, "ns", "x")});
      BOOST_TEST(leads(kind, "ns", "x", "n1"));
      BOOST_TEST(!leads(kind, "ns", "x", "n2"));
      BOOST_TEST(!leads(kind, "ns", "y", "n1"));
      BOOST_TEST(!leads(kind, "other", "x", "n1"));
      pod("p", "n1");
      BOOST_TEST(!leads(kind, "ns", "x", "n1"));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(kinds_with_the_same_name_are_different_objects, Graph) {
  pod("x", "n1", {names(ObjectKind::secret, "ns", "x")});
  BOOST_TEST(!leads(ObjectKind::configmap, "ns", "x", "n1"));
  BOOST_TEST(!leads(ObjectKind::serviceaccount, "ns", "x", "n1"));
  remove_pod("ns", "x");
  BOOST_TEST(object_count() == 0U);
}

BOOST_FIXTURE_TEST_CASE(objects_that_name_their_node_lead_to_it, Graph) {
  for (const ObjectKind kind :
       {ObjectKind::volumeattachment, ObjectKind::resourceslice, ObjectKind::podcertificaterequest}) {
    BOOST_TEST_CONTEXT(to_string(kind)) {
      put_owned(kind, "", "o", "n1");
      BOOST_TEST(leads(kind, "", "o", "n1"));
      put_owned(kind, "", "o", "n2");
      BOOST_TEST(!leads(kind, "", "o", "n1"));
      BOOST_TEST(leads(kind, "", "o", "n2"));
      remove_owned(kind, "", "o");
      BOOST_TEST(!leads(kind, "", "o", "n2"));
    }
  }
  BOOST_TEST(object_count() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_volume_leads_through_its_claim, Graph) {
  volume("v", "c");
  BOOST_TEST(!leads(ObjectKind::persistentvolume, "", "v", "n1"));
  pod("p", "n1", claim_c);
  BOOST_TEST(leads(ObjectKind::persistentvolume, "", "v", "n1"));
  BOOST_TEST(!leads(ObjectKind::persistentvolume, "ns", "v", "n1"));
  remove_pod("ns", "p");
  BOOST_TEST(!leads(ObjectKind::persistentvolume, "", "v", "n1"));
}

BOOST_FIXTURE_TEST_CASE(a_volume_may_come_after_the_pod_that_uses_it, Graph) {
  pod("p", "n1", claim_c);
  volume("v", "c", secret_s);
  BOOST_TEST(leads(ObjectKind::persistentvolume, "", "v", "n1"));
  BOOST_TEST(secret("s", "n1"));
  remove_volume("v");
  BOOST_TEST(!leads(ObjectKind::persistentvolume, "", "v", "n1"));
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(leads(ObjectKind::persistentvolumeclaim, "ns", "c", "n1"));
}

BOOST_FIXTURE_TEST_CASE(a_secret_of_a_volume_may_be_in_another_namespace, Graph) {
  volume("v", "c", {names(ObjectKind::secret, "storage", "s")});
  pod("p", "n1", claim_c);
  BOOST_TEST(leads(ObjectKind::secret, "storage", "s", "n1"));
  BOOST_TEST(!secret("s", "n1"));
}

BOOST_FIXTURE_TEST_CASE(a_claim_of_another_namespace_is_another_claim, Graph) {
  put_volume("v", "other", "c", {});
  pod("p", "n1", claim_c);
  BOOST_TEST(!leads(ObjectKind::persistentvolume, "", "v", "n1"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(changes)

BOOST_FIXTURE_TEST_CASE(a_secret_of_two_pods_is_forgotten_with_the_last, Graph) {
  pod("p1", "n1", secret_s);
  pod("p2", "n1", secret_s);
  remove_pod("ns", "p1");
  BOOST_TEST(secret("s", "n1"));
  remove_pod("ns", "p2");
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(object_count() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_secret_of_two_nodes_is_taken_from_one_only, Graph) {
  pod("p1", "n1", secret_s);
  pod("p2", "n2", secret_s);
  remove_pod("ns", "p1");
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(secret("s", "n2"));
}

BOOST_FIXTURE_TEST_CASE(a_secret_that_one_pod_names_twice_is_forgotten_once, Graph) {
  pod("p", "n1", {secret_s[0], secret_s[0]});
  pod("q", "n2", secret_s);
  remove_pod("ns", "p");
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(secret("s", "n2"));
}

BOOST_FIXTURE_TEST_CASE(a_pod_that_is_made_again_on_another_node_takes_its_secrets_along, Graph) {
  pod("p", "n1", secret_s);
  remove_pod("ns", "p");
  pod("p", "n2", secret_s);
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(secret("s", "n2"));
  BOOST_TEST(!leads(ObjectKind::pod, "ns", "p", "n1"));
}

BOOST_FIXTURE_TEST_CASE(a_pod_that_replaces_another_leaves_nothing_of_it, Graph) {
  pod("p", "n1", secret_s);
  pod("p", "n2", {names(ObjectKind::secret, "ns", "t")});
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(!secret("s", "n2"));
  BOOST_TEST(secret("t", "n2"));
}

BOOST_FIXTURE_TEST_CASE(removing_what_is_not_there_does_nothing, Graph) {
  remove_pod("ns", "p");
  remove_volume("v");
  remove_owned(ObjectKind::resourceslice, "", "o");
  pod("p", "n1", secret_s);
  remove_pod("other", "p");
  remove_pod("ns", "q");
  BOOST_TEST(secret("s", "n1"));
}

BOOST_FIXTURE_TEST_CASE(a_secret_by_pod_and_by_volume_needs_both_to_go, Graph) {
  pod("p", "n1", secret_s);
  pod("q", "n1", claim_c);
  volume("v", "c", secret_s);
  remove_pod("ns", "p");
  BOOST_TEST(secret("s", "n1"));
  remove_volume("v");
  BOOST_TEST(!secret("s", "n1"));
  volume("v", "c", secret_s);
  pod("p", "n1", secret_s);
  remove_volume("v");
  BOOST_TEST(secret("s", "n1"));
}

BOOST_FIXTURE_TEST_CASE(a_volume_that_is_bound_to_another_claim_leaves_the_first, Graph) {
  pod("p1", "n1", claim_c);
  pod("p2", "n2", {names(ObjectKind::persistentvolumeclaim, "ns", "d")});
  volume("v", "c", secret_s);
  volume("v", "d", secret_s);
  BOOST_TEST(!leads(ObjectKind::persistentvolume, "", "v", "n1"));
  BOOST_TEST(!secret("s", "n1"));
  BOOST_TEST(leads(ObjectKind::persistentvolume, "", "v", "n2"));
  BOOST_TEST(secret("s", "n2"));
}

BOOST_FIXTURE_TEST_CASE(two_volumes_may_name_one_claim, Graph) {
  pod("p", "n1", claim_c);
  volume("v", "c", secret_s);
  volume("w", "c", secret_s);
  BOOST_TEST(leads(ObjectKind::persistentvolume, "", "v", "n1"));
  BOOST_TEST(leads(ObjectKind::persistentvolume, "", "w", "n1"));
  remove_volume("v");
  BOOST_TEST(secret("s", "n1"));
  remove_volume("w");
  BOOST_TEST(!secret("s", "n1"));
}

BOOST_FIXTURE_TEST_CASE(more_than_two_hundred_pods_on_as_many_nodes_share_a_secret, Graph) {
  const auto name = [](const char* of, int i) { return of + std::to_string(i); };
  for (int i = 0; i < 300; ++i) pod(name("p", i), name("n", i), secret_s);
  for (int i = 0; i < 300; ++i) BOOST_TEST(secret("s", name("n", i)));
  for (int i = 0; i < 300; i += 2) remove_pod("ns", name("p", i));
  for (int i = 0; i < 300; ++i) BOOST_TEST(secret("s", name("n", i)) == (i % 2 == 1));
  for (int i = 0; i < 300; i += 2) pod(name("p", i), name("n", i + 1), secret_s);
  for (int i = 1; i < 300; i += 2) remove_pod("ns", name("p", i));
  for (int i = 0; i < 300; ++i) BOOST_TEST(secret("s", name("n", i)) == (i % 2 == 1));
  for (int i = 0; i < 300; i += 2) remove_pod("ns", name("p", i));
  BOOST_TEST(object_count() == 0U);
}

BOOST_FIXTURE_TEST_CASE(more_than_two_hundred_pods_of_one_node_share_a_secret, Graph) {
  for (int i = 0; i < 250; ++i) pod("p" + std::to_string(i), "n1", secret_s);
  for (int i = 0; i < 249; ++i) remove_pod("ns", "p" + std::to_string(i));
  BOOST_TEST(secret("s", "n1"));
  remove_pod("ns", "p249");
  BOOST_TEST(!secret("s", "n1"));
}

BOOST_FIXTURE_TEST_CASE(names_are_kept_right_while_the_memory_for_them_is_packed, Graph) {
  // Adding and removing names beside others that stay makes the graph compact its names again and again.
  const std::string tail(100, 'x');
  for (int i = 0; i < 20; ++i)
    pod("stays" + std::to_string(i), "n1", {names(ObjectKind::secret, "ns", "s" + std::to_string(i))});
  for (int round = 0; round < 300; ++round) {
    const std::string gone = "gone" + std::to_string(round) + tail;
    pod(gone, "n2", {names(ObjectKind::secret, "ns", gone), names(ObjectKind::configmap, "ns" + gone, gone)});
    BOOST_TEST(secret(gone, "n2"));
    remove_pod("ns", gone);
    BOOST_TEST(!secret(gone, "n2"));
  }
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST(secret("s" + std::to_string(i), "n1"));
    BOOST_TEST(leads(ObjectKind::pod, "ns", "stays" + std::to_string(i), "n1"));
  }
  BOOST_TEST(object_count() == 40U);
}

BOOST_FIXTURE_TEST_CASE(odd_names_are_names_like_others, Graph) {
  const std::string zero("a\0b", 3);
  for (const std::string& name :
       {zero, std::string("a/b"), std::string(70'000, 'n'), std::string(65'536 + 3, 'n'), std::string("\xff")}) {
    pod(name, "n1", {names(ObjectKind::secret, name, name)});
    BOOST_TEST(leads(ObjectKind::secret, name, name, "n1"));
    BOOST_TEST(leads(ObjectKind::pod, "ns", name, "n1"));
    BOOST_TEST(!leads(ObjectKind::secret, name, name.substr(0, 3) + "x", "n1"));
    pod(name, "n2");
    remove_pod("ns", name);
    BOOST_TEST(object_count() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_graph_can_be_moved) {
  Graph graph;
  graph.pod("p", "n1", secret_s);
  NodeGraph moved(std::move(graph));
  BOOST_TEST(moved.leads(ObjectKind::secret, "ns", "s", "n1"));
  moved.put_pod("ns", "q", "n2", secret_s);
  NodeGraph assigned;
  assigned.put_pod("ns", "old", "n3", {});
  assigned = std::move(moved);
  BOOST_TEST(assigned.leads(ObjectKind::secret, "ns", "s", "n2"));
  BOOST_TEST(!assigned.leads(ObjectKind::pod, "ns", "old", "n3"));
  assigned.remove_pod("ns", "p");
  BOOST_TEST(!assigned.leads(ObjectKind::secret, "ns", "s", "n1"));
}

BOOST_AUTO_TEST_SUITE_END()

// A simple model of the graph: edges between objects, searched for every question.
namespace {

using Name = std::tuple<ObjectKind, std::string, std::string>;

class Model {
 public:
  void put_pod(const std::string& name, const std::string& node, const std::vector<Name>& references) {
    pods_[name] = {node, references};
  }
  void put_volume(const std::string& name, const std::string& claim, const std::vector<Name>& secrets) {
    volumes_[name] = {claim, secrets};
  }
  void put_slice(const std::string& name, const std::string& node) { slices_[name] = node; }
  void remove(ObjectKind kind, const std::string& name) {
    if (kind == ObjectKind::pod) pods_.erase(name);
    if (kind == ObjectKind::persistentvolume) volumes_.erase(name);
    if (kind == ObjectKind::resourceslice) slices_.erase(name);
  }

  bool leads(const Name& object, const std::string& node) const {
    const auto& [kind, namespace_, name] = object;
    if (kind == ObjectKind::resourceslice) return slices_.contains(name) && slices_.at(name) == node;
    for (const auto& [pod, edges] : pods_) {
      const bool is_it = kind == ObjectKind::pod && namespace_ == "ns" && pod == name;
      const bool named = std::find(edges.second.begin(), edges.second.end(), object) != edges.second.end();
      if ((is_it || named) && edges.first == node) return true;
    }
    for (const auto& [volume, edges] : volumes_) {
      const bool is_it = kind == ObjectKind::persistentvolume && volume == name;
      const bool named = std::find(edges.second.begin(), edges.second.end(), object) != edges.second.end();
      if ((is_it || named) && leads({ObjectKind::persistentvolumeclaim, "ns", edges.first}, node)) return true;
    }
    return false;
  }

 private:
  std::map<std::string, std::pair<std::string, std::vector<Name>>> pods_;
  std::map<std::string, std::pair<std::string, std::vector<Name>>> volumes_;
  std::map<std::string, std::string> slices_;
};

struct Step {
  int what = 0;  ///< 0-2 put, 3-5 remove: pod, volume, slice
  int which = 0;
  int where = 0;
  std::vector<Name> references;
};

std::string numbered(const char* of, int i) {
  return of + std::to_string(i);
}

rc::Gen<Name> a_name(bool of_volume) {
  return rc::gen::apply(
      [of_volume](int kind, int i) -> Name {
        static constexpr std::array<ObjectKind, 5> kinds = {ObjectKind::secret, ObjectKind::persistentvolumeclaim,
                                                            ObjectKind::configmap, ObjectKind::serviceaccount,
                                                            ObjectKind::resourceclaim};
        return {of_volume ? ObjectKind::secret : kinds[static_cast<std::size_t>(kind)], "ns", numbered("o", i)};
      },
      rc::gen::inRange(0, 5), rc::gen::inRange(0, 3));
}

rc::Gen<Step> a_step() {
  return rc::gen::mapcat(rc::gen::inRange(0, 6), [](int what) {
    return rc::gen::apply(
        [what](int which, int where, std::vector<Name> references) {
          return Step{what, which, where, std::move(references)};
        },
        rc::gen::inRange(0, 5), rc::gen::inRange(0, 3), rc::gen::container<std::vector<Name>>(a_name(what == 1)));
  });
}

std::vector<NodeGraph::Reference> views(const std::vector<Name>& references) {
  std::vector<NodeGraph::Reference> out;
  for (const auto& [kind, namespace_, name] : references) out.push_back(names(kind, namespace_, name));
  return out;
}

void apply(const Step& step, NodeGraph& graph, Model& model) {
  const std::string pod = numbered("p", step.which);
  const std::string volume = numbered("v", step.which);
  const std::string slice = numbered("r", step.which);
  const std::string node = numbered("n", step.where);
  const std::string claim = numbered("o", step.where);
  switch (step.what) {
    case 0:
      graph.put_pod("ns", pod, node, views(step.references));
      return model.put_pod(pod, node, step.references);
    case 1:
      graph.put_volume(volume, "ns", claim, views(step.references));
      return model.put_volume(volume, claim, step.references);
    case 2:
      graph.put_owned(ObjectKind::resourceslice, "", slice, node);
      return model.put_slice(slice, node);
    case 3:
      graph.remove_pod("ns", pod);
      return model.remove(ObjectKind::pod, pod);
    case 4:
      graph.remove_volume(volume);
      return model.remove(ObjectKind::persistentvolume, volume);
    default:
      graph.remove_owned(ObjectKind::resourceslice, "", slice);
      return model.remove(ObjectKind::resourceslice, slice);
  }
}

std::vector<Name> all_names() {
  std::vector<Name> all;
  for (int i = 0; i < 5; ++i) {
    all.emplace_back(ObjectKind::pod, "ns", numbered("p", i));
    all.emplace_back(ObjectKind::persistentvolume, "", numbered("v", i));
    all.emplace_back(ObjectKind::resourceslice, "", numbered("r", i));
    for (const ObjectKind kind : {ObjectKind::secret, ObjectKind::persistentvolumeclaim, ObjectKind::configmap,
                                  ObjectKind::serviceaccount, ObjectKind::resourceclaim}) {
      all.emplace_back(kind, "ns", numbered("o", i));
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(after_any_changes_the_graph_answers_as_a_search_would) {
  const bool holds = rc::check("leads() equals a depth-first search", [] {
    NodeGraph graph;
    Model model;
    const std::vector<Step> steps = *rc::gen::container<std::vector<Step>>(a_step());
    for (const Step& step : steps) {
      apply(step, graph, model);
      for (const Name& object : all_names()) {
        const auto& [kind, namespace_, name] = object;
        for (int n = 0; n < 3; ++n) {
          RC_ASSERT(graph.leads(kind, namespace_, name, numbered("n", n)) == model.leads(object, numbered("n", n)));
        }
      }
    }
    // With everything removed, nothing is left behind.
    for (int i = 0; i < 5; ++i) {
      for (int what = 3; what < 6; ++what) apply({what, i, 0, {}}, graph, model);
    }
    RC_ASSERT(graph.object_count() == 0U);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_SUITE_END()
