#include "reference/authorizer/attributes.h"

#include <boost/test/unit_test.hpp>
#include <string>

namespace nodebound {

std::ostream& operator<<(std::ostream& out, const FieldRequirement& term) {
  return out << term.field << term.op << term.value;
}

}  // namespace nodebound

BOOST_AUTO_TEST_SUITE(attributes)

using namespace nodebound;

namespace {

const std::string secrets = "/api/v1/namespaces/ns/secrets";

// One line for a request: verb, group/version, namespace, resource/subresource and name; `-` stands for nothing.
std::string summary(const Attributes& a) {
  const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  if (!a.resource_request) return a.verb + " path " + a.path;
  return or_dash(a.verb) + " " + or_dash(a.api_group) + "/" + or_dash(a.api_version) + " " + or_dash(a.namespace_) +
         " " + or_dash(a.full_resource()) + " " + or_dash(a.name);
}

struct Row {
  const char* method;
  const char* target;
  const char* expected;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.method << " " << row.target) {
      BOOST_TEST(summary(attributes_of(row.method, row.target)) == row.expected);
    }
  }
}

// The name that this field selector of a list of secrets gives the request.
std::string selected_name(const std::string& selector) {
  return attributes_of("GET", secrets + "?fieldSelector=" + selector).name;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verbs)

BOOST_AUTO_TEST_CASE(the_method_gives_the_verb) {
  check({
      {"POST", "/api/v1/namespaces/ns/pods", "create -/v1 ns pods -"},
      {"GET", "/api/v1/namespaces/ns/pods/p", "get -/v1 ns pods p"},
      {"HEAD", "/api/v1/namespaces/ns/pods/p", "get -/v1 ns pods p"},
      {"PUT", "/api/v1/namespaces/ns/pods/p", "update -/v1 ns pods p"},
      {"PATCH", "/api/v1/namespaces/ns/pods/p", "patch -/v1 ns pods p"},
      {"DELETE", "/api/v1/namespaces/ns/pods/p", "delete -/v1 ns pods p"},
  });
}

BOOST_AUTO_TEST_CASE(a_read_without_name_is_a_list_and_a_delete_without_name_one_of_the_collection) {
  check({
      {"GET", "/api/v1/namespaces/ns/pods", "list -/v1 ns pods -"},
      {"HEAD", "/api/v1/namespaces/ns/pods", "list -/v1 ns pods -"},
      {"GET", "/api/v1/nodes", "list -/v1 - nodes -"},
      {"DELETE", "/api/v1/namespaces/ns/pods", "deletecollection -/v1 ns pods -"},
      {"DELETE", "/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName=n1",
       "deletecollection resource.k8s.io/v1 - resourceslices -"},
  });
}

BOOST_AUTO_TEST_CASE(a_method_of_another_kind_has_no_verb) {
  check({
      {"OPTIONS", "/api/v1/namespaces/ns/pods/p", "- -/v1 ns pods p"},
      {"CONNECT", "/api/v1/nodes/n1", "- -/v1 - nodes n1"},
      {"get", "/api/v1/nodes/n1", "- -/v1 - nodes n1"},
      {"", "/api/v1/nodes/n1", "- -/v1 - nodes n1"},
      {"PROPFIND", "/api/v1/nodes", "- -/v1 - nodes -"},
  });
}

BOOST_AUTO_TEST_CASE(the_watch_parameter_makes_a_watch_unless_it_says_no) {
  for (const char* query : {"watch=true", "watch=1", "watch", "watch=", "watch=yes", "watch=TRUE", "a=b&watch=true",
                            "%77atch=true", "watch=true&watch=false", "watch=%74rue"}) {
    BOOST_TEST_CONTEXT(query) {
      BOOST_TEST(attributes_of("GET", std::string("/api/v1/pods?") + query).verb == "watch");
    }
  }
  for (const char* query : {"", "watch=false", "watch=0", "watch=False", "watch=FALSE", "watcher=true", "Watch=true",
                            "x=watch", "watch=false&watch=true", "watch=true;x"}) {
    BOOST_TEST_CONTEXT(query) {
      BOOST_TEST(attributes_of("GET", std::string("/api/v1/pods?") + query).verb == "list");
    }
  }
}

