// The expectations are what kube-apiserver 1.36.3 does, compared by ci/compare/wire.
#include "fakes/authentication/websocket_token.h"

#include <boost/test/unit_test.hpp>

#include "reference/identity/bearer_token.h"

BOOST_AUTO_TEST_SUITE(websocket_tokens)

using namespace nodebound;
using namespace nodebound::authentication;

namespace {

const std::string prefix = "base64url.bearer.authorization.k8s.io.";
const std::string token = prefix + "YWRtaW4tdG9rZW4";

WebsocketToken shown(const std::string& protocols, const std::string& upgrade = "websocket") {
  return websocket_token(
      {"GET",
       "/",
       {{"connection", "keep-alive, Upgrade"}, {"upgrade", upgrade}, {"sec-websocket-protocol", protocols}},
       {}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_token_is_a_protocol_among_others) {
  for (const std::string& protocols : {token + ", v4", "v4," + token})
    BOOST_TEST(shown(protocols).token == "admin-token");
  BOOST_TEST(shown(token + ", v4", "WebSocket").token == "admin-token");
  for (const std::string& protocols : {std::string("v4"), std::string(), prefix + ", v4"}) {
    BOOST_TEST(shown(protocols).token.empty());
    BOOST_TEST(shown(protocols).error.empty());
  }
  BOOST_TEST(shown(token + ", v4", "h2c").token.empty());
}

BOOST_AUTO_TEST_CASE(a_token_that_cannot_be_read_is_an_error) {
  for (const std::string& protocols :
       {token, token + ", " + token + ", v4", token + "=, v4", prefix + "!!!!, v4", prefix + "____, v4"}) {
    BOOST_TEST(!shown(protocols).error.empty(), protocols);
    BOOST_TEST(shown(protocols).token.empty(), protocols);
  }
}

BOOST_AUTO_TEST_CASE(what_unicode_calls_space_is_none_of_a_token) {
  for (const std::string space : {" ", "\t", "\xc2\x85", "\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\x83 "}) {
    BOOST_TEST(bearer_token(space + "Bearer a" + space) == "a");
  }
  BOOST_TEST(bearer_token("Bearer a\xa0") == "a\xa0");
}

BOOST_AUTO_TEST_CASE(a_second_blank_hides_a_token) {
  BOOST_TEST(bearer_token("Bearer  a") == "");
  for (const char* hidden : {"Bearer  a", "bearer   a ", " Bearer  a b"}) BOOST_TEST(hides_token(hidden), hidden);
  for (const char* shown : {"Bearer a", "Bearer a  b", "Bearer  ", "Basic  a", ""}) {
    BOOST_TEST(!hides_token(shown), shown);
  }
}

BOOST_AUTO_TEST_SUITE_END()
