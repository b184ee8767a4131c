// Odd tokens that are signed with the right key. The expectations are the answers of kube-apiserver 1.36.3's
// authenticator (pkg/serviceaccount, with go-jose 2.6.3) to the same tokens.
#include <boost/test/unit_test.hpp>

#include "fakes/authentication/jwt.h"
#include "fakes/authentication/service_account_tokens.h"
#include "fakes/wire/certificates/openssl.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(odd_tokens)

using namespace nodebound;
using namespace nodebound::authentication;

namespace {

constexpr std::int64_t now = 1'800'000'000;
const std::string audience = "https://kubernetes.default.svc";
const std::string taken = "taken";
const std::string no_opinion = "no opinion";
const std::string unverified = "go-jose/go-jose: error in cryptographic primitive";
const std::string no_time = "go-jose/go-jose/jwt: expected number value to unmarshal NumericDate";
const std::string no_audience = "go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience";
const std::string no_account = "serviceaccounts \"\" not found";
const std::string invalidated = "service account token has been invalidated";

std::string cannot_be_text(const std::string& kind) {
  return "json: cannot unmarshal " + kind + " into Go value of type string";
}

std::string no_reference(const std::string& kind) {
  return "json: cannot unmarshal " + kind + " into Go value of type serviceaccount.ref";
}

std::optional<Object> find(const ObjectKey& key) {
  const bool known = (key.resource == "serviceaccounts" && key.namespace_ == "shop" && key.name == "builder") ||
                     (key.resource == "pods" && key.namespace_ == "shop" && key.name == "web") ||
                     (key.resource == "nodes" && key.name == "a");
  if (!known) return std::nullopt;
  return Object{{"metadata", {{"name", key.name}, {"uid", key.name + "-uid"}}}};
}

struct World {
  /// What a release does with the Node that a token is bound to.
  enum class NodeOfToken { not_read, refused, checked };

  explicit World(bool key_must_be_known = true, NodeOfToken node = NodeOfToken::checked) {
    const std::string pem = openssl::private_key_pem(key.get());
    ServiceAccountTokens::Options options;
    options.issuer = audience;
    options.audiences = {audience};
    options.signing_key = openssl::parse_private_key("test", pem).value();
    options.verification_keys = openssl::parse_public_keys("test", pem).value();
    options.features.token_has_id = true;
    options.features.token_names_bound_node = true;
    options.features.token_tells_node = node != NodeOfToken::not_read;
    options.features.token_node_is_checked = node == NodeOfToken::checked;
    options.features.token_key_must_be_known = key_must_be_known;
    options.clock = [] { return now; };
    tokens = std::make_unique<ServiceAccountTokens>(std::move(options));
  }

  std::string sign(const std::string& header, const std::string& claims) const {
    const std::string text = base64url_encode(header) + "." + base64url_encode(claims);
    return text + "." + base64url_encode(signature_of(text));
  }

  std::string signature_of(const std::string& text) const {
    const std::unique_ptr<EVP_MD_CTX, openssl::Deleter<EVP_MD_CTX_free>> digest(EVP_MD_CTX_new());
    std::string out(512, '\0');
    std::size_t size = out.size();
    BOOST_REQUIRE(EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1);
    BOOST_REQUIRE(EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                                 reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1);
    out.resize(size);
    return out;
  }

  std::string said_of(const std::string& token) const {
    const Authentication answer = tokens->authenticate(token, {audience}, find);
    if (answer.subject) {
      BOOST_TEST(answer.subject->name == "system:serviceaccount:shop:builder");
      return taken;
    }
    return answer.error.empty() ? no_opinion : answer.error;
  }

  Object header() const { return {{"alg", "RS256"}, {"kid", key_id}}; }
  static Object claims() {
    return {{"aud", {audience}}, {"exp", now + 3600},     {"iat", now},
            {"nbf", now},        {"iss", audience},       {"sub", "system:serviceaccount:shop:builder"},
            {"jti", "x"},        {"kubernetes.io", own()}};
  }
  static Object own() {
    return {{"namespace", "shop"}, {"serviceaccount", {{"name", "builder"}, {"uid", "builder-uid"}}}};
  }

