#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/control_plane/load_balancer.h"
#include "harness/simulate/control_plane/reference_servers.h"
#include "harness/simulate/records/refusal_ledger.h"

BOOST_AUTO_TEST_SUITE(simulate_load_balancer)

using namespace nodebound;
using namespace nodebound::simulate;
using namespace std::chrono_literals;

namespace {

const Catalogue& catalogue = Catalogue::built_in();
const Subject admin{"admin", {"system:masters"}, "", {}};

HttpResponse answer(int status) {
  HttpResponse out;
  out.status = status;
  return out;
}

// Accepts every request, and records which server got it.
class Listening final : public PlannedServers {
 public:
  Result<void> start(std::size_t, const Plan::ControlPlane&) override { return {}; }
  HttpResponse handle(std::size_t number, const Subject&, const HttpRequest& request) override {
    asked.emplace_back(number, request.method + " " + request.target);
    return answer(request.method == "POST" ? 201 : 200);
  }
  void tick() override {}
  [[nodiscard]] bool streams() const override { return true; }
  [[nodiscard]] bool settles_at_once() const override { return true; }
  [[nodiscard]] bool knows_tokens() const override { return true; }

  std::vector<std::pair<std::size_t, std::string>> asked;
};

Plan::ControlPlane server_of(int minor) {
  Plan::ControlPlane out;
  out.version = {1, minor, 0};
  return out;
}

const HttpRequest list_nodes{"GET", "/api/v1/nodes", "", ""};

}  // namespace

BOOST_AUTO_TEST_CASE(a_client_stays_for_a_while_and_meets_all_servers) {
  Listening servers;
  SimulatedClock clock;
  LoadBalancer balancer(servers, clock, 7);
  LoadBalancer other_seed(servers, clock, 8);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_REQUIRE(balancer.start(i, server_of(31)));
    BOOST_REQUIRE(other_seed.start(i, server_of(31)));
  }
  bool seeds_differ = false;
  for (std::size_t client = 0; client < 20; ++client) {
    clock.now = clock.begin;
    std::set<std::size_t> met;
    std::size_t changes = 0;
    std::size_t last = balancer.server_of(client);
    for (int minute = 0; minute < 50; ++minute, clock.now += 1min) {
      const std::size_t server = balancer.server_of(client);
      changes += server == last ? 0 : 1;
      met.insert(last = server);
      seeds_differ = seeds_differ || other_seed.server_of(client) != server;
    }
    BOOST_TEST(met.size() == 3U);
    BOOST_TEST(changes <= 5U);
  }
  BOOST_TEST(seeds_differ);
}

BOOST_AUTO_TEST_CASE(the_administrator_asks_the_oldest_server) {
  Listening servers;
  SimulatedClock clock;
  LoadBalancer balancer(servers, clock, 0);
  BOOST_REQUIRE(balancer.start(0, server_of(32)));
  BOOST_REQUIRE(balancer.start(1, server_of(31)));
  balancer.handle_administrator(admin, list_nodes);
  BOOST_TEST(servers.asked.back().first == 1U);
}

BOOST_AUTO_TEST_CASE(a_namespace_is_made_once_for_all_its_objects) {
  Listening servers;
  SimulatedClock clock;
  LoadBalancer balancer(servers, clock, 0);
  BOOST_REQUIRE(balancer.start(0, server_of(31)));
  ClusterAdministrator administrator(balancer);
  const auto made = [&] {
    return std::count_if(servers.asked.begin(), servers.asked.end(),
                         [](const auto& one) { return one.second == "POST /api/v1/namespaces"; });
  };
  for (const char* name : {"a", "b", "c"}) {
    const Object secret = {
        {"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", {{"name", name}, {"namespace", "shop"}}}};
    BOOST_REQUIRE(administrator.apply(secret, "p"));
  }
  BOOST_TEST(made() == 1);
  BOOST_REQUIRE(administrator.remove(split_path("namespaces/shop"), "p"));
  administrator.make_namespace("shop");
  BOOST_TEST(made() == 2);
}

BOOST_AUTO_TEST_CASE(what_is_written_through_one_server_is_seen_through_the_other) {
  SimulatedClock clock;
  const auto servers = make_reference_servers(catalogue, clock);
  BOOST_REQUIRE(servers->start(0, server_of(31)));
  BOOST_REQUIRE(servers->start(1, server_of(32)));
  const auto ask = [&](std::size_t server, const char* method, const std::string& target,
                       const std::string& body = {}) {
    return servers->handle(server, admin, {method, target, body.empty() ? "" : "application/json", body});
  };
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  const HttpResponse watch_old = ask(0, "GET", secrets + "?watch=true");
  const HttpResponse watch_new = ask(1, "GET", secrets + "?watch=true");
  const Object first = Object::parse(ask(0, "POST", secrets, R"({"metadata":{"name":"first"}})").body);
  const Object second = Object::parse(ask(1, "POST", secrets, R"({"metadata":{"name":"second"}})").body);
  BOOST_TEST(text(first, "metadata", "uid") != text(second, "metadata", "uid"));
  BOOST_TEST(text(first, "metadata", "resourceVersion") != text(second, "metadata", "resourceVersion"));
  for (const std::size_t server : {0U, 1U}) {
    BOOST_TEST(ask(server, "GET", secrets + "/first").status == 200);
    BOOST_TEST(ask(server, "GET", secrets + "/second").status == 200);
  }
  BOOST_TEST(ask(1, "DELETE", secrets + "/first").status == 200);
  BOOST_TEST(ask(0, "GET", secrets + "/first").status == 404);
  // When a server ends, its own watches end and no others.
  BOOST_REQUIRE(servers->start(1, server_of(32)));
  std::string seen;
  BOOST_TEST(watch_old.stream->take(seen));
  BOOST_TEST(std::count(seen.begin(), seen.end(), '\n') == 3);
  BOOST_TEST(seen.find(R"("DELETED")") != std::string::npos);
  std::string seen_new;
  BOOST_TEST(!watch_new.stream->take(seen_new));
  BOOST_TEST(seen_new == seen);
}

