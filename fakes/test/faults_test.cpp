#include "fakes/faults/faults.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/authentication/token_file.h"
#include "fakes/http/memory_connection.h"
#include "fakes/serving/api_handler.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(faults)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::authentication;
using namespace nodebound::faults;
using namespace nodebound::serving;
using nodebound::test::rules_of;

namespace {

const std::string maps = "/api/v1/namespaces/ns/configmaps";

struct Answer {
  int status = 0;  ///< 0: the connection was reset before the status came
  std::string head;
  std::string body;
  bool reset = false;

  [[nodiscard]] Object json() const { return Object::parse(body); }
};

/// An API server with faults, behind HTTP without a network.
struct Served {
  explicit Served(const std::vector<std::string>& faults = {}) : rules(rules_of("1.36.3")) {
    RequestAuthenticator::Options all;
    all.audiences = {"api"};
    all.tokens.push_back(TokenFile::parse("admin,admin,u,system:masters\nnode,system:node:n,u,system:nodes\n"
                                          "other,system:node:other,u,system:nodes\n",
                                          "tokens", {"api"})
                             .value());
    authenticator = std::make_unique<RequestAuthenticator>(std::move(all));
    ApiServer::Options options;
    options.clock = [this] { return std::chrono::system_clock::time_point(time); };
    server = std::make_unique<ApiServer>(rules, options);
    std::vector<Fault> parsed;
    for (const std::string& fault : faults) parsed.push_back(Fault::parse(fault).value());
    handler = std::make_unique<ApiHandler>(
        *server, *authenticator,
        ApiHandler::Options{AuthenticationFeatures::of(rules), nullptr, [] { return "a-request"; },
                            std::make_shared<Faults>(std::move(parsed))});
  }