BOOST_AUTO_TEST_CASE(the_watch_parameter_means_nothing_to_a_named_object_or_a_write) {
  check({
      {"GET", "/api/v1/namespaces/ns/pods/p?watch=true", "get -/v1 ns pods p"},
      {"POST", "/api/v1/namespaces/ns/pods?watch=true", "create -/v1 ns pods -"},
      {"DELETE", "/api/v1/namespaces/ns/pods?watch=true", "deletecollection -/v1 ns pods -"},
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(paths)

BOOST_AUTO_TEST_CASE(a_path_gives_group_namespace_resource_name_and_subresource) {
  check({
      {"GET", "/api/v1/nodes/n1", "get -/v1 - nodes n1"},
      {"GET", "/api/v1/nodes/n1/status", "get -/v1 - nodes/status n1"},
      {"GET", "/api/v1/nodes/n1/proxy/metrics", "get -/v1 - nodes/proxy n1"},
      {"POST", "/api/v1/namespaces/ns/pods/p/eviction", "create -/v1 ns pods/eviction p"},
      {"POST", "/api/v1/namespaces/ns/serviceaccounts/sa/token", "create -/v1 ns serviceaccounts/token sa"},
      {"PUT", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1",
       "update coordination.k8s.io/v1 kube-node-lease leases n1"},
      {"GET", "/apis/storage.k8s.io/v1/csinodes/n1", "get storage.k8s.io/v1 - csinodes n1"},
      {"GET", "/api/v1/namespaces/ns/pods/p/log/extra/parts", "get -/v1 ns pods/log p"},
      {"GET", "/api/v2/anything/x", "get -/v2 - anything x"},
  });
}

BOOST_AUTO_TEST_CASE(a_namespace_is_its_own_namespace) {
  check({
      {"GET", "/api/v1/namespaces", "list -/v1 - namespaces -"},
      {"GET", "/api/v1/namespaces/ns", "get -/v1 ns namespaces ns"},
      {"PUT", "/api/v1/namespaces/ns/finalize", "update -/v1 ns namespaces/finalize ns"},
      {"PUT", "/api/v1/namespaces/ns/status", "update -/v1 ns namespaces/status ns"},
      {"GET", "/api/v1/namespaces/ns/status/x", "get -/v1 ns namespaces/status ns"},
      {"GET", "/api/v1/namespaces/ns/other", "list -/v1 ns other -"},
  });
}

BOOST_AUTO_TEST_CASE(paths_outside_the_api_are_no_resources) {
  check({
      {"GET", "/", "get path /"},
      {"GET", "/healthz", "get path /healthz"},
      {"POST", "/version", "post path /version"},
      {"GET", "/api", "get path /api"},
      {"GET", "/api/v1", "get path /api/v1"},
      {"GET", "/apis/apps/v1", "get path /apis/apps/v1"},
      {"GET", "/apis/apps", "get path /apis/apps"},
      {"GET", "/metrics/slis/more/parts", "get path /metrics/slis/more/parts"},
      {"GET", "/API/v1/pods", "get path /API/v1/pods"},
      {"GET", "/healthz?verbose", "get path /healthz"},
      {"GET", "", "get path "},
  });
}

BOOST_AUTO_TEST_CASE(slashes_at_the_ends_do_not_count) {
  check({
      {"GET", "/api/v1/namespaces/ns/pods/", "list -/v1 ns pods -"},
      {"GET", "/api/v1/namespaces/ns/pods/p/", "get -/v1 ns pods p"},
      {"GET", "//api/v1/nodes//", "list -/v1 - nodes -"},
      {"GET", "api/v1/nodes", "list -/v1 - nodes -"},
  });
}

BOOST_AUTO_TEST_CASE(an_empty_segment_within_the_path_counts) {
  check({
      {"GET", "/api/v1/namespaces//secrets", "list -/v1 - secrets -"},
      {"GET", "/api/v1/namespaces/ns/secrets//s", "list -/v1 ns secrets/s -"},
      {"GET", "/api/v1//secrets", "get -/v1 - - secrets"},
  });
}

BOOST_AUTO_TEST_CASE(escapes_in_the_path_count_before_it_is_cut) {
  check({
      {"GET", "/api/v1/namespaces/ns/pods/p%2Fstatus", "get -/v1 ns pods/status p"},
      {"GET", "/api/v1/namespaces/ns%2Fsecrets%2fs", "get -/v1 ns secrets s"},
      {"GET", "/%61pi/v1/n%6Fdes/n1", "get -/v1 - nodes n1"},
      {"GET", "/api/v1/nodes/n1%20x", "get -/v1 - nodes n1 x"},
      {"GET", "/api/v1/nodes/n1+x", "get -/v1 - nodes n1+x"},
      {"GET", "/api/v1/nodes/%6e1%3Fwatch", "get -/v1 - nodes n1?watch"},
  });
}

BOOST_AUTO_TEST_CASE(dots_in_a_path_are_names_like_others) {
  check({
      {"GET", "/api/v1/namespaces/ns/pods/..", "get -/v1 ns pods .."},
      {"GET", "/api/v1/namespaces/../secrets/s", "get -/v1 .. secrets s"},
      {"GET", "/api/v1/namespaces/ns/pods/./log", "get -/v1 ns pods/log ."},
  });
}

BOOST_AUTO_TEST_CASE(the_old_watch_prefix_gives_the_verb_and_takes_no_selector) {
  check({
      {"GET", "/api/v1/watch/pods", "watch -/v1 - pods -"},
      {"GET", "/api/v1/watch/namespaces/ns/secrets/s", "watch -/v1 ns secrets s"},
      {"GET", "/apis/apps/v1/watch/namespaces/ns/deployments", "watch apps/v1 ns deployments -"},
      {"GET", "/api/v1/watch/namespaces/ns/secrets?fieldSelector=metadata.name=s", "watch -/v1 ns secrets -"},
      {"DELETE", "/api/v1/watch/namespaces/ns/secrets/s", "watch -/v1 ns secrets s"},
  });
  BOOST_TEST(attributes_of("GET", "/api/v1/watch/pods?fieldSelector=spec.nodeName=n1").field_selector.empty());
}

BOOST_AUTO_TEST_CASE(the_old_proxy_prefix_gives_the_verb_and_has_no_subresource) {
  check({
      {"GET", "/api/v1/proxy/nodes/n1", "proxy -/v1 - nodes n1"},
      {"GET", "/api/v1/proxy/namespaces/ns/pods/p/metrics", "proxy -/v1 ns pods p"},
      {"POST", "/api/v1/proxy/nodes/n1/exec", "proxy -/v1 - nodes n1"},
  });
}

BOOST_AUTO_TEST_CASE(a_verb_that_is_not_in_front_is_a_name_like_others) {
  check({
      {"GET", "/api/v1/namespaces/watch/pods", "list -/v1 watch pods -"},
      {"GET", "/api/v1/nodes/proxy", "get -/v1 - nodes proxy"},
      {"GET", "/api/v1/nodes/watch/proxy", "get -/v1 - nodes/proxy watch"},
  });
}

BOOST_AUTO_TEST_CASE(no_path_is_too_odd_to_be_read) {
  for (const char* target :
       {"?", "/?", "//", "/api/v1/%", "/api/v1/%2", "/api/v1/%zz/x", "/api/v1/watch", "/api/v1/proxy/",
        "/api/v1/watch/namespaces", "/api/v1/namespaces/%00/secrets/%ff", "/api//v1/pods", "/apis///",
        "/api/v1/namespaces/ns/secrets?&&==&=x&fieldSelector", "/%2f%2f%2f/a/b", "#", "*"}) {
    for (const char* method : {"GET", "POST", "DELETE", "X"}) BOOST_CHECK_NO_THROW(attributes_of(method, target));
  }
  const std::string endless = "/api/v1/" + std::string(100'000, '/') + "pods";
  BOOST_TEST(attributes_of("GET", endless).resource.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(selectors)

BOOST_AUTO_TEST_CASE(a_list_or_watch_of_one_name_names_the_object) {
  check({
      {"GET", "/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name=s", "list -/v1 ns secrets s"},
      {"GET", "/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Ds&watch=1", "watch -/v1 ns secrets s"},
      {"GET", "/api/v1/secrets?fieldSelector=metadata.name=s", "list -/v1 - secrets s"},
      {"DELETE", "/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name=s", "deletecollection -/v1 ns secrets -"},
  });
}

BOOST_AUTO_TEST_CASE(only_equality_names_the_object) {
  BOOST_TEST(selected_name("metadata.name==s") == "s");
  BOOST_TEST(selected_name("metadata.name%3D%3Ds") == "s");
  BOOST_TEST(selected_name("metadata.name!=s") == "");
  BOOST_TEST(selected_name("metadata.names=s") == "");
  BOOST_TEST(selected_name("metadata.namespace=s") == "");
  BOOST_TEST(selected_name("METADATA.NAME=s") == "");
  BOOST_TEST(selected_name("metadata.name") == "");
  BOOST_TEST(selected_name("metadata.name=") == "");
}

BOOST_AUTO_TEST_CASE(the_name_may_stand_among_other_terms) {
  BOOST_TEST(selected_name("metadata.name=s,type=Opaque") == "s");
  BOOST_TEST(selected_name("type=Opaque,metadata.name=s") == "s");
  BOOST_TEST(selected_name("type!=Opaque,,metadata.name=s,") == "s");
}

BOOST_AUTO_TEST_CASE(of_two_names_the_first_in_order_of_the_terms_text_counts) {
  BOOST_TEST(selected_name("metadata.name=a,metadata.name=b") == "a");
  BOOST_TEST(selected_name("metadata.name=b,metadata.name=a") == "a");
  BOOST_TEST(selected_name("metadata.name=a,metadata.name==b") == "b");
}

BOOST_AUTO_TEST_CASE(a_name_that_cannot_be_in_a_path_does_not_count) {
  for (const char* name : {".", "..", "a%2Fb", "%252e"}) {
    BOOST_TEST(selected_name(std::string("metadata.name=") + name) == "", name);
  }
  // The first name decides, even if it is not a valid name.
  BOOST_TEST(selected_name("metadata.name=..,metadata.name=s") == "");
}

BOOST_AUTO_TEST_CASE(escapes_in_a_value_are_resolved) {
  BOOST_TEST(selected_name(R"(metadata.name=a\,b)") == "a,b");
  BOOST_TEST(selected_name(R"(metadata.name=a\=b)") == "a=b");
  BOOST_TEST(selected_name(R"(metadata.name=a\\b)") == R"(a\b)");
  BOOST_TEST(selected_name("metadata.name=a%5C%2Cb") == "a,b");
}

BOOST_AUTO_TEST_CASE(a_selector_with_a_mistake_counts_for_nothing_at_all) {
  for (const char* selector : {"metadata.name=s,nonsense", R"(metadata.name=s,a=b\c)", R"(metadata.name=s\)",
                               "metadata.name=s=t", "metadata.name=s,a=b=c", "nonsense"}) {
    BOOST_TEST_CONTEXT(selector) {
      const Attributes attributes = attributes_of("GET", secrets + "?fieldSelector=" + selector);
      BOOST_TEST(attributes.name == "");
      BOOST_TEST(attributes.field_selector.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_backslash_in_front_of_the_operator_belongs_to_the_field) {
  BOOST_TEST(parse_field_selector(R"(a\=b)") == (std::vector<FieldRequirement>{{R"(a\)", "=", "b"}}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(terms_come_in_order_of_their_text) {
  const std::vector<FieldRequirement> expected = {{"a", "!=", "1"}, {"b", "=", "2"}, {"spec.nodeName", "=", "n1"}};
  BOOST_TEST(parse_field_selector("spec.nodeName=n1,b==2,a!=1") == expected, boost::test_tools::per_element());
  BOOST_TEST(parse_field_selector("").empty());
  BOOST_TEST(parse_field_selector("=").empty());
  BOOST_TEST(parse_field_selector(",,,").empty());
}

BOOST_AUTO_TEST_CASE(selectors_are_known_of_lists_watches_and_deletions_of_collections_only) {
  const std::string query = "?fieldSelector=spec.nodeName%3Dn1";
  const std::vector<FieldRequirement> expected = {{"spec.nodeName", "=", "n1"}};
  BOOST_TEST(attributes_of("GET", "/api/v1/pods" + query).field_selector == expected, boost::test_tools::per_element());
  BOOST_TEST(attributes_of("GET", "/api/v1/pods" + query + "&watch=1").field_selector == expected,
             boost::test_tools::per_element());
  BOOST_TEST(attributes_of("DELETE", "/api/v1/namespaces/ns/pods" + query).field_selector == expected,
             boost::test_tools::per_element());
  BOOST_TEST(attributes_of("GET", "/api/v1/namespaces/ns/pods/p" + query).field_selector.empty());
  BOOST_TEST(attributes_of("POST", "/api/v1/namespaces/ns/pods" + query).field_selector.empty());
}

BOOST_AUTO_TEST_CASE(the_first_of_two_selectors_counts) {
  const Attributes attributes =
      attributes_of("GET", "/api/v1/pods?fieldSelector=spec.nodeName=n1&fieldSelector=spec.nodeName=n2");
  BOOST_TEST(attributes.field_selector == (std::vector<FieldRequirement>{{"spec.nodeName", "=", "n1"}}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(query_parameters)

BOOST_AUTO_TEST_CASE(values_are_decoded) {
  BOOST_TEST(query_parameter("/x?dryRun=All", "dryRun") == "All");
  BOOST_TEST(query_parameter("/x?a=1&dryRun=A%6Cl", "dryRun") == "All");
  BOOST_TEST(query_parameter("/x?dry%52un=All", "dryRun") == "All");
  BOOST_TEST(query_parameter("/x?a=b+c%2Bd", "a") == "b c+d");
  BOOST_TEST(query_parameter("/x?a=b=c", "a") == "b=c");
}

BOOST_AUTO_TEST_CASE(a_parameter_that_is_not_there_is_empty) {
  BOOST_TEST(query_parameter("/x", "a") == "");
  BOOST_TEST(query_parameter("/x?", "a") == "");
  BOOST_TEST(query_parameter("/x?ab=1", "a") == "");
  BOOST_TEST(query_parameter("/a=1", "a") == "");
}

BOOST_AUTO_TEST_CASE(a_broken_escape_stays_as_it_is) {
  BOOST_TEST(percent_decoded("100%", false) == "100%");
  BOOST_TEST(percent_decoded("%4", false) == "%4");
  BOOST_TEST(percent_decoded("%zz%41", false) == "%zzA");
  BOOST_TEST(percent_decoded("a+b", false) == "a+b");
  BOOST_TEST(percent_encoded("a-b.c_d~1 /%\xc3") == "a-b.c_d~1%20%2F%25%C3");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
