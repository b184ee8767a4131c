#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/store/change.h"
#include "fakes/test/whole_pod.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(watch)

using namespace nodebound;
using namespace nodebound::apiserver;
using nodebound::test::rules_of;

namespace {

const Subject admin{"admin", {"system:masters"}, "", {}};
const std::string maps = "/api/v1/namespaces/ns/configmaps";

struct Served {
  explicit Served(ApiServer::Options options = {}) : rules(rules_of("1.36.3")) {
    options.history = 8;
    options.clock = [this] { return std::chrono::system_clock::time_point(time); };
    server = std::make_unique<ApiServer>(rules, options);
  }

  HttpResponse call(const char* method, const std::string& target, const std::string& body = {},
                    const std::string& accept = {}) {
    HttpRequest request{method, target, "application/json", whole_pod(method, target, body)};
    request.accept = accept;
    if (request.method == "PATCH") request.content_type = "application/merge-patch+json";
    return server->handle(admin, request);
  }
  Object json(const char* method, const std::string& target, const std::string& body = {}) {
    return Object::parse(call(method, target, body).body);
  }
  void make(const std::string& name, const std::string& label = "1") {
    call("POST", maps, R"({"metadata":{"name":")" + name + R"(","labels":{"x":")" + label + R"("}}})");
  }
  void relabel(const std::string& name, const std::string& label) {
    call("PATCH", maps + "/" + name, R"({"metadata":{"labels":{"x":")" + label + R"("}}})");
  }
  std::string version() { return json("GET", maps)["metadata"]["resourceVersion"].get<std::string>(); }
  std::shared_ptr<BodyStream> watch(const std::string& query) { return call("GET", maps + "?watch=1&" + query).stream; }