  openssl::Key key{EVP_RSA_gen(2048)};
  std::string key_id = key_id_of(key.get());
  std::unique_ptr<ServiceAccountTokens> tokens;
};

const World& world() {
  static const World made;
  return made;
}

/// The answer to a token with this claim in place of the usual one.
std::string said_with_claim(const std::string& name, const Object& value) {
  Object claims = World::claims();
  claims[name] = value;
  return world().said_of(world().sign(world().header().dump(), claims.dump()));
}

std::string said_with_own(const std::string& name, const Object& value) {
  Object own = World::own();
  own[name] = value;
  return said_with_claim("kubernetes.io", own);
}

std::string said_with_header(const std::string& name, const Object& value) {
  Object header = world().header();
  header[name] = value;
  return world().said_of(world().sign(header.dump(), World::claims().dump()));
}

std::string said_of_claims_text(const std::string& claims) {
  return world().said_of(world().sign(world().header().dump(), claims));
}

std::string said_of_header_text(const std::string& header) {
  return world().said_of(world().sign(header, World::claims().dump()));
}

struct Case {
  std::string name;
  Object value;
  std::string said;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_usual_token_is_taken) {
  BOOST_TEST(said_of_claims_text(World::claims().dump()) == taken);
}

BOOST_AUTO_TEST_CASE(times_are_numbers) {
  for (const std::string name : {"exp", "nbf", "iat"}) {
    for (const Object& value :
         {Object("soon"), Object(std::to_string(now)), Object(true), Object::array({1}), Object::object()}) {
      BOOST_TEST(said_with_claim(name, value) == no_time, name << " " << value);
    }
    BOOST_TEST(said_with_claim(name, nullptr) == taken, name);
    BOOST_TEST(said_with_claim(name, static_cast<double>(now) + 0.5) == taken, name);
    std::string claims = World::claims().dump();
    const std::size_t at = claims.find("\"" + name + "\":") + 6;
    claims.replace(at, claims.find(',', at) - at, "1e999999");
    BOOST_TEST(said_of_claims_text(claims) == no_time, claims);
  }
  BOOST_TEST(said_with_claim("exp", -1) == "service account token has expired");
  BOOST_TEST(said_with_claim("exp", 1e300) == "service account token has expired");
  BOOST_TEST(said_with_claim("nbf", 1e300) == taken);
  BOOST_TEST(said_with_claim("nbf", 1e18) == "service account token is not valid yet");
}

BOOST_AUTO_TEST_CASE(texts_are_texts_and_audiences_lists_of_them) {
  const std::vector<Case> cases = {
      {"sub", 1, cannot_be_text("number")},
      {"sub", Object::array(), cannot_be_text("array")},
      {"sub", Object::object(), cannot_be_text("object")},
      {"sub", true, cannot_be_text("bool")},
      {"sub", nullptr, taken},
      {"jti", 1, cannot_be_text("number")},
      {"jti", nullptr, taken},
      {"iss", 1, no_opinion},
      {"iss", nullptr, no_opinion},
      {"iss", Object::array({audience}), no_opinion},
      {"aud", 1, no_audience},
      {"aud", nullptr, no_audience},
      {"aud", Object::object(), no_audience},
      {"aud", Object::array({audience, 1}), no_audience},
      {"aud", Object::array({audience, nullptr}), no_audience},
      {"aud", Object::array({Object::array({audience})}), no_audience},
      {"aud", Object::array(), taken},
      {"aud", audience, taken},
  };
  for (const Case& each : cases)
    BOOST_TEST(said_with_claim(each.name, each.value) == each.said, each.name << each.value);
}

BOOST_AUTO_TEST_CASE(a_token_without_kubernetes_own_claims_is_nobodys) {
  Object claims = World::claims();
  claims.erase("kubernetes.io");
  BOOST_TEST(said_of_claims_text(claims.dump()) == no_account);
  BOOST_TEST(said_with_claim("kubernetes.io", nullptr) == no_account);
  BOOST_TEST(said_with_claim("kubernetes.io", Object::object()) == no_account);
  BOOST_TEST(said_with_claim("kubernetes.io", {{"namespace", "shop"}}) == no_account);
  BOOST_TEST(said_with_claim("kubernetes.io", "x") ==
             "json: cannot unmarshal string into Go value of type serviceaccount.kubernetes");
  BOOST_TEST(said_with_claim("kubernetes.io", Object::array()) ==
             "json: cannot unmarshal array into Go value of type serviceaccount.kubernetes");
}

BOOST_AUTO_TEST_CASE(what_a_token_is_bound_to_has_a_name_and_a_uid) {
  const std::vector<Case> cases = {
      {"namespace", 1, cannot_be_text("number")},
      {"serviceaccount", "builder", no_reference("string")},
      {"serviceaccount", nullptr, no_account},
      {"serviceaccount", {{"name", "builder"}, {"uid", 1}}, cannot_be_text("number")},
      {"serviceaccount", {{"name", "builder"}}, "service account UID (builder-uid) does not match claim ()"},
      {"serviceaccount",
       {{"name", "../serviceaccounts/builder"}, {"uid", "builder-uid"}},
       "serviceaccounts \"../serviceaccounts/builder\" not found"},
      {"pod", {{"name", "web"}, {"uid", "web-uid"}}, taken},
      {"node", {{"name", "a"}, {"uid", "a-uid"}}, taken},
      {"node", {{"name", "a"}, {"uid", "x"}}, "node UID (a-uid) does not match service account node ref claim (x)"},
      {"warnafter", "soon", no_time},
      {"warnafter", true, no_time},
      {"warnafter", now - 10, taken},
      {"warnafter", nullptr, taken},
  };
  for (const Case& each : cases) BOOST_TEST(said_with_own(each.name, each.value) == each.said, each.name << each.value);
  for (const std::string name : {"pod", "node", "secret"}) {
    BOOST_TEST(said_with_own(name, nullptr) == taken, name);
    BOOST_TEST(said_with_own(name, "x") == no_reference("string"), name);
    BOOST_TEST(said_with_own(name, Object::array()) == no_reference("array"), name);
    BOOST_TEST(said_with_own(name, true) == no_reference("bool"), name);
    BOOST_TEST(said_with_own(name, Object::object()) == invalidated, name);
    BOOST_TEST(said_with_own(name, {{"name", 1}}) == cannot_be_text("number"), name);
  }
}

BOOST_AUTO_TEST_CASE(the_node_of_a_token_counts_from_the_release_that_reads_it) {
  Object own = World::own();
  own["node"] = {{"name", "gone"}, {"uid", "x"}};
  Object claims = World::claims();
  claims["kubernetes.io"] = own;
  const auto said_by = [&](const World& of) { return of.said_of(of.sign(of.header().dump(), claims.dump())); };
  BOOST_TEST(said_by(World(true, World::NodeOfToken::not_read)) == taken);
  BOOST_TEST(
      said_by(World(true, World::NodeOfToken::refused)) ==
      "token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled");
  BOOST_TEST(said_by(world()) == invalidated);
}

BOOST_AUTO_TEST_CASE(what_a_header_demands_must_be_understood) {
  const std::vector<Case> cases = {
      {"crit", Object::array({"x"}), unverified},
      {"crit", Object::array({"exp"}), unverified},
      {"crit", Object::array({"alg"}), unverified},
      {"crit", "x", "json: cannot unmarshal string into Go value of type []string"},
      {"crit", Object::array({1}), cannot_be_text("number")},
      {"crit", Object::array(), taken},
      {"crit", nullptr, taken},
      {"crit", Object::array({"b64"}), taken},
      {"b64", false, unverified},
      {"b64", true, taken},
  };
  for (const Case& each : cases)
    BOOST_TEST(said_with_header(each.name, each.value) == each.said, each.name << each.value);
}

BOOST_AUTO_TEST_CASE(a_header_names_its_key_and_algorithm) {
  const std::vector<Case> cases = {
      {"kid", "nope", "invalid signature, no keys found"},
      {"kid", "", taken},
      {"kid", nullptr, taken},
      {"kid", 1, no_opinion},
      {"kid", Object::array({world().key_id}), no_opinion},
      {"alg", 1, no_opinion},
      {"alg", "rs256", unverified},
      {"alg", "none", unverified},
      {"alg", "HS256", unverified},
      {"alg", nullptr, unverified},
      {"typ", 1, taken},
      {"typ", "at+jwt", taken},
      {"nonce", 1, no_opinion},
      {"nonce", "x", taken},
      {"jwk", "x", no_opinion},
      {"jwk", Object::object(), no_opinion},
      {"jwk", {{"kty", "oct"}, {"k", "AAAA"}}, no_opinion},
      {"jwk", {{"kty", "RSA"}, {"n", "AQAB"}, {"e", "AQAB"}, {"d", "AAAA"}}, no_opinion},
      {"jwk", nullptr, taken},
      {"x5c", "x", no_opinion},
      {"x5c", Object::array({"AAAA"}), no_opinion},
      {"x5c", Object::array(), taken},
      {"other", {{"a", 1}}, taken},
  };
  for (const Case& each : cases)
    BOOST_TEST(said_with_header(each.name, each.value) == each.said, each.name << each.value);
  const World before_1_31(false);
  Object header = before_1_31.header();
  header["kid"] = "nope";
  BOOST_TEST(before_1_31.said_of(before_1_31.sign(header.dump(), World::claims().dump())) == taken);
}

BOOST_AUTO_TEST_CASE(a_key_that_is_there_twice_is_a_mistake) {
  const std::string claims = World::claims().dump();
  const auto twice = [](const std::string& key) { return "json: duplicate key '" + key + "' in object"; };
  BOOST_TEST(said_of_claims_text(R"({"exp":1,)" + claims.substr(1)) == twice("exp"));
  BOOST_TEST(said_of_claims_text(R"({"\u0065xp":1,)" + claims.substr(1)) == twice("exp"));
  BOOST_TEST(said_of_claims_text(R"({"o":1,"o":2,)" + claims.substr(1)) == twice("o"));
  BOOST_TEST(said_of_claims_text(R"({"kubernetes.io":{"namespace":"kube-system"},)" + claims.substr(1)) ==
             twice("kubernetes.io"));
  std::string inside = claims;
  inside.replace(inside.find(R"("namespace":)"), 12, R"("namespace":"x","namespace":)");
  BOOST_TEST(said_of_claims_text(inside) == twice("namespace"));
  inside = claims;
  inside.replace(inside.find(R"("name":)"), 7, R"("name":"x","name":)");
  BOOST_TEST(said_of_claims_text(inside) == twice("name"));
  // Skipped objects are not checked for repeated keys.
  BOOST_TEST(said_of_claims_text(R"({"o":{"o":1,"o":2},)" + claims.substr(1)) == taken);
  for (const std::string header : {R"({"alg":"none","alg":"RS256"})", R"({"alg":"RS256","o":1,"o":1})"}) {
    BOOST_TEST(said_of_header_text(header) == no_opinion, header);
  }
}

BOOST_AUTO_TEST_CASE(claims_are_json_as_go_reads_it) {
  const std::string claims = World::claims().dump();
  const std::string open = claims.substr(0, claims.size() - 1);
  BOOST_TEST(said_of_claims_text(" \n" + claims + "\t ") == taken);
  BOOST_TEST(said_of_claims_text(open + R"(,"o":1e999})") == taken);
  BOOST_TEST(said_of_claims_text(open + R"(,"o":"\ud800"})") == taken);
  BOOST_TEST(said_of_claims_text(open + ",\"o\":\"\xff\"}") == taken);
  BOOST_TEST(said_of_claims_text(open + ",\"o\":" + std::string(5000, '[') + std::string(5000, ']') + "}") == taken);
  for (const std::string& odd : {claims + " {}", "\xEF\xBB\xBF" + claims, open + R"(,"o":NaN})", open + "/* */}",
                                 "[" + claims + "]", std::string("null"), open + ",\"o\":\"\x01\"}",
                                 open + ",\"o\":" + std::string(20000, '[') + std::string(20000, ']') + "}"}) {
    BOOST_TEST(said_of_claims_text(odd) == no_opinion, odd.substr(0, 40));
  }
  BOOST_TEST(said_of_header_text("null") == unverified);
  BOOST_TEST(said_of_header_text(R"({"alg":"RS256"} {})") == no_opinion);
  BOOST_TEST(said_of_header_text("{\"alg\":\"RS256\",\"o\":\"\xff\"}") == taken);
}

BOOST_AUTO_TEST_CASE(claims_are_signed_in_one_form_only) {
  Object claims = World::claims();
  while (claims.dump().size() % 3 == 0) claims["jti"] = claims["jti"].get<std::string>() + "x";
  const std::string header = base64url_encode(world().header().dump());
  std::string odd = base64url_encode(claims.dump());
  // The last character has unused bits: another character can stand for the same bytes.
  odd.back() = static_cast<char>(odd.back() + 1);
  const std::string text = header + "." + odd;
  BOOST_TEST(world().said_of(text + "." + base64url_encode(world().signature_of(text))) == unverified);
  const std::string good = world().sign(world().header().dump(), claims.dump());
  BOOST_TEST(world().said_of(good) == taken);
  BOOST_TEST(world().said_of(good + "=") == no_opinion);
}

BOOST_AUTO_TEST_SUITE_END()