  Answer ask(const std::string& who, const std::string& method, const std::string& target,
             const std::string& body = {}) {
    MemoryConnection client(*handler);
    std::string out = client.send(request(who, method, target, body));
    delay = client.connection().take_delay();
    Answer answer;
    answer.reset = client.connection().resets();
    if (out.empty()) return answer;
    answer.status = std::stoi(out.substr(9));
    const std::size_t end = out.find("\r\n\r\n");
    answer.head = out.substr(0, end);
    answer.body = out.substr(end + 4);
    return answer;
  }
  Answer admin(const std::string& method, const std::string& target, const std::string& body = {}) {
    return ask("admin", method, target, body);
  }
  static std::string request(const std::string& who, const std::string& method, const std::string& target,
                             const std::string& body = {}) {
    return method + " " + target + " HTTP/1.1\r\nhost: x\r\nauthorization: Bearer " + who +
           "\r\ncontent-type: application/json\r\ncontent-length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  /// Sets faults through the run-time endpoint.
  Answer set(const std::string& faults) {
    return admin("PUT", "/nodebound/v1/faults", R"({"faults":[)" + faults + "]}");
  }
  int make(const std::string& name) { return admin("POST", maps, R"({"metadata":{"name":")" + name + R"("}})").status; }
  std::string version() { return admin("GET", maps).json()["metadata"]["resourceVersion"].get<std::string>(); }

  RuleSet rules;
  std::chrono::seconds time{1'800'000'000};
  std::chrono::milliseconds delay{0};
  std::unique_ptr<RequestAuthenticator> authenticator;
  std::unique_ptr<ApiServer> server;
  std::unique_ptr<ApiHandler> handler;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The statuses of `count` equal requests.
std::vector<int> statuses(Served& served, int count, const std::string& target = maps) {
  std::vector<int> out;
  for (int i = 0; i < count; ++i) out.push_back(served.admin("GET", target).status);
  return out;
}

std::string mistake_of(const std::string& text) {
  const Result<Fault> fault = Fault::parse(text);
  return fault ? "" : fault.error().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(faults_as_text)

BOOST_AUTO_TEST_CASE(a_fault_says_what_to_whom_and_how_often) {
  const Fault fault =
      Fault::parse("latency=50ms..2s;path=/api/v1/secrets*;user=system:node:*;verb=get;p=0.25;seed=7;times=3").value();
  BOOST_TEST((fault.kind == Fault::Kind::latency));
  BOOST_TEST(fault.amount.least == 50U);
  BOOST_TEST(fault.amount.most == 2000U);
  BOOST_TEST(fault.path == "/api/v1/secrets*");
  BOOST_TEST(fault.user == "system:node:*");
  BOOST_TEST(fault.probability == 0.25);
  BOOST_TEST(fault.seed == 7U);
  BOOST_TEST(fault.times.value() == 3U);
  for (std::uint64_t n = 0; n < 200; ++n) {
    BOOST_TEST(fault.amount_of(n) >= 50U);
    BOOST_TEST(fault.amount_of(n) <= 2000U);
  }
  BOOST_TEST((Fault::parse("drop-watch=1..20").value().kind == Fault::Kind::drop_watch));
  BOOST_TEST(Fault::parse("drop-watch=2m").value().amount.most == 120'000U);
  BOOST_TEST((Fault::parse("expired").value().kind == Fault::Kind::expired));
}

BOOST_AUTO_TEST_CASE(a_mistake_says_what_was_expected) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "expected NAME=VALUE"},
      {"latency", "latency=true: expected a time like 200ms"},
      {"latency=5", "expected a time like 200ms"},
      {"latency=2s..1s", "expected a time like 200ms"},
      {"latency=99999999999999999999s", "expected a time like 200ms"},
      {"status=404", "expected 429 or 500"},
      {"reset=now", "expected before, after"},
      {"expired=no", "expected no value"},
      {"stale=-1", "expected a number of versions"},
      {"latency=1s;stale=1", "one fault does one thing"},
      {"latency=1s;latency=2s", "latency is given twice"},
      {"path=/x", "it does not say what goes wrong"},
      {"latency=1s;p=0", "expected a number above 0 and up to 1"},
      {"latency=1s;p=2", "expected a number above 0 and up to 1"},
      {"latency=1s;colour=red", "\"colour\" is no part of a fault"},
      {"latency=1s;retry-after=3", "retry-after is for status=429 alone"},
      {"lag=1s;user=a", "user means nothing for a lag"},
      {"latency=1s;;", "expected NAME=VALUE"},
  };
  for (const auto& [text, expected] : mistakes) {
    BOOST_TEST(says(mistake_of(text), expected), text << ": " << mistake_of(text));
  }
}

BOOST_AUTO_TEST_CASE(a_star_is_any_text) {
  BOOST_TEST(fits_pattern("", "anything"));
  BOOST_TEST(fits_pattern("system:node:*", "system:node:a"));
  BOOST_TEST(!fits_pattern("system:node:*", "system:kube"));
  BOOST_TEST(fits_pattern("/api/*/pods*", "/api/v1/namespaces/x/pods/p"));
  BOOST_TEST(fits_pattern("*aab", "aaab"));
  BOOST_TEST(!fits_pattern("a*b", "ab*c"));
  BOOST_TEST(fits_pattern("*", ""));
  BOOST_TEST(!fits_pattern("a", ""));
}

BOOST_AUTO_TEST_CASE(chance_keeps_to_its_probability_and_its_seed) {
  const Fault one = Fault::parse("expired;p=0.2;seed=1").value();
  const Fault two = Fault::parse("expired;p=0.2;seed=2").value();
  int hits = 0;
  int differ = 0;
  for (std::uint64_t n = 0; n < 10'000; ++n) {
    hits += one.hits(n) ? 1 : 0;
    differ += one.hits(n) != two.hits(n) ? 1 : 0;
  }
  BOOST_TEST(hits > 1'850);
  BOOST_TEST(hits < 2'150);
  BOOST_TEST(differ > 2'900);  // 0.32 of all requests, if the two seeds are independent
  BOOST_TEST(differ < 3'500);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(faults_of_requests)

BOOST_AUTO_TEST_CASE(too_many_requests_are_refused_as_a_busy_server_refuses_them) {
  Served served({"status=429;path=/api/*;user=system:node:*;retry-after=3;times=1"});
  BOOST_TEST(served.admin("GET", maps).status == 200);
  const Answer refused = served.ask("node", "GET", "/api/v1/nodes/n");
  BOOST_TEST(refused.status == 429);
  BOOST_TEST(refused.body == "Too many requests, please try again later.\n");
  BOOST_TEST(says(refused.head, "retry-after: 3\r\n"));
  BOOST_TEST(says(refused.head, "content-type: text/plain; charset=utf-8"));
  BOOST_TEST(says(refused.head, "audit-id: a-request"));
  BOOST_TEST(served.ask("node", "GET", "/api/v1/nodes/n").status == 404);
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_server_changes_nothing) {
  Served served({"status=500;verb=create"});
  const Answer failed = served.admin("POST", maps, R"({"metadata":{"name":"a"}})");
  BOOST_TEST(failed.status == 500);
  BOOST_TEST(failed.json()["message"] == "etcdserver: request timed out");
  BOOST_TEST(served.admin("GET", maps + "/a").status == 404);
}

BOOST_AUTO_TEST_CASE(the_same_requests_meet_the_same_faults) {
  const std::vector<std::string> faults = {"status=500;p=0.3;seed=11", "status=429;p=0.3;seed=12"};
  Served first(faults);
  Served second(faults);
  const std::vector<int> met = statuses(first, 200);
  BOOST_TEST(met == statuses(second, 200));
  BOOST_TEST(std::count(met.begin(), met.end(), 500) > 30);
  BOOST_TEST(std::count(met.begin(), met.end(), 200) > 60);
  // Requests that do not match do not advance the random sequence.
  Served third({"status=500;p=0.3;seed=11;path=" + maps, "status=429;p=0.3;seed=12;path=" + maps});
  std::vector<int> interleaved;
  for (int i = 0; i < 200; ++i) {
    third.admin("GET", "/version");
    interleaved.push_back(third.admin("GET", maps).status);
  }
  BOOST_TEST(met == interleaved);
}

BOOST_AUTO_TEST_CASE(latency_is_asked_for_and_adds_up) {
  Served served({"latency=200ms;path=" + maps + "*", "latency=1s;verb=get"});
  BOOST_TEST(served.admin("GET", maps).status == 200);
  BOOST_TEST(served.delay.count() == 200);
  served.admin("GET", maps + "/a");
  BOOST_TEST(served.delay.count() == 1200);
  served.admin("GET", "/api/v1/nodes");
  BOOST_TEST(served.delay.count() == 0);
}

BOOST_AUTO_TEST_CASE(a_reset_comes_before_or_after_the_request_is_handled) {
  Served served({"reset=before;verb=create;times=1", "reset=after;verb=create;times=1"});
  for (const char* name : {"a", "b"}) {
    const Answer lost = served.admin("POST", maps, R"({"metadata":{"name":")" + std::string(name) + R"("}})");
    BOOST_TEST(lost.status == 0);
    BOOST_TEST(lost.reset);
  }
  BOOST_TEST(served.admin("GET", maps + "/a").status == 404);
  BOOST_TEST(served.admin("GET", maps + "/b").status == 200);
}

BOOST_AUTO_TEST_CASE(a_reset_in_the_body_leaves_a_part_of_it) {
  Served served;
  served.make("a");
  const Answer whole = served.admin("GET", maps + "/a");
  served.set(R"({"reset": "body", "seed": 5})");
  for (int i = 0; i < 20; ++i) {
    const Answer part = served.admin("GET", maps + "/a");
    BOOST_TEST(part.status == 200);
    BOOST_TEST(part.reset);
    BOOST_TEST(part.body.size() < whole.body.size());
    BOOST_TEST(whole.body.starts_with(part.body));
    BOOST_TEST(says(part.head, "content-length: " + std::to_string(whole.body.size())));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(faults_of_what_is_read)

BOOST_AUTO_TEST_CASE(stale_reads_are_of_an_earlier_version) {
  Served served;
  served.make("a");
  const std::string then = served.version();
  served.make("b");
  served.admin("DELETE", maps + "/a");
  served.set(R"({"stale": 2})");
  const Object list = served.admin("GET", maps).json();
  BOOST_REQUIRE(list["items"].size() == 1U);
  BOOST_TEST(list["items"][0]["metadata"]["name"] == "a");
  BOOST_TEST(list["metadata"]["resourceVersion"] == then);
  BOOST_TEST(served.admin("GET", maps + "/a").status == 200);
  BOOST_TEST(served.admin("GET", maps + "/b").status == 404);
  // A client that names a version gets no older one, and a write applies to the current state.
  const std::string now = std::to_string(std::stoi(then) + 2);
  BOOST_TEST(served.admin("GET", maps + "/b?resourceVersion=" + now).status == 200);
  BOOST_TEST(served.make("b") == 409);
  served.set(R"({"stale": 1000})");
  BOOST_TEST(served.admin("GET", maps).json()["items"].empty());
}

BOOST_AUTO_TEST_CASE(earlier_versions_expire) {
  Served served;
  served.make("a");
  const std::string then = served.version();
  served.make("b");
  const std::string token = served.admin("GET", maps + "?limit=1").json()["metadata"]["continue"];
  served.set(R"({"expired": true})");
  BOOST_TEST(served.admin("GET", maps).status == 200);
  BOOST_TEST(served.admin("GET", maps + "?limit=1&continue=" + token).status == 410);
  BOOST_TEST(served.admin("GET", maps + "?resourceVersionMatch=Exact&resourceVersion=" + then).status == 410);
  const Answer watch = served.admin("GET", maps + "?watch=1&resourceVersion=" + then);
  BOOST_TEST(watch.status == 200);
  BOOST_TEST(says(watch.body, R"("type":"ERROR")"));
  BOOST_TEST(says(watch.body, "too old resource version: " + then));
  BOOST_TEST(watch.body.ends_with("0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(open_watches_expire_when_it_is_said) {
  Served served;
  MemoryConnection watcher(*served.handler);
  MemoryConnection other(*served.handler);
  watcher.send(Served::request("admin", "GET", maps + "?watch=1"));
  other.send(Served::request("admin", "GET", "/api/v1/nodes?watch=1"));
  served.set(R"({"expired": true, "resource": "configmaps"})");
  const std::string end = watcher.send();
  BOOST_TEST(says(end, R"("message":"The resourceVersion for the provided watch is too old.")"));
  BOOST_TEST(says(end, R"("reason":"Expired")"));
  BOOST_TEST(end.ends_with("0\r\n\r\n"));
  BOOST_TEST(other.send().empty());
  BOOST_TEST((other.connection().state() == HttpConnection::State::streaming));
}

BOOST_AUTO_TEST_CASE(a_watch_is_dropped_after_some_events) {
  Served served({"drop-watch=2"});
  MemoryConnection watcher(*served.handler);
  watcher.send(Served::request("admin", "GET", maps + "?watch=1"));
  served.make("a");
  BOOST_TEST(says(watcher.send(), R"("name":"a")"));
  served.make("b");
  served.make("c");
  const std::string last = watcher.send();
  BOOST_TEST(says(last, R"("name":"b")"));
  BOOST_TEST(!says(last, R"("name":"c")"));
  BOOST_TEST(last.ends_with("0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(a_watch_is_dropped_after_a_time) {
  Served served({"drop-watch=5s"});
  MemoryConnection watcher(*served.handler);
  watcher.send(Served::request("admin", "GET", maps + "?watch=1"));
  served.time += std::chrono::seconds(4);
  served.server->tick();
  BOOST_TEST(watcher.send().empty());
  served.time += std::chrono::seconds(1);
  served.server->tick();
  BOOST_TEST(watcher.send() == "0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_watch_breaks_in_the_middle_of_an_event) {
  Served served({"reset=body;seed=3"});
  MemoryConnection watcher(*served.handler);
  std::string all = watcher.send(Served::request("admin", "GET", maps + "?watch=1"));
  for (int i = 0; i < 6 && !watcher.closed(); ++i) {
    served.server->handle(
        {"admin", {"system:masters"}, "", {}},
        {"POST", maps, "application/json", R"({"metadata":{"name":"m)" + std::to_string(i) + R"("}})"});
    all += watcher.send();
  }
  BOOST_TEST(watcher.connection().resets());
  BOOST_TEST(!all.ends_with("0\r\n\r\n"));
  BOOST_TEST(!all.ends_with("}\n\r\n"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lag)

const std::string pods = "/api/v1/namespaces/ns/pods";
const std::string secret = "/api/v1/namespaces/ns/secrets/s";
const std::string pod =
    R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","serviceAccountName":"d","containers":[{"name":"c","image":"i"}],)"
    R"("volumes":[{"name":"v","secret":{"secretName":"s"}}]}})";

BOOST_AUTO_TEST_CASE(the_node_authorizer_learns_late_what_is_stored) {
  Served served({"lag=2s"});
  BOOST_TEST(served.admin("POST", pods, pod).status == 201);
  BOOST_TEST(served.admin("GET", pods + "/p").status == 200);
  BOOST_TEST(served.ask("node", "GET", secret).status == 403);
  served.time += std::chrono::seconds(1);
  BOOST_TEST(served.ask("node", "GET", secret).status == 403);
  served.time += std::chrono::seconds(1);
  BOOST_TEST(served.ask("node", "GET", secret).status == 404);
  BOOST_TEST(served.ask("other", "GET", secret).status == 403);
  // The deletion is noticed late, too.
  served.admin("DELETE", pods + "/p?gracePeriodSeconds=0");
  BOOST_TEST(served.ask("node", "GET", secret).status == 404);
  served.time += std::chrono::seconds(2);
  BOOST_TEST(served.ask("node", "GET", secret).status == 403);
}

BOOST_AUTO_TEST_CASE(reviews_and_rbac_lag_too) {
  Served served({"lag=2s;resource=*.rbac.authorization.k8s.io"});
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/cluster";
  served.admin("POST", roles + "roles", R"({"metadata":{"name":"r"},"rules":[
      {"apiGroups":[""],"resources":["configmaps"],"verbs":["list"]}]})");
  served.admin("POST", roles + "rolebindings", R"({"metadata":{"name":"b"},"roleRef":{
      "apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"},"subjects":[
      {"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"system:node:n"}]})");
  served.admin("POST", pods, pod);
  const auto review = [&] {
    return served
        .admin("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", R"({"spec":{
        "user":"system:node:n","resourceAttributes":{"verb":"list","resource":"configmaps"}}})")
        .json()["status"]["allowed"];
  };
  BOOST_TEST(review() == false);
  BOOST_TEST(served.ask("node", "GET", "/api/v1/configmaps").status == 403);
  BOOST_TEST(served.ask("node", "GET", secret).status == 404);  // pods do not lag
  served.time += std::chrono::seconds(2);
  BOOST_TEST(served.ask("node", "GET", "/api/v1/configmaps").status == 200);
  BOOST_TEST(review() == true);
}

BOOST_AUTO_TEST_CASE(changes_of_a_resource_are_learned_of_in_their_order) {
  Served served({"lag=1s..60s;seed=4"});
  served.admin("POST", pods, pod);
  for (int i = 0; i < 10; ++i) {
    served.admin("DELETE", pods + "/p?gracePeriodSeconds=0");
    if (i < 9) served.admin("POST", pods, pod);
  }
  served.time += std::chrono::seconds(60);
  BOOST_TEST(served.ask("node", "GET", secret).status == 403);
}

BOOST_AUTO_TEST_CASE(a_lag_begins_with_what_is_known_and_ends_at_once) {
  Served served;
  served.admin("POST", pods, pod);
  served.set(R"({"lag": "1m"})");
  BOOST_TEST(served.ask("node", "GET", secret).status == 404);
  served.admin("DELETE", pods + "/p?gracePeriodSeconds=0");
  BOOST_TEST(served.ask("node", "GET", secret).status == 404);
  BOOST_TEST(served.admin("DELETE", "/nodebound/v1/faults").status == 200);
  BOOST_TEST(served.ask("node", "GET", secret).status == 403);
  served.admin("POST", pods, pod);
  BOOST_TEST(served.ask("node", "GET", secret).status == 404);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(faults_at_run_time)

BOOST_AUTO_TEST_CASE(they_are_read_replaced_and_ended) {
  Served served({"status=500;path=/version;times=1"});
  const std::string faults = "/nodebound/v1/faults";
  BOOST_TEST((statuses(served, 3, "/version") == std::vector{500, 200, 200}));
  const Object shown = served.admin("GET", faults).json();
  BOOST_TEST(shown["faults"][0]["status"] == "500");
  BOOST_TEST(shown["faults"][0]["matched"] == 3);
  BOOST_TEST(shown["faults"][0]["hits"] == 1);
  // The shown faults can be sent back; their counters start anew.
  BOOST_TEST(served.admin("PUT", faults, shown.dump()).status == 200);
  BOOST_TEST((statuses(served, 2, "/version") == std::vector{500, 200}));
  BOOST_TEST(served.admin("DELETE", faults).json() == (Object{{"faults", Object::array()}}));
  BOOST_TEST((statuses(served, 2, "/version") == std::vector{200, 200}));
}

BOOST_AUTO_TEST_CASE(a_mistake_changes_nothing) {
  Served served({"status=500;path=/version"});
  const Answer refused = served.set(R"({"status": 429}, {"status": 404})");
  BOOST_TEST(refused.status == 400);
  BOOST_TEST(refused.json()["message"] == "faults[1]: status=404: expected 429 or 500");
  for (const char* body : {"", "[]", "{", "{}", R"({"faults":[],"more":1})", R"({"faults":[1]})"}) {
    BOOST_TEST(served.admin("PUT", "/nodebound/v1/faults", body).status == 400, body);
  }
  BOOST_TEST(served.admin("GET", "/version").status == 500);
  BOOST_TEST(served.admin("POST", "/nodebound/v1/faults", "{}").status == 405);
}

BOOST_AUTO_TEST_CASE(only_administrators_have_things_go_wrong) {
  Served served({"status=500"});
  // A fault that matches everything does not hit the endpoint that ends it.
  BOOST_TEST(served.admin("GET", "/nodebound/v1/faults").status == 200);
  const Answer refused = served.ask("node", "PUT", "/nodebound/v1/faults", R"({"faults":[]})");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(refused.json()["message"] == R"(forbidden: User "system:node:n" cannot put path "/nodebound/v1/faults")");
  BOOST_TEST(served.ask("nobody", "GET", "/nodebound/v1/faults").status == 401);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