  RuleSet rules;
  std::chrono::seconds time{1'800'000'000};
  std::unique_ptr<ApiServer> server;
};

// `ADDED a, DELETED b`
std::string taken(BodyStream& stream) {
  std::string text;
  std::string out;
  stream.take(text);
  while (!text.empty()) {
    const Object event = Object::parse(text.substr(0, text.find('\n')));
    text.erase(0, text.find('\n') + 1);
    const Object& object = event["object"];
    out += (out.empty() ? "" : ", ") + event["type"].get<std::string>();
    const std::string_view name = nodebound::text(object, "metadata", "name");
    if (!name.empty()) out += " " + std::string(name);
  }
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(watches, Served)

BOOST_AUTO_TEST_CASE(a_watch_begins_with_what_is_there_and_goes_on) {
  make("a");
  const auto stream = watch("");
  BOOST_REQUIRE(stream);
  BOOST_TEST(taken(*stream) == "ADDED a");
  make("b");
  relabel("a", "2");
  call("DELETE", maps + "/b");
  BOOST_TEST(taken(*stream) == "ADDED b, MODIFIED a, DELETED b");
  call("POST", "/api/v1/namespaces/other/configmaps", R"({"metadata":{"name":"c"}})");
  BOOST_TEST(taken(*stream) == "");
}

BOOST_AUTO_TEST_CASE(events_are_whole_objects_with_the_version_of_the_change) {
  make("a");
  const auto stream = watch("resourceVersion=" + version());
  call("DELETE", maps + "/a");
  std::string text;
  BOOST_TEST(stream->take(text));
  const Object event = Object::parse(text);
  BOOST_TEST(event["object"]["kind"] == "ConfigMap");
  BOOST_TEST(event["object"]["apiVersion"] == "v1");
  BOOST_TEST(event["object"]["metadata"]["resourceVersion"] == version());
}

BOOST_AUTO_TEST_CASE(a_watch_goes_on_from_a_version) {
  make("a");
  const std::string from = version();
  make("b");
  relabel("b", "2");
  BOOST_TEST(taken(*watch("resourceVersion=" + from)) == "ADDED b, MODIFIED b");
  BOOST_TEST(taken(*watch("resourceVersion=" + version())) == "");
}

BOOST_AUTO_TEST_CASE(a_version_that_is_too_old_ends_the_watch) {
  make("a");
  for (int i = 0; i < 9; ++i) relabel("a", "v" + std::to_string(i));
  const auto stream = watch("resourceVersion=1");
  std::string text;
  BOOST_TEST(!stream->take(text));
  const Object event = Object::parse(text);
  BOOST_TEST(event["type"] == "ERROR");
  BOOST_TEST(event["object"]["code"] == 410);
  BOOST_TEST(event["object"]["reason"] == "Expired");
  BOOST_TEST(event["object"]["message"] == "too old resource version: 1 (3)");
}

BOOST_AUTO_TEST_CASE(what_leaves_the_selection_is_deleted_for_who_watches_it) {
  make("a", "1");
  make("b", "2");
  const auto stream = watch("labelSelector=x%3D1");
  BOOST_TEST(taken(*stream) == "ADDED a");
  relabel("a", "2");
  relabel("b", "1");
  BOOST_TEST(taken(*stream) == "DELETED a, ADDED b");
  relabel("a", "3");
  BOOST_TEST(taken(*stream) == "");
}

BOOST_AUTO_TEST_CASE(the_initial_events_end_with_a_bookmark) {
  make("a");
  const auto stream = watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  std::string text;
  stream->take(text);
  const Object bookmark = Object::parse(text.substr(text.find('\n') + 1));
  BOOST_TEST(bookmark["type"] == "BOOKMARK");
  BOOST_TEST(bookmark["object"]["metadata"]["annotations"]["k8s.io/initial-events-end"] == "true");
  BOOST_TEST(bookmark["object"]["metadata"]["resourceVersion"] == version());
  BOOST_TEST(bookmark["object"]["kind"] == "ConfigMap");
}

// As Go writes an object of the kind that is empty.
BOOST_AUTO_TEST_CASE(a_bookmark_has_the_fields_that_are_never_left_out) {
  const auto bookmark_at = [](const char* release) {
    const RuleSet own_rules = test::rules_of(release);
    ApiServer own(own_rules);
    const std::string target =
        "/api/v1/pods?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const HttpResponse response =
        own.handle({"root", {"system:masters"}, "", {}}, {"GET", target, "", "", true, {}, {}});
    std::string text;
    response.stream->take(text);
    Object object = Object::parse(text)["object"];
    object["metadata"].erase("resourceVersion");
    return object.dump();
  };
  BOOST_TEST(bookmark_at("1.36.3") ==
             R"({"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}},)"
             R"("spec":{"containers":null},"status":{}})");
  BOOST_TEST(bookmark_at("1.32.0").find(R"("creationTimestamp":null)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bookmarks_are_asked_for_by_a_flag_without_a_value) {
  make("a");
  const auto bookmarks = [&](const std::string& flag) {
    const auto stream = watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&" + flag);
    std::string text;
    stream->take(text);
    return text.find("BOOKMARK") != std::string::npos;
  };
  BOOST_TEST(bookmarks("allowWatchBookmarks="));
  BOOST_TEST(!bookmarks("allowWatchBookmarks=False"));
  BOOST_TEST(!bookmarks("allowWatchBookmarks=0"));
}

BOOST_AUTO_TEST_CASE(a_watch_ends_when_its_time_has_come) {
  const auto stream = watch("timeoutSeconds=5&allowWatchBookmarks=true&resourceVersion=" + version());
  int ready = 0;
  stream->on_ready([&] { ++ready; });
  std::string text;
  server->tick();
  BOOST_TEST(stream->take(text));
  BOOST_TEST(text.empty());
  BOOST_TEST(ready == 0);
  time += std::chrono::seconds(3);
  server->tick();
  BOOST_TEST(taken(*stream) == "BOOKMARK");
  time += std::chrono::seconds(2);
  server->tick();
  BOOST_TEST(ready == 2);
  BOOST_TEST(!stream->take(text));
}

BOOST_AUTO_TEST_CASE(a_watch_that_begins_later_may_end_first) {
  const auto ended = [](BodyStream& stream) {
    std::string text;
    return !stream.take(text);
  };
  const auto longer = watch("timeoutSeconds=60");
  server->tick();
  const auto shorter = watch("timeoutSeconds=5");
  time += std::chrono::seconds(5);
  server->tick();
  BOOST_TEST(ended(*shorter));
  BOOST_TEST(!ended(*longer));
  time += std::chrono::seconds(55);
  server->tick();
  BOOST_TEST(ended(*longer));
}

BOOST_AUTO_TEST_CASE(who_does_not_read_is_ended_and_keeps_little) {
  make("a");
  const auto slow = watch("resourceVersion=" + version());
  const auto quick = watch("resourceVersion=" + version());
  std::string read;
  bool goes_on = true;
  for (int i = 0; i < 3000; ++i) {
    relabel("a", std::to_string(i));
    goes_on = goes_on && quick->take(read);
  }
  BOOST_TEST(goes_on);
  BOOST_TEST(std::count(read.begin(), read.end(), '\n') == 3000);
  std::string kept;
  while (slow->take(kept)) BOOST_REQUIRE(kept.size() < 10'000'000U);
  const auto events = std::count(kept.begin(), kept.end(), '\n');
  BOOST_TEST(events > 500);
  BOOST_TEST(events < 1500);
}

BOOST_AUTO_TEST_CASE(what_is_taken_at_once_is_bounded) {
  call("POST", maps, R"({"metadata":{"name":"a"},"data":{"a":")" + std::string(100'000, 'x') + R"("}})");
  const auto stream = watch("");
  for (int i = 0; i < 20; ++i) relabel("a", std::to_string(i));
  std::string text;
  int pieces = 0;
  while (std::count(text.begin(), text.end(), '\n') < 21) {
    std::string piece;
    BOOST_TEST(stream->take(piece));
    BOOST_REQUIRE(!piece.empty());
    BOOST_TEST(piece.size() < 500'000U);
    text += piece;
    ++pieces;
  }
  BOOST_TEST(pieces > 3);
}

BOOST_AUTO_TEST_CASE(who_reads_protobuf_gets_each_event_as_others_do) {
  const std::string protobuf = "application/vnd.kubernetes.protobuf;stream=watch";
  const auto first = call("GET", maps + "?watch=1&resourceVersion=" + version(), "", protobuf).stream;
  const auto second = call("GET", maps + "?watch=1&resourceVersion=" + version(), "", protobuf).stream;
  const auto metadata =
      call("GET", maps + "?watch=1&resourceVersion=" + version(), "",
           "application/vnd.kubernetes.protobuf;stream=watch;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
          .stream;
  call("POST", maps, R"({"metadata":{"name":"a"},"data":{"k":"the whole object has this"}})");
  std::string one;
  std::string other;
  std::string less;
  first->take(one);
  second->take(other);
  metadata->take(less);
  BOOST_TEST(one.find("the whole object has this") != std::string::npos);
  BOOST_TEST(one == other);
  BOOST_TEST(!less.empty());
  BOOST_TEST(less.find("the whole object has this") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_change_is_written_in_protobuf_once_for_each_kind) {
  Change change;
  change.object = std::make_shared<const Object>(Object{{"spec", "x"}});
  int written = 0;
  const auto write = [&](const Object& object) { return object.dump() + std::to_string(++written); };
  BOOST_TEST(change.protobuf("v1/Pod", write) == R"({"spec":"x"}1)");
  BOOST_TEST(change.protobuf("v2/Pod", write) == R"({"spec":"x"}2)");
  BOOST_TEST(change.protobuf("v1/Pod", write) == R"({"spec":"x"}1)");
}

BOOST_AUTO_TEST_CASE(readers_and_writers_do_not_disturb_each_other) {
  const auto stream = watch("");
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 40; ++i) make("o" + std::to_string(t) + "-" + std::to_string(i));
    });
    threads.emplace_back([this, &stream] {
      std::string text;
      for (int i = 0; i < 40; ++i) {
        call("GET", maps + "?limit=3");
        stream->take(text);
        watch("");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(json("GET", maps)["items"].size() == 120U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(lists, Served)

BOOST_AUTO_TEST_CASE(pages_show_one_moment) {
  for (const char* name : {"a", "b", "c"}) make(name);
  const Object first = json("GET", maps + "?limit=2");
  BOOST_TEST(first["items"].size() == 2U);
  BOOST_TEST(first["metadata"]["remainingItemCount"] == 1);
  make("bb");
  call("DELETE", maps + "/c");
  const std::string token = first["metadata"]["continue"].get<std::string>();
  const Object second = json("GET", maps + "?limit=2&continue=" + token);
  BOOST_REQUIRE(second["items"].size() == 1U);
  BOOST_TEST(second["items"][0]["metadata"]["name"] == "c");
  BOOST_TEST(!second["metadata"].contains("continue"));
  BOOST_TEST(second["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]);
  for (int i = 0; i < 9; ++i) relabel("a", "v" + std::to_string(i));
  const Object expired = json("GET", maps + "?limit=2&continue=" + token);
  BOOST_TEST(expired["code"] == 410);
  const std::string anew = expired["metadata"]["continue"].get<std::string>();
  BOOST_TEST(json("GET", maps + "?continue=" + anew)["items"][0]["metadata"]["name"] == "bb");
}

BOOST_AUTO_TEST_CASE(a_list_of_all_namespaces_is_in_the_order_of_namespace_slash_name) {
  for (const char* in : {"a", "a-b", "a0", "b"}) {
    for (const char* name : {"y", "x"}) {
      call("POST", "/api/v1/namespaces/" + std::string(in) + "/configmaps",
           R"({"metadata":{"name":")" + std::string(name) + R"("}})");
    }
  }
  const auto listed = [&](const std::string& query) {
    const Object list = json("GET", "/api/v1/configmaps" + query);
    std::string out;
    for (const Object& item : list["items"]) {
      out += std::string(text(item, "metadata", "namespace")) + "/" + std::string(text(item, "metadata", "name")) + " ";
    }
    return out;
  };
  const std::string all = "a-b/x a-b/y a/x a/y a0/x a0/y b/x b/y ";
  BOOST_TEST(listed("") == all);
  // At an earlier version, where one object was another and one was not deleted yet.
  const std::string before = version();
  call("DELETE", "/api/v1/namespaces/b/configmaps/x");
  call("PATCH", "/api/v1/namespaces/a/configmaps/y", R"({"metadata":{"labels":{"x":"1"}}})");
  BOOST_TEST(listed("?resourceVersionMatch=Exact&resourceVersion=" + before) == all);
}

BOOST_AUTO_TEST_CASE(a_list_can_be_of_an_earlier_version) {
  make("a");
  const std::string then = version();
  make("b");
  call("DELETE", maps + "/a");
  const Object list = json("GET", maps + "?resourceVersionMatch=Exact&resourceVersion=" + then);
  BOOST_REQUIRE(list["items"].size() == 1U);
  BOOST_TEST(list["items"][0]["metadata"]["name"] == "a");
  BOOST_TEST(json("GET", maps + "?resourceVersion=" + then)["items"][0]["metadata"]["name"] == "b");
}

BOOST_AUTO_TEST_CASE(a_version_that_is_none_yet_is_too_large) {
  const Object status = json("GET", maps + "?resourceVersion=999");
  BOOST_TEST(status["code"] == 504);
  BOOST_TEST(status["message"] == "Timeout: Too large resource version: 999, current: 1");
  BOOST_TEST(json("GET", maps + "/a?resourceVersion=999")["code"] == 504);
}

BOOST_AUTO_TEST_CASE(options_that_do_not_go_together_are_refused) {
  const auto message = [&](const std::string& query) {
    return json("GET", maps + "?" + query)["message"].get<std::string>();
  };
  BOOST_TEST(
      message("resourceVersionMatch=Exact") ==
      R"(ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided)");
  BOOST_TEST(
      message("watch=1&resourceVersionMatch=Exact&resourceVersion=1") ==
      R"(ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"])");
  BOOST_TEST(
      message("watch=1&sendInitialEvents=") ==
      R"(ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan)");
  BOOST_TEST(message("limit=abc") == R"(strconv.ParseInt: parsing "abc": invalid syntax)");
  BOOST_TEST(
      message("resourceVersion=abc") ==
      R"(invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax)");
}

// Tried on kube-apiserver 1.28.15: events have no watch cache.
BOOST_AUTO_TEST_CASE(etcd_answers_what_is_read_of_events) {
  const std::string events = "/api/v1/namespaces/default/events";
  const std::string what =
      R"(invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax)";
  BOOST_TEST(json("GET", events + "?resourceVersion=x")["message"] == what);
  BOOST_TEST(json("GET", events + "/a?resourceVersion=x")["message"] == what);
  BOOST_TEST(json("GET", maps + "/a?resourceVersion=x")["code"] == 500);
  for (const char* name : {"a", "b"}) {
    call("POST", events,
         R"({"metadata":{"name":")" + std::string(name) +
             R"("},"involvedObject":{"kind":"Pod","namespace":"default","name":"p"}})");
    make(name);
  }
  BOOST_TEST(json("GET", events + "?limit=1&resourceVersion=0")["items"].size() == 1U);
  BOOST_TEST(json("GET", maps + "?limit=1&resourceVersion=0")["items"].size() == 2U);
  BOOST_TEST(json("GET", maps + "?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan")["items"].size() == 2U);
  BOOST_TEST(!json("GET", events + "?resourceVersion=999")["details"].contains("retryAfterSeconds"));
  BOOST_TEST(json("GET", maps + "?resourceVersion=999")["details"]["retryAfterSeconds"] == 1);
  // etcd answers for an exact version of one object.
  const std::string exact = maps + "?resourceVersion=999&limit=1";
  BOOST_TEST(json("GET", exact)["details"]["retryAfterSeconds"] == 1);
  BOOST_TEST(!json("GET", exact + "&fieldSelector=metadata.name=a")["details"].contains("retryAfterSeconds"));
}

// Texts of kube-apiserver 1.36.3.
BOOST_AUTO_TEST_CASE(metadata_of_a_list_is_not_that_of_an_object) {
  const auto asked = [&](const std::string& target, const std::string& as) {
    return Object::parse(call("GET", target, "", "application/json;g=meta.k8s.io;v=v1;as=" + as).body);
  };
  BOOST_TEST(asked(maps, "PartialObjectMetadataList")["items"].is_null());
  make("a");
  BOOST_TEST(asked(maps, "PartialObjectMetadataList")["kind"] == "PartialObjectMetadataList");
  BOOST_TEST(asked(maps, "PartialObjectMetadata")["message"] ==
             "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)");
  const Object one = asked(maps + "/a", "PartialObjectMetadataList");
  BOOST_TEST(one["code"] == 406);
  BOOST_TEST(one["message"] ==
             "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)");
  BOOST_TEST(asked("/apis/events.k8s.io/v1/events", "PartialObjectMetadata")["message"] ==
             "you requested PartialObjectMetadata, but the requested object is a list (*core.EventList)");
}

BOOST_AUTO_TEST_CASE(a_review_has_no_table) {
  const std::string reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const char* const review = R"({"spec":{"nonResourceAttributes":{"path":"/x","verb":"get"}}})";
  BOOST_TEST(call("POST", reviews, review, table).status == 406);
  BOOST_TEST(call("POST", reviews, review, table + ",application/json").status == 201);
}

BOOST_AUTO_TEST_CASE(a_collection_that_can_be_watched_is_refused_with_the_types_of_watches) {
  const auto message = [&](const std::string& target) {
    return Object::parse(call("GET", target, "", "text/html").body)["message"].get<std::string>();
  };
  BOOST_TEST(message(maps).ends_with(", application/vnd.kubernetes.protobuf;stream=watch"));
  BOOST_TEST(message(maps + "/a").ends_with("application/yaml, application/vnd.kubernetes.protobuf"));
}

BOOST_AUTO_TEST_CASE(a_client_may_ask_for_a_table_or_for_metadata_alone) {
  make("a");
  const Object table =
      Object::parse(call("GET", maps, "", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json").body);
  BOOST_TEST(table["kind"] == "Table");
  BOOST_TEST(table["columnDefinitions"][1]["name"] == "Data");
  BOOST_TEST(table["rows"][0]["cells"] == (Object{"a", 0, "0s"}));
  BOOST_TEST(table["rows"][0]["object"]["kind"] == "PartialObjectMetadata");
  const Object partial =
      Object::parse(call("GET", maps + "/a", "", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io").body);
  BOOST_TEST(partial["kind"] == "PartialObjectMetadata");
  BOOST_TEST(partial["metadata"]["name"] == "a");
  BOOST_TEST(call("GET", maps, "", "text/html").status == 406);
}

BOOST_AUTO_TEST_CASE(a_table_holds_as_much_of_its_objects_as_the_client_asks_for) {
  make("a");
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const auto row = [&](const std::string& include) {
    return Object::parse(call("GET", maps + "?includeObject=" + include, "", table).body)["rows"][0];
  };
  BOOST_TEST(!row("None").contains("object"));
  BOOST_TEST(row("Metadata")["object"]["kind"] == "PartialObjectMetadata");
  BOOST_TEST(row("Object")["object"]["kind"] == "ConfigMap");
}

BOOST_AUTO_TEST_CASE(what_a_table_cannot_hold_is_refused_when_it_is_made) {
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const HttpResponse made = call("POST", maps + "?includeObject=all", R"({"metadata":{"name":"a"}})", table);
  BOOST_TEST(made.status == 400);
  BOOST_TEST(text(Object::parse(made.body), "message") ==
             R"(Unable to convert to Table as requested: includeObject: Invalid value: "all": must be 'Metadata', )"
             R"('Object', 'None', or empty)");
  BOOST_TEST(call("GET", maps + "/a?includeObject=all").status == 200);
  BOOST_TEST(call("GET", maps + "/a?includeObject=all", "", table).status == 400);
  BOOST_TEST(call("GET", maps + "/none?includeObject=all", "", table).status == 404);
  BOOST_TEST(call("GET", maps + "?watch=1&includeObject=all", "", table).status == 400);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(deletions, Served)

BOOST_AUTO_TEST_CASE(preconditions_must_hold) {
  make("a");
  const Object status = json("DELETE", maps + "/a", R"({"preconditions":{"uid":"x"}})");
  BOOST_TEST(status["code"] == 409);
  BOOST_TEST(
      status["message"] ==
      R"(Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (00000000-0000-4000-8000-000000000001). The object might have been deleted and then recreated)");
  BOOST_TEST(json("DELETE", maps + "/a", R"({"preconditions":{"resourceVersion":"1"}})")["code"] == 409);
  BOOST_TEST(json("DELETE", maps + "/a", R"({"propagationPolicy":"Foo"})")["code"] == 422);
  BOOST_TEST(json("DELETE", maps + "/a")["details"]["uid"] == "00000000-0000-4000-8000-000000000001");
}

BOOST_AUTO_TEST_CASE(a_bound_pod_gets_time_to_end) {
  const std::string pods = "/api/v1/namespaces/ns/pods";
  call("POST", pods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","serviceAccountName":"s"}})");
  const Object waiting = json("DELETE", pods + "/p");
  BOOST_TEST(waiting["metadata"]["deletionGracePeriodSeconds"] == 30);
  BOOST_TEST(waiting["metadata"]["deletionTimestamp"] == "2027-01-15T08:00:30Z");
  BOOST_TEST(json("DELETE", pods + "/p") == waiting);
  BOOST_TEST(call("DELETE", pods + "/p?gracePeriodSeconds=0").status == 200);
  BOOST_TEST(call("GET", pods + "/p").status == 404);
}

BOOST_AUTO_TEST_CASE(a_held_object_goes_with_its_last_finalizer) {
  call("POST", maps, R"({"metadata":{"name":"a","finalizers":["x/y"]}})");
  BOOST_TEST(json("DELETE", maps + "/a")["metadata"].contains("deletionTimestamp"));
  BOOST_TEST(call("GET", maps + "/a").status == 200);
  call("PATCH", maps + "/a", R"({"metadata":{"finalizers":null}})");
  BOOST_TEST(call("GET", maps + "/a").status == 404);
}

BOOST_AUTO_TEST_SUITE_END()

// Tried on kube-apiserver 1.31.14 and 1.34.4.
BOOST_AUTO_TEST_CASE(at_1_31_a_watch_of_a_name_in_all_namespaces_begins_empty) {
  const auto begun = [](const char* release, const std::string& collection) {
    const RuleSet at = rules_of(release);
    ApiServer asked(at, {});
    asked.handle(admin, {"POST", maps, "application/json", R"({"metadata":{"name":"a"}})"});
    std::string events;
    asked.handle(admin, {"GET", collection + "?watch=1&fieldSelector=metadata.name%3Da", "", ""}).stream->take(events);
    return !events.empty();
  };
  BOOST_TEST(!begun("1.31.14", "/api/v1/configmaps"));
  BOOST_TEST(begun("1.31.14", maps));
  BOOST_TEST(begun("1.34.4", "/api/v1/configmaps"));
}

BOOST_AUTO_TEST_SUITE_END()
