// That a server which keeps objects as text answers as one that keeps them ready for use.
#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/store/memory_journal.h"
#include "fakes/test/whole_pod.h"
#include "reference/cluster/kept_object.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(kept_text)

using namespace nodebound;
using namespace nodebound::apiserver;
using nodebound::test::rules_of;

namespace {

const Subject admin_of_both{"admin", {"system:masters"}, "", {}};

/// More than the writes whose objects are held ready for use.
constexpr int pods_at_first = 700;

struct Servers {
  HttpResponse ask(std::size_t which, const std::string& method, const std::string& target, const std::string& body,
                   const std::string& accept) {
    HttpRequest request{method, target, "application/json", whole_pod(method, target, body)};
    request.accept = accept;
    if (method == "PATCH") request.content_type = "application/merge-patch+json";
    return servers[which]->handle(admin_of_both, request);
  }

  /// Asks both; their answers must be the same to the byte.
  void same(const std::string& method, const std::string& target, const std::string& body = {},
            const std::string& accept = "application/json") {
    const HttpResponse ready = ask(0, method, target, body, accept);
    const HttpResponse text = ask(1, method, target, body, accept);
    const std::string what = method + " " + target + " " + body;
    BOOST_TEST(ready.status == text.status, what);
    BOOST_TEST((ready.body == text.body), what << "\n" << ready.body << "\n" << text.body);
    ++statuses[ready.status];
    if (ready.stream) streams.push_back({ready.stream, text.stream});
  }

  void same_events() {
    for (const auto& [ready, text] : streams) {
      std::string one;
      std::string other;
      BOOST_TEST(ready->take(one) == text->take(other));
      BOOST_TEST(one == other);
      events += one.empty() ? 0 : 1;
    }
  }

