#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <ostream>

#include "fakes/authentication/features.h"
#include "fakes/authentication/token_file.h"
#include "fakes/serving/api_handler.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(unread_bodies)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::authentication;
using namespace nodebound::serving;
using nodebound::test::rules_of;

namespace {

struct World {
  World() {
    RequestAuthenticator::Options who;
    who.audiences = {"api"};
    who.tokens.push_back(
        TokenFile::parse("tok-root,root,u,system:masters\ntok-nobody,nobody,u,\n", "tokens", {"api"}).value());
    authenticator = std::make_unique<RequestAuthenticator>(std::move(who));
    handler = std::make_unique<ApiHandler>(
        server, *authenticator,
        ApiHandler::Options{AuthenticationFeatures::of(rules), nullptr, [] { return "a-request"; }});
  }

  RuleSet rules = rules_of("1.36.3");
  ApiServer server{rules};
  std::unique_ptr<RequestAuthenticator> authenticator;
  std::unique_ptr<ApiHandler> handler;
};

/// A request whose body breaks off, and how kube-apiserver 1.36.3 answers it.
struct Broken {
  const char* method;
  const char* target;
  const char* content_type;
  int status;
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.method << " " << broken.target << " " << broken.content_type;
}

constexpr const char* json = "application/json";
const Broken broken_requests[] = {
    {"POST", "/api/v1/nothing", json, 404},
    {"POST", "/apis/none.example/v1/things", json, 404},
    {"PUT", "/api/v1/nodes", json, 405},
    {"POST", "/api/v1/nodes", "text/plain", 415},
    {"PATCH", "/api/v1/nodes/a", json, 415},
    {"POST", "/api/v1/nodes", json, 500},
    {"POST", "/api/v1/nodes?dryRun=x", json, 500},
    {"PUT", "/api/v1/nodes/a", "text/plain", 500},
    {"PATCH", "/api/v1/nodes/a", "application/merge-patch+json", 500},
    {"DELETE", "/api/v1/nodes/a", "text/plain", 500},
    {"POST", "/api/v1/namespaces/default/pods/p/binding", json, 500},
    {"POST", "/api/v1/namespaces/default/pods/p/exec", json, 404},
};

IncomingRequest request_of(const Broken& broken, const char* token) {
  return {broken.method,
          broken.target,
          {{"authorization", std::string("Bearer ") + token}, {"content-type", broken.content_type}},
          {},
          false,
          std::make_shared<const Peer>()};
}

}  // namespace

BOOST_DATA_TEST_CASE_F(World, what_does_not_depend_on_the_body_is_answered_first,
                       boost::unit_test::data::make(broken_requests), broken) {
  IncomingRequest request = request_of(broken, "tok-root");
  request.body_error = "invalid byte in chunk length";
  const HttpResponse answer = handler->handle(request);
  BOOST_TEST(answer.status == broken.status);
  const bool says_why = answer.body.find("invalid byte in chunk length") != std::string::npos;
  BOOST_TEST(says_why == (broken.status == 500));
}

BOOST_DATA_TEST_CASE_F(World, a_body_that_is_too_large_is_refused_at_the_same_point,
                       boost::unit_test::data::make(broken_requests), broken) {
  IncomingRequest request = request_of(broken, "tok-root");
  request.body_too_large = true;
  BOOST_TEST(handler->handle(request).status == (broken.status == 500 ? 413 : broken.status));
}

BOOST_DATA_TEST_CASE_F(World, a_caller_without_permission_is_told_that_first,
                       boost::unit_test::data::make(broken_requests), broken) {
  IncomingRequest request = request_of(broken, "tok-nobody");
  request.body_error = "invalid byte in chunk length";
  BOOST_TEST(handler->handle(request).status == 403);
}

BOOST_AUTO_TEST_SUITE_END()
