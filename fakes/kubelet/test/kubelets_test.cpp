#include <boost/test/unit_test.hpp>

#include "fakes/kubelet/test/kubelet_cluster.h"

BOOST_AUTO_TEST_SUITE(kubelet_kubelets)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::test;

namespace {

std::string name_of(int number) {
  return "node-" + std::to_string(number);
}

struct Fleet : KubeletCluster {
  explicit Fleet(int count, std::uint64_t seed = 0, const char* release = "1.36.3") : KubeletCluster(release) {
    KubeletOptions options;
    options.seed = seed;
    for (int i = 0; i < count; ++i) add(release, options, name_of(i));
    run();
    make_shop();
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(many_kubelets_share_a_cluster) {
  Fleet fleet(20);
  BOOST_TEST(fleet.get("/api/v1/nodes")["items"].size() == 20U);
  for (int i = 0; i < 40; ++i) {
    fleet.make(fleet.shop + "pods", R"({"metadata":{"name":"p)" + std::to_string(i) + R"("},"spec":{"nodeName":")" +
                                        name_of(i % 20) + R"("}})");
  }
  fleet.run();
  const Object pods = fleet.get(fleet.shop + "pods");
  BOOST_TEST(pods.at("items").size() == 40U);
  for (const Object& pod : pods.at("items")) {
    BOOST_TEST(text(pod, "status", "phase") == "Running");
  }
  for (std::size_t i = 0; i < fleet.kubelets.size(); ++i) {
    BOOST_TEST(fleet.kubelets[i].pods().size() == 2U);
    BOOST_TEST(fleet.kubelets[i].refusals().empty());
  }
}