BOOST_AUTO_TEST_CASE(roles_of_the_newer_server_count_at_the_older_one) {
  SimulatedClock clock;
  const auto servers = make_reference_servers(catalogue, clock);
  const Subject proxy{"system:kube-proxy", {}, "", {}};
  BOOST_REQUIRE(servers->start(0, server_of(16)));
  BOOST_TEST(servers->handle(0, proxy, list_nodes).status == 403);
  BOOST_REQUIRE(servers->start(1, server_of(17)));
  BOOST_TEST(servers->handle(0, proxy, list_nodes).status == 200);
  // A starting server only adds to roles.
  BOOST_REQUIRE(servers->start(0, server_of(16)));
  BOOST_TEST(servers->handle(0, proxy, list_nodes).status == 200);
  BOOST_TEST(servers->handle(1, proxy, list_nodes).status == 200);
}

BOOST_AUTO_TEST_CASE(the_word_of_another_server_heals_nothing) {
  RefusalLedger ledger;
  const std::size_t client = ledger.add_client("agent a", "", 1);
  ledger.servers_are({0, 1}, 0s);
  const auto& seen = [&]() -> const RefusalLedger::Seen& { return ledger.clients()[0].seen.at(0); };
  ledger.note(client, list_nodes, answer(403), 1s, {1, 0});
  ledger.note(client, list_nodes, answer(200), 2s, {0, 0});
  BOOST_TEST(!seen().healed.has_value());
  // It may have healed at both of them.
  BOOST_TEST(seen().allowed_by.empty());
  ledger.note(client, list_nodes, answer(403), 3s, {1, 0});
  BOOST_TEST((seen().allowed_by == std::set<std::size_t>{0}));
  ledger.next_step();
  ledger.note(client, list_nodes, answer(200), 4s, {0, 0});
  ledger.note(client, list_nodes, answer(403), 5s, {1, 0});
  BOOST_TEST(ledger.clients()[0].seen.size() == 1U);
  ledger.note(client, list_nodes, answer(200), 6s, {1, 0});
  BOOST_TEST((seen().healed == Plan::Time(6s)));
}

BOOST_AUTO_TEST_CASE(a_server_that_goes_takes_its_refusals_along) {
  RefusalLedger ledger;
  const std::size_t client = ledger.add_client("agent a", "", 1);
  ledger.servers_are({0, 1}, 0s);
  ledger.note(client, list_nodes, answer(403), 1s, {1, 0});
  ledger.note(client, list_nodes, answer(200), 2s, {0, 0});
  ledger.servers_are({0}, 3s);
  BOOST_TEST((ledger.clients()[0].seen.at(0).healed == Plan::Time(3s)));
  // Nothing is known of a client that has not asked the remaining servers yet.
  const std::size_t other = ledger.add_client("agent b", "", 1);
  ledger.note(other, list_nodes, answer(403), 4s, {0, 0});
  ledger.servers_are({2}, 5s);
  BOOST_TEST(!ledger.clients()[1].seen.at(0).healed.has_value());
  ledger.note(other, list_nodes, answer(200), 6s, {2, 0});
  BOOST_TEST((ledger.clients()[1].seen.at(0).healed == Plan::Time(6s)));
}

BOOST_AUTO_TEST_CASE(each_of_two_requests_heals_by_itself) {
  RefusalLedger ledger;
  const std::size_t client = ledger.add_client("agent a", "", 1);
  ledger.note(client, list_nodes, answer(403), 1s, {0, 0});
  ledger.note(client, list_nodes, answer(403), 2s, {0, 1});
  ledger.note(client, list_nodes, answer(200), 3s, {0, 1});
  BOOST_TEST(ledger.kinds().size() == 1U);
  BOOST_REQUIRE(ledger.clients()[0].seen.size() == 2U);
  BOOST_TEST(!ledger.clients()[0].seen[0].healed.has_value());
  BOOST_TEST((ledger.clients()[0].seen[1].healed == Plan::Time(3s)));
}

BOOST_AUTO_TEST_SUITE_END()
