#include <boost/test/unit_test.hpp>
#include <map>

#include "fakes/apiserver/api_server.h"
#include "fakes/authentication/bootstrap_tokens.h"
#include "fakes/authentication/jwt.h"
#include "fakes/authentication/service_account_tokens.h"
#include "fakes/authentication/token_file.h"
#include "fakes/serving/api_handler.h"
#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/certificates/pki.h"
#include "reference/encoding/base64.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(authentication)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::authentication;
using namespace nodebound::serving;
using nodebound::test::rules_of;

namespace {

const std::string audience = "https://kubernetes.default.svc";
constexpr std::int64_t today = 1'800'000'000;

std::string der_of(const std::string& pem) {
  const auto chain = openssl::parse_certificates("test", pem).value();
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(chain.front().get(), &bytes);
  std::string out(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

openssl::Key key_of(const std::string& pem) {
  return openssl::parse_private_key("test", pem).value();
}

/// A whole API server with all filters before it, as `nodebound serve` builds it; real time for certificates.
struct World {
  explicit World(std::string_view version = "1.36.3") : rules(rules_of(version)) {
    const AuthenticationFeatures features = AuthenticationFeatures::of(rules);
    const KeyPair keys = make_service_account_keys().value();
    ServiceAccountTokens::Options options;
    options.audiences = {audience};
    options.signing_key = key_of(keys.private_pem);
    signer = key_of(keys.private_pem);
    options.verification_keys.push_back(key_of(keys.private_pem));
    options.features = features;
    options.clock = [this] { return now; };
    options.new_id = [] { return "an-id"; };
    auto service_accounts = std::make_unique<ServiceAccountTokens>(std::move(options));
    tokens = service_accounts.get();

    RequestAuthenticator::Options all;
    all.audiences = {audience};
    all.certificates = ClientCertificates::trusting(authority.certificate_pem(), "ca", features, [] {
                         return static_cast<std::int64_t>(std::time(nullptr));
                       }).value();
    all.tokens.push_back(
        TokenFile::parse("tok-alice,alice,u1,\"g1,g2\"\r\n\ntok-root,root,u2,system:masters\n", "tokens", {audience})
            .value());
    all.tokens.push_back(std::move(service_accounts));
    all.tokens.push_back(std::make_unique<BootstrapTokens>([this] { return now; }, std::vector{audience}));
    authenticator = std::make_unique<RequestAuthenticator>(std::move(all));

    ApiServer::Options server_options;
    server_options.token_issuer = [this](const TokenOrder& order) { return tokens->issue(order); };
    server_options.token_reviewer = [this](const Object& spec, const FindObject& find) {
      return authenticator->review(spec, find);
    };
    server = std::make_unique<ApiServer>(rules, server_options);
    handler = std::make_unique<ApiHandler>(*server, *authenticator,
                                           ApiHandler::Options{features, nullptr, [] { return "a-request"; }});
  }

  struct Answer {
    int status;
    Object body;
    std::string message() const { return std::string(text(body, "message")); }
  };

  Answer send(const IncomingRequest& request) {
    const HttpResponse response = handler->handle(request);
    return {response.status, Object::parse(response.body, nullptr, false)};
  }
  Answer ask(const char* method, const std::string& target, const HeaderFields& headers, const std::string& body = {}) {
    return send({method, target, headers, body, false, std::make_shared<const Peer>()});
  }
  Answer admin(const char* method, const std::string& target, const std::string& body = {}) {
    return ask(method, target, root, body);
  }
  /// The user that the API server takes the sender for.
  Answer who(const HeaderFields& headers, const std::vector<std::string>& chain = {}) {
    return send({"POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", headers, "{}", false,
                 std::make_shared<const Peer>(Peer{"127.0.0.1", chain})});
  }
  static Object user(const Answer& answer) { return member(answer.body, "status", "userInfo"); }

  std::string token(const std::string& spec) {
    const Answer answer = admin("POST", "/api/v1/namespaces/ns/serviceaccounts/sa/token", R"({"spec":)" + spec + "}");
    return std::string(text(answer.body, "status", "token"));
  }
  Object review(const std::string& reviewed, const std::string& rest = {}) {
    return member(admin("POST", "/apis/authentication.k8s.io/v1/tokenreviews",
                        R"({"spec":{"token":")" + reviewed + "\"" + rest + "}}")
                      .body,
                  "status");
  }

  RuleSet rules;
  CertificateAuthority authority = CertificateAuthority::create("ca").value();
  std::int64_t now = today;
  openssl::Key signer;  ///< also signs the tokens
  ServiceAccountTokens* tokens = nullptr;
  std::unique_ptr<RequestAuthenticator> authenticator;
  std::unique_ptr<ApiServer> server;
  std::unique_ptr<ApiHandler> handler;
  const HeaderFields root = {{"authorization", "Bearer tok-root"}};
};

struct WorldWithPod : World {
  WorldWithPod() {
    admin("POST", "/api/v1/nodes", R"({"metadata":{"name":"n1"}})");
    admin("POST", "/api/v1/namespaces/ns/serviceaccounts", R"({"metadata":{"name":"sa"}})");
    make_pod();
  }
  void make_pod() {
    admin("POST", "/api/v1/namespaces/ns/pods",
          R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1","serviceAccountName":"sa",)"
          R"("containers":[{"name":"c","image":"i"}]}})");
  }
  static HeaderFields bearer(const std::string& token) { return {{"authorization", "Bearer " + token}}; }

  const std::string for_pod = R"({"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p"}})";
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(who_asks, World)

// Expectations taken from a kube-apiserver 1.36.3.
BOOST_AUTO_TEST_CASE(a_request_is_taken_for_whom_its_credentials_say) {
  const auto good = authority.issue_client({"bob", {"devs", "ops"}, "", {}}).value();
  const auto nameless = authority.issue_client({"", {"devs"}, "", {}}).value();
  const auto foreign = CertificateAuthority::create("ca").value().issue_client({"bob", {}, "", {}}).value();
  const auto of_server = authority.issue_server({"127.0.0.1"}).value();
  const auto header = [](const std::string& value) { return HeaderFields{{"authorization", value}}; };
  struct Case {
    const char* what;
    HeaderFields headers;
    std::string certificate;
    std::string user;  ///< empty: 401
  };
  const Case cases[] = {
      {"nothing", {}, "", "system:anonymous"},
      {"token", header("Bearer tok-alice"), "", "alice"},
      {"scheme in any case", header("bEaReR tok-alice"), "", "alice"},
      {"something after the token", header("Bearer tok-alice x"), "", "alice"},
      {"wrong token", header("Bearer nope"), "", ""},
      {"two blanks hide a token", header("Bearer  tok-alice"), "", "system:anonymous"},
      {"no token", header("Bearer"), "", "system:anonymous"},
      {"another scheme", header("Basic eDp5"), "", "system:anonymous"},
      {"certificate", {}, good.certificate_pem, "bob"},
      {"certificate before token", header("Bearer tok-alice"), good.certificate_pem, "bob"},
      {"certificate with a wrong token", header("Bearer nope"), good.certificate_pem, "bob"},
      {"certificate without a name", {}, nameless.certificate_pem, "system:anonymous"},
      {"another's certificate", {}, foreign.certificate_pem, ""},
      {"another's certificate and a token", header("Bearer tok-alice"), foreign.certificate_pem, "alice"},
      {"a server's certificate", {}, of_server.certificate_pem, ""},
  };
  for (const Case& each : cases) {
    std::vector<std::string> chain;
    if (!each.certificate.empty()) chain.push_back(der_of(each.certificate));
    const Answer answer = who(each.headers, chain);
    BOOST_TEST_CONTEXT(each.what) {
      if (each.user.empty()) {
        BOOST_TEST(answer.status == 401);
        BOOST_TEST(answer.message() == "Unauthorized");
      } else if (each.user == "system:anonymous") {
        BOOST_TEST(answer.status == 403);
        BOOST_TEST((answer.message().find("User \"system:anonymous\"") != std::string::npos));
      } else {
        BOOST_TEST(answer.status == 201);
        BOOST_TEST(text(user(answer), "username") == each.user);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(who_hides_a_token_behind_a_second_blank_is_warned_since_1_25) {
  const auto warnings_for = [](World& world, const char* header) {
    const HttpResponse response = world.handler->handle(
        {"GET", "/version", {{"authorization", header}}, {}, false, std::make_shared<const Peer>()});
    return response.warnings;
  };
  const std::vector<std::string> warned = {
      "299 - \"the provided Authorization header contains extra space before the bearer token, and is ignored\""};
  BOOST_TEST(warnings_for(*this, "Bearer  tok-root") == warned, boost::test_tools::per_element());
  BOOST_TEST(warnings_for(*this, "Bearer tok-root").empty());
  World before("1.24.17");
  BOOST_TEST(warnings_for(before, "Bearer  tok-root").empty());
}

BOOST_AUTO_TEST_CASE(groups_uid_and_extra_come_with_the_name) {
  const Object alice = user(who({{"authorization", "Bearer tok-alice"}}));
  BOOST_TEST(alice["uid"] == "u1");
  BOOST_TEST((alice["groups"] == Object{"g1", "g2", "system:authenticated"}));
  const std::string der = der_of(authority.issue_client({"bob", {"devs", "ops"}, "", {}}).value().certificate_pem);
  const Object bob = user(who({}, {der}));
  BOOST_TEST((bob["groups"] == Object{"devs", "ops", "system:authenticated"}));
  const Object& id = bob["extra"]["authentication.kubernetes.io/credential-id"];
  BOOST_TEST(id[0].get<std::string>().starts_with("X509SHA256="));
}

BOOST_AUTO_TEST_CASE(before_1_32_a_certificate_had_no_identifier) {
  World old("1.31.0");
  const std::string der = der_of(old.authority.issue_client({"bob", {}, "", {}}).value().certificate_pem);
  BOOST_TEST(user(old.who({}, {der})).contains("extra") == false);
}

BOOST_AUTO_TEST_CASE(bootstrap_tokens_are_secrets) {
  const auto put = [&](const std::string& key, const std::string& value) {
    Object secret{{"metadata", {{"name", "bootstrap-token-abcdef"}}}, {"type", "bootstrap.kubernetes.io/token"}};
    std::map<std::string, std::string> data = {{"token-id", "abcdef"},
                                               {"token-secret", "0123456789abcdef"},
                                               {"usage-bootstrap-authentication", "true"},
                                               {"auth-extra-groups", "system:bootstrappers:b,system:bootstrappers:a"}};
    if (!key.empty()) data[key] = value;
    for (const auto& [name, text] : data) secret["data"][name] = base64_encode(text);
    admin("DELETE", "/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef");
    BOOST_TEST(admin("POST", "/api/v1/namespaces/kube-system/secrets", secret.dump()).status == 201);
    return who({{"authorization", "Bearer abcdef.0123456789abcdef"}});
  };
  const Answer good = put("", "");
  BOOST_TEST(text(user(good), "username") == "system:bootstrap:abcdef");
  BOOST_TEST((user(good)["groups"] == Object{"system:bootstrappers", "system:bootstrappers:a", "system:bootstrappers:b",
                                             "system:authenticated"}));
  BOOST_TEST(who({{"authorization", "Bearer abcdef.0123456789abcdee"}}).status == 401);
  BOOST_TEST(put("expiration", "2099-01-01T00:00:00Z").status == 201);
  BOOST_TEST(put("expiration", "2020-01-01T00:00:00Z").status == 401);
  BOOST_TEST(put("expiration", "soon").status == 401);
  BOOST_TEST(put("usage-bootstrap-authentication", "yes").status == 401);
  BOOST_TEST(put("token-id", "other1").status == 401);
  BOOST_TEST(put("auth-extra-groups", "system:masters").status == 401);
}

BOOST_AUTO_TEST_CASE(a_token_file_says_where_it_is_wrong) {
  const auto bad = [](const char* text) { return TokenFile::parse(text, "t.csv", {}).error(); };
  BOOST_TEST(bad("a,b,c\n\na,b\n").where == "t.csv:3");
  BOOST_TEST(bad("a,b,c,\"d\n").where == "t.csv:1");
}

BOOST_AUTO_TEST_CASE(a_body_that_is_too_large_is_refused_after_authorization) {
  IncomingRequest request{"POST", "/api/v1/namespaces", root, "", true, std::make_shared<const Peer>()};
  BOOST_TEST(send(request).status == 413);
  BOOST_TEST(send(request).message() == "Request entity too large: limit is 3145728");
  request.headers.clear();
  BOOST_TEST(send(request).status == 403);
  request.headers = {{"authorization", "Bearer nope"}};
  BOOST_TEST(send(request).status == 401);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(service_account_tokens, WorldWithPod)

BOOST_AUTO_TEST_CASE(a_token_says_whose_it_is_and_where) {
  const Object sa = user(who(bearer(token(for_pod))));
  BOOST_TEST(text(sa, "username") == "system:serviceaccount:ns:sa");
  BOOST_TEST((sa["groups"] == Object{"system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"}));
  const Object& extra = sa["extra"];
  BOOST_TEST(extra["authentication.kubernetes.io/pod-name"][0] == "p");
  BOOST_TEST(extra["authentication.kubernetes.io/node-name"][0] == "n1");
  BOOST_TEST(extra["authentication.kubernetes.io/credential-id"][0] == "JTI=an-id");
  BOOST_TEST(extra.contains("authentication.kubernetes.io/pod-uid"));
  BOOST_TEST(extra.contains("authentication.kubernetes.io/node-uid"));
}

BOOST_AUTO_TEST_CASE(a_token_ends_with_its_pod_even_if_another_takes_the_name) {
  const std::string bound = token(for_pod);
  BOOST_TEST(who(bearer(bound)).status == 201);
  admin("DELETE", "/api/v1/namespaces/ns/pods/p?gracePeriodSeconds=0");
  BOOST_TEST(who(bearer(bound)).status == 401);
  BOOST_TEST(text(review(bound), "error") == "[invalid bearer token, service account token has been invalidated]");
  make_pod();
  BOOST_TEST(who(bearer(bound)).status == 401);
  BOOST_TEST((text(review(bound), "error").find("does not match service account pod ref claim") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_token_ends_with_its_account_and_its_time) {
  const std::string free = token("{}");
  BOOST_TEST(who(bearer(free)).status == 201);
  now = today + 3600 + 61;
  BOOST_TEST(text(review(free), "error") == "[invalid bearer token, service account token has expired]");
  now = today - 61;
  BOOST_TEST(text(review(free), "error") == "[invalid bearer token, service account token is not valid yet]");
  now = today;
  admin("DELETE", "/api/v1/namespaces/ns/serviceaccounts/sa");
  BOOST_TEST(text(review(free), "error") == "[invalid bearer token, serviceaccounts \"sa\" not found]");
}

BOOST_AUTO_TEST_CASE(a_token_is_good_for_its_audiences) {
  const std::string other = token(R"({"audiences":["other"]})");
  BOOST_TEST(who(bearer(other)).status == 401);
  BOOST_TEST(text(review(other), "error") ==
             "[invalid bearer token, token audiences [\"other\"] is invalid for the target audiences "
             "[\"https://kubernetes.default.svc\"]]");
  const Object status = review(other, R"(,"audiences":["b","other"])");
  BOOST_TEST(status["authenticated"] == true);
  BOOST_TEST((status["audiences"] == Object{"other"}));
}

BOOST_AUTO_TEST_CASE(a_token_that_was_touched_is_no_good) {
  const std::string good = token("{}");
  const Jwt jwt = Jwt::parse(good).value();
  Object claims = jwt.claims;
  claims["kubernetes.io"]["serviceaccount"]["name"] = "root";
  const std::string head = good.substr(0, good.find('.'));
  const std::string tail = good.substr(good.rfind('.'));
  const std::string forged = head + "." + base64url_encode(claims.dump()) + tail;
  const std::string unsigned_ = base64url_encode(R"({"alg":"none"})") + "." + base64url_encode(claims.dump()) + ".";
  const std::string symmetric = base64url_encode(R"({"alg":"HS256"})") + good.substr(good.find('.'));
  for (const std::string& bad : {forged, unsigned_, symmetric, good + "x", std::string("a.b.c")}) {
    BOOST_TEST(who(bearer(bad)).status == 401, bad);
  }
  BOOST_TEST(text(review(forged), "error") ==
             "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]");
}

BOOST_AUTO_TEST_CASE(a_token_that_names_no_account_is_nobodys) {
  Object claims = Jwt::parse(token("{}")).value().claims;
  BOOST_TEST(who(bearer(signed_jwt(claims, signer.get()))).status == 201);
  for (const std::string name : {"", ".", ".."}) {
    claims["kubernetes.io"]["serviceaccount"] = {{"name", name}};
    BOOST_TEST(who(bearer(signed_jwt(claims, signer.get()))).status == 401, name);
  }
  claims.erase("kubernetes.io");
  const std::string without = signed_jwt(claims, signer.get());
  BOOST_TEST(who(bearer(without)).status == 401);
  BOOST_TEST(text(review(without), "error") == "[invalid bearer token, serviceaccounts \"\" not found]");
}

BOOST_AUTO_TEST_CASE(keys_of_every_kind_sign) {
  for (const char* curve : {"P-256", "P-384", "P-521"}) {
    const openssl::Key key(EVP_EC_gen(curve));
    BOOST_TEST(Jwt::parse(signed_jwt({{"iss", "x"}}, key.get())).value().is_signed_by(key.get()), curve);
  }
  const openssl::Key rsa(EVP_RSA_gen(2048));
  const Jwt jwt = Jwt::parse(signed_jwt({{"iss", "x"}}, rsa.get())).value();
  BOOST_TEST(jwt.algorithm == "RS256");
  BOOST_TEST(jwt.is_signed_by(rsa.get()));
  const openssl::Key other(EVP_RSA_gen(2048));
  BOOST_TEST(!jwt.is_signed_by(other.get()));
}

BOOST_AUTO_TEST_CASE(a_review_needs_a_token) {
  BOOST_TEST(admin("POST", "/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{}})").message() ==
             "token is required for TokenReview in authentication");
  BOOST_TEST((review("tok-alice") ==
              Object{{"authenticated", true},
                     {"user", {{"username", "alice"}, {"uid", "u1"}, {"groups", {"g1", "g2", "system:authenticated"}}}},
                     {"audiences", {audience}}}));
  BOOST_TEST((review("nope") == Object{{"user", Object::object()}, {"error", "invalid bearer token"}}));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct Impersonating : World {
  Answer as(const std::string& token, const HeaderFields& headers, const std::string& target = "/api/v1/pods") {
    HeaderFields all = headers;
    all.emplace_back("authorization", "Bearer " + token);
    return ask("GET", target, all);
  }
  Answer root_as(HeaderFields headers) {
    headers.emplace_back("authorization", "Bearer tok-root");
    return who(headers);
  }
  void grant(const std::string& verb, const std::string& group, const std::string& resource) {
    const Object role{{"metadata", {{"name", "r" + std::to_string(++roles)}}},
                      {"rules", {{{"verbs", {verb}}, {"apiGroups", {group}}, {"resources", {resource}}}}}};
    const std::string name(text(role, "metadata", "name"));
    const Object binding{
        {"metadata", {{"name", name}}},
        {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", name}}},
        {"subjects", {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", "alice"}}}}};
    BOOST_TEST(admin("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role.dump()).status == 201);
    BOOST_TEST(admin("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding.dump()).status == 201);
  }
  using World::World;
  int roles = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(impersonation, Impersonating)

BOOST_AUTO_TEST_CASE(who_may_is_taken_for_another) {
  const Object jane = user(root_as({{"impersonate-user", "jane"},
                                    {"impersonate-uid", "77"},
                                    {"impersonate-group", "x"},
                                    {"impersonate-group", "y"},
                                    {"impersonate-extra-acme.com%2fproject", "p1"}}));
  BOOST_TEST((jane == Object{{"username", "jane"},
                             {"uid", "77"},
                             {"groups", {"x", "y", "system:authenticated"}},
                             {"extra", {{"acme.com/project", {"p1"}}}}}));
  BOOST_TEST((user(root_as({{"impersonate-user", "system:serviceaccount:ns:sa"}}))["groups"] ==
              Object{"system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"}));
  BOOST_TEST(root_as({{"impersonate-user", "jane"}, {"impersonate-group", "system:unauthenticated"}}).status == 403);
}

// The answers of a kube-apiserver 1.36.3 to a user without any rights.
BOOST_AUTO_TEST_CASE(who_may_not_is_told_the_first_thing_that_is_missing) {
  struct Case {
    HeaderFields headers;
    std::string message;
  };
  const std::string may_not = " is forbidden: User \"alice\" cannot ";
  const Case cases[] = {
      {{{"impersonate-user", "jane"}},
       "pods" + may_not + "impersonate-on:user-info:list resource \"pods\" in API group \"\" at the cluster scope"},
      {{{"impersonate-user", "system:serviceaccount:default:sa"}},
       "pods" + may_not +
           "impersonate-on:serviceaccount:list resource \"pods\" in API group \"\" at the cluster scope"},
      {{{"impersonate-user", "system:node:a"}},
       "pods" + may_not +
           "impersonate-on:arbitrary-node:list resource \"pods\" in API group \"\" at the cluster scope"},
      {{{"impersonate-user", "system:node:a"}, {"impersonate-group", "system:nodes"}},
       "users \"system:node:a\"" + may_not + "impersonate resource \"users\" in API group \"\" at the cluster scope"},
  };
  for (const Case& each : cases) {
    const Answer answer = as("tok-alice", each.headers);
    BOOST_TEST(answer.status == 403);
    BOOST_TEST(answer.message() == each.message);
  }
}

BOOST_AUTO_TEST_CASE(a_constrained_permission_is_for_one_verb_and_one_identity) {
  grant("impersonate-on:arbitrary-node:list", "", "pods");
  grant("impersonate:arbitrary-node", "authentication.k8s.io", "nodes");
  const HeaderFields node{{"impersonate-user", "system:node:a"}};
  BOOST_TEST(as("tok-alice", node, "/api/v1/pods?fieldSelector=spec.nodeName%3Da").status == 200);
  BOOST_TEST(as("tok-alice", node, "/api/v1/nodes/a")
                 .message()
                 .starts_with("nodes \"a\" is forbidden: User \"alice\" cannot impersonate-on:arbitrary-node:get"));
  grant("impersonate-on:user-info:list", "", "pods");
  BOOST_TEST(as("tok-alice", {{"impersonate-user", "jane"}}).message() ==
             "users.authentication.k8s.io \"jane\" is forbidden: User \"alice\" cannot impersonate:user-info resource "
             "\"users\" in API group \"authentication.k8s.io\" at the cluster scope");
}

BOOST_AUTO_TEST_CASE(the_old_permission_still_does) {
  grant("impersonate", "", "users");
  const Answer answer = as("tok-alice", {{"impersonate-user", "jane"}});
  BOOST_TEST(answer.message() ==
             "pods is forbidden: User \"jane\" cannot list resource \"pods\" in API group \"\" at the cluster scope");
  // The mode that last let her through is tried first, and its refusal is reported first.
  BOOST_TEST(
      as("tok-alice", {{"impersonate-user", "jane"}, {"impersonate-group", "g"}}).message() ==
      "groups \"g\" is forbidden: User \"alice\" cannot impersonate resource \"groups\" in API group \"\" at the "
      "cluster scope");
}

BOOST_AUTO_TEST_CASE(nobody_is_impersonated_without_a_name) {
  const Answer answer = as("tok-root", {{"impersonate-group", "x"}});
  BOOST_TEST(answer.status == 400);
  BOOST_TEST(answer.message() ==
             "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"x\"}, "
             "Extra:map[string][]string(nil)} without impersonating a user name");
}

BOOST_AUTO_TEST_CASE(before_constrained_impersonation_there_was_one_permission) {
  Impersonating old("1.34.0");
  BOOST_TEST(
      old.as("tok-alice", {{"impersonate-user", "jane"}}).message() ==
      "users \"jane\" is forbidden: User \"alice\" cannot impersonate resource \"users\" in API group \"\" at the "
      "cluster scope");
  BOOST_TEST(old.as("tok-root", {{"impersonate-user", "jane"}})
                 .message()
                 .starts_with("pods is forbidden: User \"jane\" cannot list"));
  BOOST_TEST(old.as("tok-root", {{"impersonate-group", "x"}}).status == 500);
  BOOST_TEST(Impersonating("1.35.0").as("tok-root", {{"impersonate-group", "x"}}).status == 400);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(an_audit_event_is_written_as_a_real_one) {
  AuditEvent event;
  event.id = "0f1682c0-d64a-497d-b619-587a06ead954";
  event.target = "/api/v1/namespaces?dryRun=All";
  event.attributes = attributes_of("POST", event.target);
  event.subject = Subject{"admin", {"system:masters", "system:authenticated"}, "", {}};
  event.impersonated = Subject{"jane", {"system:authenticated"}, "", {}};
  event.constraint = "impersonate:user-info";
  event.source_addresses = {"127.0.0.1"};
  event.user_agent = "curl";
  event.object_metadata = {{"name", "ns"}};
  event.status = 201;
  event.received = AuditEvent::Time(std::chrono::microseconds(1'795'248'218'939'058));
  event.annotations = {{"authorization.k8s.io/decision", "allow"}, {"authorization.k8s.io/reason", ""}};
  BOOST_TEST(to_json_line(event, "ResponseComplete", event.received) ==
             R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata",)"
             R"("auditID":"0f1682c0-d64a-497d-b619-587a06ead954","stage":"ResponseComplete",)"
             R"("requestURI":"/api/v1/namespaces?dryRun=All","verb":"create",)"
             R"("user":{"username":"admin","groups":["system:masters","system:authenticated"]},)"
             R"("impersonatedUser":{"username":"jane","groups":["system:authenticated"]},)"
             R"("authenticationMetadata":{"impersonationConstraint":"impersonate:user-info"},)"
             R"("sourceIPs":["127.0.0.1"],"userAgent":"curl",)"
             R"("objectRef":{"resource":"namespaces","name":"ns","apiVersion":"v1"},)"
             R"("responseStatus":{"metadata":{},"code":201},)"
             R"("requestReceivedTimestamp":"2026-11-21T08:03:38.939058Z",)"
             R"("stageTimestamp":"2026-11-21T08:03:38.939058Z",)"
             R"("annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":""}})"
             "\n");
}

BOOST_AUTO_TEST_SUITE_END()