BOOST_AUTO_TEST_CASE(the_same_seed_makes_the_same_requests) {
  const auto history = [](std::uint64_t seed) {
    Fleet fleet(5, seed);
    fleet.run(std::chrono::minutes(30));
    std::string out;
    for (const HttpRequest& request : fleet.requests) out += request.method + request.target + request.body + "\n";
    return out;
  };
  const std::string once = history(7);
  BOOST_TEST(once.size() > 100'000U);
  BOOST_TEST((history(7) == once));
  BOOST_TEST((history(8) != once));
}

BOOST_AUTO_TEST_CASE(a_watch_wakes_its_kubelet_alone) {
  Fleet fleet(3);
  fleet.run(std::chrono::seconds(1));
  fleet.taken();
  const KubeletTime later = fleet.kubelets.next();
  BOOST_TEST((later > fleet.time));
  fleet.make(fleet.shop + "pods", R"({"metadata":{"name":"p"},"spec":{"nodeName":"node-1"}})");
  BOOST_TEST((fleet.kubelets.next() <= fleet.time));
  fleet.run();
  for (const HttpRequest& request : fleet.requests) {
    if (request.target.ends_with("/pods/p")) BOOST_TEST(request.method == "GET");
  }
  BOOST_TEST(fleet.kubelets[1].pods().size() == 1U);
  BOOST_TEST(fleet.kubelets[0].pods().empty());
}

BOOST_AUTO_TEST_CASE(a_new_release_takes_over_the_pods_of_its_node) {
  Fleet fleet(1, 0, "1.35.0");
  fleet.make(fleet.shop + "pods", R"({"metadata":{"name":"p"},"spec":{"nodeName":"node-0"}})");
  fleet.run();
  const auto traits = KubeletTraitsTable::built_in().at({1, 34, 0}).value();
  fleet.kubelets.replace(0, {name_of(0), traits, std::make_shared<const KubeletOptions>()}, fleet.line(name_of(0)),
                         fleet.time);
  fleet.run();
  BOOST_TEST(fleet.kubelets[0].registered());
  BOOST_TEST(fleet.kubelets[0].pods().size() == 1U);
  BOOST_TEST(fleet.kubelets[0].refusals().empty());
}

BOOST_AUTO_TEST_CASE(when_connections_are_gone_watches_begin_again) {
  Fleet fleet(1);
  fleet.run(std::chrono::seconds(1));
  fleet.taken();
  fleet.kubelets.drop_watches();
  fleet.run();
  const std::vector<std::string> lines = fleet.taken();
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET pods spec.nodeName=node-0 watch") == 1);
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET nodes metadata.name=node-0 watch") == 1);
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET pods spec.nodeName=node-0") == 0);
}

BOOST_AUTO_TEST_CASE(a_line_without_streams_tries_its_watches_again_when_connections_are_gone) {
  KubeletCluster cluster("1.36.3");
  KubeletOptions options;
  options.lists_apart = std::chrono::minutes(1);
  cluster.add("1.36.3", options, "a", false);
  cluster.run(std::chrono::seconds(1));
  cluster.taken();
  cluster.run(std::chrono::minutes(2));
  const std::vector<std::string> polls = cluster.taken();
  BOOST_TEST(std::count(polls.begin(), polls.end(), "GET pods spec.nodeName=a") == 2);
  BOOST_TEST(std::count(polls.begin(), polls.end(), "GET pods spec.nodeName=a watch") == 0);
  cluster.kubelets.drop_watches();
  cluster.run();
  const std::vector<std::string> lines = cluster.taken();
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET pods spec.nodeName=a watch") == 1);
}

BOOST_AUTO_TEST_CASE(a_poll_that_is_refused_and_a_watch_whose_time_is_over_are_followed_by_the_watch) {
  KubeletCluster cluster("1.36.3");
  cluster.add("1.36.3", {}, "a", false);
  cluster.run(std::chrono::seconds(1));
  cluster.taken();
  cluster.run(std::chrono::minutes(11));
  Lines sent = cluster.taken();
  BOOST_TEST(std::count(sent.begin(), sent.end(), "GET pods spec.nodeName=a watch") >= 1);
  cluster.refused = "GET pods spec.nodeName=a";
  cluster.run(std::chrono::seconds(11));
  sent = cluster.taken();
  const auto poll = std::find(sent.begin(), sent.end(), cluster.refused);
  BOOST_REQUIRE((poll != sent.end()));
  BOOST_TEST(std::count(poll, sent.end(), "GET pods spec.nodeName=a watch") >= 1);
}

// KEP-3157
BOOST_AUTO_TEST_CASE(what_a_watch_begins_with_takes_the_place_of_a_list_from_1_35_on) {
  for (const auto& [release, lists] : {std::pair("1.34.0", 1), {"1.35.0", 0}}) {
    KubeletCluster cluster(release);
    BOOST_TEST(cluster.start(release).registered());
    const Lines sent = cluster.taken();
    BOOST_TEST(std::count(sent.begin(), sent.end(), "GET pods spec.nodeName=a") == lists, release);
    BOOST_TEST(std::count(sent.begin(), sent.end(), "GET pods spec.nodeName=a watch") == 1, release);
  }
}

BOOST_AUTO_TEST_CASE(who_is_refused_such_a_watch_lists) {
  KubeletCluster cluster("1.36.3");
  cluster.refused = "GET services spec.clusterIP!=None watch";
  cluster.start("1.36.3");
  const Lines sent = cluster.taken();
  const auto refused = std::find(sent.begin(), sent.end(), cluster.refused);
  BOOST_REQUIRE((refused != sent.end()));
  BOOST_TEST(std::count(refused, sent.end(), "GET services spec.clusterIP!=None") == 1);
}

BOOST_AUTO_TEST_CASE(no_answer_is_neither_a_refusal_nor_the_end_of_one) {
  const HttpRequest request{"GET", "/api/v1/nodes/a", "", ""};
  const auto answer = [](int status) {
    HttpResponse out;
    out.status = status;
    return out;
  };
  KubeletRefusals refusals;
  refusals.note(request, answer(0), KubeletTime(std::chrono::seconds(1)));
  BOOST_TEST(refusals.all().empty());
  refusals.note(request, answer(403), KubeletTime(std::chrono::seconds(2)));
  refusals.note(request, answer(0), KubeletTime(std::chrono::seconds(3)));
  BOOST_REQUIRE(refusals.all().size() == 1U);
  BOOST_TEST(refusals.all()[0].count == 1U);
  BOOST_TEST(!refusals.all()[0].healed.has_value());
  refusals.note(request, answer(200), KubeletTime(std::chrono::seconds(4)));
  BOOST_TEST(refusals.all()[0].healed.has_value());
}

BOOST_AUTO_TEST_CASE(watches_that_are_not_kept_bring_the_same_later) {
  KubeletCluster cluster("1.36.3");
  KubeletOptions options;
  options.keeps = KubeletOptions::Keeps::own;
  FakeKubelet& kubelet = cluster.start("1.36.3", options);
  cluster.make_shop();
  cluster.make(cluster.shop + "pods", R"({"metadata":{"name":"p"},"spec":{"nodeName":"a",
      "containers":[{"name":"c","image":"x","envFrom":[{"secretRef":{"name":"db"}}]}]}})");
  cluster.run(std::chrono::seconds(10));
  BOOST_TEST(text(cluster.get(cluster.shop + "pods/p"), "status", "phase") == "Pending");
  cluster.make(cluster.shop + "secrets", R"({"metadata":{"name":"db"}})");
  cluster.run(std::chrono::minutes(15));
  BOOST_TEST(text(cluster.get(cluster.shop + "pods/p"), "status", "phase") == "Running");
  const std::vector<std::string> lines = cluster.taken();
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET secrets metadata.name=db watch") > 1);
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET secrets metadata.name=db") == 0);
  BOOST_TEST(kubelet.refusals().empty());
}

BOOST_AUTO_TEST_SUITE_END()
