#include <boost/test/unit_test.hpp>

#include "harness/run/administrator.h"
#include "harness/test/late_endpoint.h"

BOOST_AUTO_TEST_SUITE(run_administrator)

using namespace nodebound;

namespace {

/// An administrator at a cluster that others use, and what it sends there.
struct Shared {
  Shared()
      : endpoint(make_shared_endpoint(rules,
                                      [this](const Subject&, const HttpRequest& request) {
                                        sent.push_back(request.method + " " + request.target);
                                        return true;
                                      })),
        session(endpoint->open_session()) {}

  [[nodiscard]] bool deleted(const std::string& path) const {
    return std::find(sent.begin(), sent.end(), "DELETE " + path) != sent.end();
  }

  Result<void> perform(Action::Kind kind, const std::string& request) {
    return administrator.perform({kind, *parse_request(request), Object::object(), {}, 0});
  }

  RuleSet rules{Catalogue::built_in(), *Release::make(Catalogue::built_in(), *Version::parse("1.36.3"), {})};
  std::vector<std::string> sent;
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<Session> session;
  ApiResources resources{rules.release()};
  Names names{"test", 0, {endpoint->observed().api_versions, resources}};
  Journal journal;
  Administrator administrator{*endpoint, *session, names, journal};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_collection_is_never_deleted, Shared) {
  for (const char* path : {"/apis/storage.k8s.io/v1/csidrivers", "/api/v1/nodes", "/api/v1/namespaces",
                           "/api/v1/namespaces/shop/pods", "/healthz"}) {
    BOOST_TEST(!delete_object(*session, endpoint->administrator(), path), path);
  }
  BOOST_TEST(!perform(Action::Kind::remove, "delete csidrivers"));
  administrator.expect(*parse_request("delete csidrivers"));
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(sent.empty());
}

BOOST_FIXTURE_TEST_CASE(what_others_may_have_is_left_alone_unless_it_was_made_here, Shared) {
  for (const char* target : {"nodes/=theirs", "clusterroles/system:node", "namespaces/kube-system"}) {
    BOOST_TEST(!perform(Action::Kind::remove, std::string("delete ") + target), target);
    BOOST_TEST(!perform(Action::Kind::change, std::string("patch ") + target), target);
    administrator.expect(*parse_request(std::string("create ") + target));
  }
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(sent.empty());
  BOOST_TEST(perform(Action::Kind::create, "create nodes/=ours").has_value());
  BOOST_TEST(perform(Action::Kind::remove, "delete nodes/=ours").has_value());
  BOOST_TEST(deleted("/api/v1/nodes/ours"));
}

BOOST_FIXTURE_TEST_CASE(what_was_made_or_expected_is_removed, Shared) {
  BOOST_TEST(perform(Action::Kind::create, "create nodes/a").has_value());
  administrator.expect(*parse_request("create pods/web"));
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(deleted("/api/v1/nodes/nb-test-0-a"));
  BOOST_TEST(deleted("/api/v1/namespaces/nb-test-0-shop/pods/web"));
}

BOOST_AUTO_TEST_SUITE_END()
