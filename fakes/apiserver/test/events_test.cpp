#include <boost/test/unit_test.hpp>

#include "fakes/test/whole_cluster.h"

// As kube-apiserver 1.36.3 converts and validates them.
BOOST_AUTO_TEST_SUITE(events_of_two_groups)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Events : WholeCluster {
  Events() { make_shop(); }

  const std::string core = "/api/v1/namespaces/shop/events";
  const std::string other = "/apis/events.k8s.io/v1/namespaces/shop/events";
  const char* const seen =
      R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"p"},"reason":"Seen",)"
      R"("message":"hello","type":"Normal","count":2,"source":{"component":"kubelet"}})";
  const char* const reported =
      R"({"metadata":{"name":"r"},"eventTime":"2026-01-02T03:04:05.000000Z","reportingController":"example.com/c",)"
      R"("reportingInstance":"i","action":"Did","reason":"Because","type":"Warning","note":"there",)"
      R"("regarding":{"kind":"Pod","namespace":"shop","name":"p"}})";
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_event_is_served_in_both_with_its_fields_renamed, Events) {
  BOOST_TEST(post(core, seen).status == 201);
  const Object own = get(core + "/e");
  const Object there = get(other + "/e");
  BOOST_TEST(text(there, "apiVersion") == "events.k8s.io/v1");
  BOOST_TEST(there["metadata"] == own["metadata"]);
  BOOST_TEST(there["regarding"] == own["involvedObject"]);
  BOOST_TEST(there["note"] == "hello");
  BOOST_TEST(there["deprecatedCount"] == 2);
  BOOST_TEST(there["deprecatedSource"] == Object({{"component", "kubelet"}}));
  BOOST_TEST(there["deprecatedFirstTimestamp"].is_null());
  for (const char* gone : {"involvedObject", "message", "count", "source", "reportingComponent", "reportingInstance"}) {
    BOOST_TEST(!there.contains(gone), gone);
  }
}

BOOST_FIXTURE_TEST_CASE(what_one_group_writes_the_other_shows, Events) {
  BOOST_TEST(post(other, reported).status == 201);
  BOOST_TEST(text(get(core + "/r"), "reportingComponent") == "example.com/c");
  BOOST_TEST(text(get(core + "/r"), "message") == "there");
  BOOST_TEST(post(core, R"({"metadata":{"name":"r"},"involvedObject":{"namespace":"shop"}})").status == 409);
  const Answer changed =
      call(admin, "PATCH", core + "/r", R"({"metadata":{"labels":{"a":"b"}}})", "application/merge-patch+json");
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(get(other + "/r")["metadata"] == changed.body["metadata"]);
  BOOST_TEST(get(other + "?fieldSelector=regarding.name%3Dp")["items"].size() == 1U);
  BOOST_TEST(get(core + "?fieldSelector=involvedObject.name%3Dp")["items"].size() == 1U);
  BOOST_TEST(call(admin, "DELETE", core + "/r").status == 200);
  BOOST_TEST(get(other + "/r")["code"] == 404);
  BOOST_TEST(get(other)["items"].empty());
}

BOOST_FIXTURE_TEST_CASE(the_newer_group_is_stricter, Events) {
  const auto refused = [&](const char* event) { return message(post(other, event)); };
  BOOST_TEST(refused(R"({"metadata":{"name":"x"},"regarding":{"namespace":"shop"}})") ==
             "Event.events.k8s.io \"x\" is invalid: [eventTime: Required value, type: Invalid value: \"\": has invalid "
             "value: ]");
  BOOST_TEST(refused(R"({"metadata":{"name":"x"},"regarding":{"namespace":"shop"},"type":"Normal","deprecatedCount":1,)"
                     R"("eventTime":"2026-01-02T03:04:05.000000Z","reportingController":"c","reportingInstance":"i",)"
                     R"("action":"a","reason":"r","series":{"count":1,"lastObservedTime":null}})") ==
             "Event.events.k8s.io \"x\" is invalid: [series.count: Invalid value: \"\": should be at least 2, "
             "series.lastObservedTime: Required value, count: Invalid value: \"\": needs to be unset]");
  BOOST_TEST(post(other, reported).status == 201);
  const Answer noted = call(admin, "PATCH", other + "/r", R"({"note":"here"})", "application/merge-patch+json");
  BOOST_TEST(message(noted) ==
             "Event.events.k8s.io \"r\" is invalid: message: Invalid value: \"here\": field is immutable");
  BOOST_TEST(call(admin, "PATCH", core + "/r", R"({"message":"here"})", "application/merge-patch+json").status == 200);
}

BOOST_FIXTURE_TEST_CASE(an_event_with_a_time_needs_who_reports_it, Events) {
  BOOST_TEST(
      message(post(core, R"({"metadata":{"name":"x"},"involvedObject":{"namespace":"shop"},)"
                         R"("eventTime":"2026-01-02T03:04:05.000000Z","reason":"r"})")) ==
      "Event \"x\" is invalid: [reportingComponent: Required value, reportingComponent: Invalid value: \"\": name "
      "part must be non-empty, reportingComponent: Invalid value: \"\": name part must consist of alphanumeric "
      "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "
      "'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), "
      "reportingInstance: Required value, action: Required value]");
}

BOOST_AUTO_TEST_SUITE_END()