  void make(bool keeps_text, const std::shared_ptr<StoreJournal>& journal = nullptr) {
    ApiServer::Options options;
    options.history = 50;
    options.namespaces_first = true;
    options.tracks_updates = true;
    options.clock = [] { return std::chrono::system_clock::time_point(std::chrono::seconds(1'800'000'000)); };
    options.keeps_text = keeps_text;
    options.journal = journal;
    servers.push_back(std::make_unique<ApiServer>(rules, options));
  }

  RuleSet rules = rules_of("1.36.3");
  std::vector<std::unique_ptr<ApiServer>> servers;
  std::vector<std::pair<std::shared_ptr<BodyStream>, std::shared_ptr<BodyStream>>> streams;
  std::map<int, int> statuses;
  int events = 0;
};

std::string pod(int number) {
  const Object made = {
      {"metadata",
       {{"name", "p" + std::to_string(number)}, {"labels", {{"app", number % 3 == 0 ? "a" : "ü\"\\"}, {"n", "x"}}}}},
      {"spec", {{"nodeName", "node-" + std::to_string(number % 20)}}}};
  return made.dump();
}

const std::string account = R"({"metadata":{"name":"default"}})";
const std::string pods = "/api/v1/namespaces/default/pods";

void fill(Servers& servers) {
  servers.same("POST", "/api/v1/namespaces/default/serviceaccounts", account);
  for (int i = 0; i < pods_at_first; ++i) servers.same("POST", pods, pod(i));
}

/// What a client may ask at any time.
void ask_anything(Servers& servers, std::mt19937& random) {
  const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
  const std::string one = pods + "/p" + std::to_string(below(pods_at_first + 20));
  static const std::array<std::string, 9> queries = {"",
                                                     "?fieldSelector=spec.nodeName%3Dnode-7",
                                                     "?fieldSelector=spec.nodeName%3Dnode-1,status.phase%3DPending",
                                                     "?fieldSelector=status.phase%3DRunning",
                                                     "?fieldSelector=spec.nodeName!%3Dnode-7&limit=5",
                                                     "?labelSelector=app%3Da",
                                                     "?limit=7",
                                                     "?fieldSelector=metadata.name%3Dp3",
                                                     "?fieldSelector=spec.hostNetwork%3Dfalse&limit=3"};
  static const std::array<std::string, 4> forms = {"application/json", "application/vnd.kubernetes.protobuf",
                                                   "application/json;as=Table;v=v1;g=meta.k8s.io",
                                                   "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"};
  const std::string& query = queries[static_cast<std::size_t>(below(static_cast<int>(queries.size())))];
  const std::string& form = forms[static_cast<std::size_t>(below(static_cast<int>(forms.size())))];
  switch (below(10)) {
    case 0:
      return servers.same("POST", pods, pod(pods_at_first + below(20)), form);
    case 1:
      return servers.same("DELETE", one + "?gracePeriodSeconds=0", {}, form);
    case 2:
      return servers.same("PATCH", one, R"({"metadata":{"labels":{"n":")" + std::to_string(below(9)) + "\"}}}", form);
    case 3:
      return servers.same("PATCH", one + "/status", R"({"status":{"phase":"Running"}})", form);
    case 4:
      return servers.same("PUT", one, R"({"metadata":{"name":"p1"},"spec":{"nodeName":"node-1"}})");
    case 5:
      return servers.same("GET", pods + query, {}, below(2) == 0 ? form : "application/json");
    case 6:
      return servers.same("GET", pods + "?watch=1&" + (query.empty() ? "" : query.substr(1)));
    case 7:
      return servers.same("GET", pods + "?watch=1&resourceVersion=" + std::to_string(700 + below(100)), {}, form);
    case 8:
      return servers.same("POST", one + "/eviction",
                          R"({"metadata":{"name":")" + one.substr(pods.size() + 1) + R"("}})");
    default:
      return servers.same("GET", one, {}, form);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_answers_and_events_are_the_same) {
  Servers servers;
  servers.make(false);
  servers.make(true);
  fill(servers);
  std::mt19937 random(25);
  for (int i = 0; i < 600; ++i) {
    ask_anything(servers, random);
    if (i % 50 == 0) servers.same_events();
  }
  servers.same_events();
  for (const int status : {200, 201, 404, 409}) BOOST_TEST(servers.statuses[status] > 0, status);
  BOOST_TEST(servers.events > 10);
}

BOOST_AUTO_TEST_CASE(with_a_journal_too_and_after_a_restart) {
  Servers servers;
  const std::array journals = {std::make_shared<MemoryJournal>(), std::make_shared<MemoryJournal>()};
  servers.make(false, journals[0]);
  servers.make(true, journals[1]);
  fill(servers);
  std::mt19937 random(26);
  for (int i = 0; i < 100; ++i) ask_anything(servers, random);
  servers.same_events();
  servers.streams.clear();
  servers.servers.clear();
  servers.make(false, journals[0]);
  servers.make(true, journals[1]);
  for (int i = 0; i < 100; ++i) ask_anything(servers, random);
  servers.same_events();
  BOOST_TEST(servers.statuses[200] > 0);
}

BOOST_AUTO_TEST_CASE(an_object_is_shared_by_those_who_hold_it_at_the_same_time) {
  ObjectPtr object = std::make_shared<const Object>(Object{{"spec", {{"replicas", 3}, {"share", 0.1}}}});
  CommonTexts common;
  const KeptObject kept = KeptObject::as_text(object, common);
  BOOST_TEST(kept.open() == object);
  const Object before = *object;
  object.reset();
  const ObjectPtr one = kept.open();
  BOOST_TEST(*one == before);
  BOOST_TEST(kept.open() == one);
  BOOST_TEST_REQUIRE(kept.own_text() != nullptr);
  BOOST_TEST(*kept.own_text() == kept.json());
  BOOST_TEST(!KeptObject());
  BOOST_TEST((KeptObject().open() == nullptr));
  BOOST_TEST(KeptObject(one).own_text() == nullptr);
}

BOOST_AUTO_TEST_CASE(managed_fields_are_kept_once_for_all_who_have_them) {
  const auto pod_with = [](const std::string& name, const std::string& field) {
    Object fields;
    for (int i = 0; i < 20; ++i) fields["f:spec"]["f:" + field + std::to_string(i)] = Object::object();
    return Object{{"metadata",
                   {{"name", name},
                    {"annotations", {{"a", R"("fieldsV1":{"x":"}{)"}, {"b\\", "\"fieldsV1\":{"}}},
                    {"managedFields", {{{"manager", "one"}, {"fieldsV1", fields}}, {{"fieldsV1", {{"f:x", {{}}}}}}}}}},
                  {"status", {{"fieldsV1", fields}}}};
  };
  CommonTexts common;
  std::vector<KeptObject> kept;
  std::vector<Object> objects;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 200; ++i) {
      objects.push_back(pod_with("p" + std::to_string(i), i % 2 == 0 ? "same" : "q\"{" + std::to_string(i)));
      kept.push_back(KeptObject::as_text(std::make_shared<const Object>(objects.back()), common));
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      BOOST_TEST(kept[i].json() == json_text(objects[i]));
      BOOST_TEST(*kept[i].open() == objects[i]);
      BOOST_TEST((kept[i].own_text()->find("same1") == std::string::npos));
    }
    // Texts that nobody has any more are dropped meanwhile.
    if (round == 1) {
      kept.clear();
      objects.clear();
    }
  }
}

BOOST_AUTO_TEST_CASE(what_admission_adds_to_each_pod_is_kept_once) {
  const std::string filler(200, 'x');
  const Object tolerations = {{{"key", "a"}, {"value", filler}}, {{"key", "]\"tolerations\":["}}};
  const Object sources = {{{"serviceAccountToken", {{"path", "token"}}}}, {{"tolerations", tolerations}}, filler};
  const auto pod_of = [&](const std::string& name) {
    return std::make_shared<const Object>(
        Object{{"metadata", {{"name", name}, {"annotations", {{"a", R"("sources":[)"}}}}},
               {"spec",
                {{"tolerations", tolerations}, {"volumes", {{{"name", name}, {"projected", {{"sources", sources}}}}}}}},
               {"status", {{"sources", {1, 2}}, {"tolerations", {}}}}});
  };
  CommonTexts common;
  for (const char* name : {"one", "two"}) {
    const ObjectPtr pod = pod_of(name);
    const KeptObject kept = KeptObject::as_text(pod, common);
    BOOST_TEST(kept.json() == json_text(*pod));
    BOOST_TEST_REQUIRE(kept.own_text() != nullptr);
    BOOST_TEST(kept.own_text()->find(filler) == std::string::npos);
    BOOST_TEST(kept.own_text()->find(R"("sources":[1,2])") != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()
