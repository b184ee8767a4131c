#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "fakes/authentication/features.h"
#include "fakes/authentication/token_file.h"
#include "fakes/serving/api_handler.h"
#include "reference/cluster/object.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(request_timeout)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::authentication;
using namespace nodebound::serving;
using nodebound::test::rules_of;

namespace {

struct Front {
  explicit Front(const char* release) : rules(rules_of(release)) {
    RequestAuthenticator::Options who;
    who.audiences = {"api"};
    who.tokens.push_back(TokenFile::parse("tok-root,root,u,system:masters\n", "tokens", {"api"}).value());
    authenticator = std::make_unique<RequestAuthenticator>(std::move(who));
    handler = std::make_unique<ApiHandler>(
        server, *authenticator,
        ApiHandler::Options{AuthenticationFeatures::of(rules), nullptr, [] { return "a-request"; }});
  }

  HttpResponse get(const std::string& target, const char* token = "tok-root") {
    return handler->handle({"GET",
                            target,
                            {{"authorization", std::string("Bearer ") + token}},
                            {},
                            false,
                            std::make_shared<const Peer>()});
  }

  RuleSet rules;
  ApiServer server{rules};
  std::unique_ptr<RequestAuthenticator> authenticator;
  std::unique_ptr<ApiHandler> handler;
};

const std::string pods = "/api/v1/namespaces/default/pods";

}  // namespace

BOOST_AUTO_TEST_CASE(a_timeout_that_is_no_duration_is_refused_before_the_client_is_known) {
  Front front("1.36.3");
  const HttpResponse answer = front.get(pods + "?timeout=soon", "nobody's");
  BOOST_TEST(answer.status == 400);
  BOOST_TEST(text(Object::parse(answer.body), "message") ==
             R"(invalid timeout specified in the request URL - time: invalid duration "soon")");
  BOOST_TEST(front.get("/version?timeout=5").status == 400);
  BOOST_TEST(!!front.handler->handle_without_body(
      {"POST", pods + "?timeout=5", {}, {}, false, std::make_shared<const Peer>()}));
}

BOOST_AUTO_TEST_CASE(any_duration_will_do) {
  Front front("1.36.3");
  for (const char* timeout : {"", "0", "0s", "30s", "-1h", "1h1.5s"})
    BOOST_TEST(front.get(pods + "?timeout=" + timeout).status == 200, timeout);
}

BOOST_AUTO_TEST_CASE(what_may_run_long_has_no_timeout) {
  Front front("1.36.3");
  BOOST_TEST(front.get(pods + "?watch=1&timeout=soon").status == 200);
  BOOST_TEST(front.get(pods + "/none/log?timeout=soon").status == 404);
}

BOOST_AUTO_TEST_CASE(it_is_ignored_before_1_21) {
  BOOST_TEST(Front("1.20.0").get(pods + "?timeout=soon").status == 200);
  BOOST_TEST(Front("1.21.0").get(pods + "?timeout=soon").status == 400);
}

BOOST_AUTO_TEST_SUITE_END()
