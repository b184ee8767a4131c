#include "reference/kubelet/filter.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(kubelet_filter)

using namespace nodebound;
using test::rules_of;

namespace {

/// Gives the answers that the test sets, and records the questions.
class Scripted final : public Reviewer {
 public:
  std::optional<TokenVerdict> review_token(const std::string& token) override {
    tokens.push_back(token);
    if (token == "good") return TokenVerdict{Subject{"jane", {"dev"}, "", {}}, ""};
    if (token == "unreviewed") return std::nullopt;
    return TokenVerdict{std::nullopt, "invalid"};
  }
  std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) override {
    asked.push_back(attributes.verb + " " + attributes.subresource);
    users.push_back(subject);
    const auto found = says.find(attributes.subresource);
    return found == says.end() ? AccessVerdict{} : found->second;
  }

  std::map<std::string, std::optional<AccessVerdict>> says;
  std::vector<std::string> tokens;
  std::vector<std::string> asked;
  std::vector<Subject> users;
};

constexpr AccessVerdict allow{true, false};
constexpr AccessVerdict deny{false, true};
constexpr AccessVerdict both{true, true};

KubeletSettings webhook(const RuleSet& rules, bool anonymous = false) {
  KubeletSettings out = KubeletSettings::of_file(rules);
  out.anonymous = anonymous;
  out.token_webhook = true;
  out.authorization_mode = "Webhook";
  out.client_ca = true;
  return out;
}

KubeletCredentials bearer(std::string_view header) {
  KubeletCredentials out;
  out.authorization = header;
  return out;
}

const Subject cert_user{"cert-user", {"ops"}, "", {}};

KubeletCredentials certificate(bool good, std::string_view header = {}) {
  KubeletCredentials out = bearer(header);
  if (good) out.certificate = cert_user;
  out.bad_certificate = !good;
  return out;
}

// The user of a request, or 401; nothing is authorized.
std::string who(const KubeletCredentials& credentials, bool anonymous, const char* version = "1.36.3",
                Scripted&& reviewer = {}) {
  const RuleSet rules = rules_of(version);
  const KubeletDecision decision =
      KubeletFilter(rules, webhook(rules, anonymous), "node-a").decide("GET", "/metrics", credentials, reviewer);
  if (decision.status == 401) {
    BOOST_TEST(decision.body == "Unauthorized");
    return "401";
  }
  return decision.subject->name;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(authentication)

struct Row {
  const char* what;
  KubeletCredentials credentials;
  const char* with_anonymous;
  const char* without;
};
std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.what;
}

const Row table[] = {
    {"nothing", {}, "system:anonymous", "401"},
    {"certificate", certificate(true), "cert-user", "cert-user"},
    {"bad certificate", certificate(false), "401", "401"},
    {"bad certificate, good token", certificate(false, "Bearer good"), "jane", "jane"},
    {"certificate, bad token", certificate(true, "Bearer bad"), "cert-user", "cert-user"},
    {"good token", bearer("Bearer good"), "jane", "jane"},
    {"scheme in other letters", bearer("bEARER good"), "jane", "jane"},
    {"more behind the token", bearer("Bearer good more"), "jane", "jane"},
    {"bad token", bearer("Bearer bad"), "401", "401"},
    {"review fails", bearer("Bearer unreviewed"), "401", "401"},
    {"Basic", bearer("Basic Zm9v"), "system:anonymous", "401"},
    {"no token", bearer("Bearer"), "system:anonymous", "401"},
    {"two blanks", bearer("Bearer  good"), "system:anonymous", "401"},
};

BOOST_DATA_TEST_CASE(a_credential_is_who_it_says, boost::unit_test::data::make(table), row) {
  BOOST_TEST(who(row.credentials, true) == row.with_anonymous);
  BOOST_TEST(who(row.credentials, false) == row.without);
}

BOOST_AUTO_TEST_CASE(a_good_certificate_asks_about_no_token) {
  const RuleSet rules = rules_of("1.36.3");
  Scripted reviewer;
  KubeletFilter(rules, webhook(rules), "node-a").decide("GET", "/pods", certificate(true, "Bearer good"), reviewer);
  BOOST_TEST(reviewer.tokens.empty());
  const std::vector<std::string> groups = {"ops", "system:authenticated"};
  BOOST_TEST(reviewer.users.front().groups == groups, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_the_webhook_a_token_is_nothing) {
  const RuleSet rules = rules_of("1.36.3");
  KubeletSettings settings = webhook(rules);
  settings.token_webhook = false;
  Scripted reviewer;
  BOOST_TEST(KubeletFilter(rules, settings, "n").decide("GET", "/pods", bearer("Bearer good"), reviewer).status == 401);
  settings.anonymous = true;
  const auto decision = KubeletFilter(rules, settings, "n").decide("GET", "/pods", bearer("Bearer bad"), reviewer);
  BOOST_TEST(decision.subject->name == "system:anonymous");
  BOOST_TEST(reviewer.tokens.empty());
}

BOOST_AUTO_TEST_CASE(without_a_client_ca_a_certificate_is_nothing) {
  const RuleSet rules = rules_of("1.36.3");
  KubeletSettings settings = webhook(rules, true);
  settings.client_ca = false;
  Scripted reviewer;
  for (const bool good : {false, true}) {
    const auto decision = KubeletFilter(rules, settings, "n").decide("GET", "/pods", certificate(good), reviewer);
    BOOST_TEST(decision.subject->name == "system:anonymous");
  }
}

BOOST_AUTO_TEST_CASE(a_websocket_brings_its_token_among_its_subprotocols) {
  const auto websocket = [](std::vector<std::string> protocols) {
    KubeletCredentials out;
    out.websocket = true;
    out.subprotocols = std::move(protocols);
    return out;
  };
  const std::string good = "base64url.bearer.authorization.k8s.io.Z29vZA";
  BOOST_TEST(who(websocket({good + ", v4.channel.k8s.io"}), true) == "jane");
  BOOST_TEST(who(websocket({"v4.channel.k8s.io", good}), true) == "jane");
  BOOST_TEST(who(websocket({good + ",v4.channel.k8s.io"}), true, "1.7.0") == "system:anonymous");
  BOOST_TEST(who(websocket({good}), true) == "401");
  BOOST_TEST(who(websocket({good, good, "v4.channel.k8s.io"}), true) == "401");
  BOOST_TEST(who(websocket({"base64url.bearer.authorization.k8s.io.Z29v=,x"}), true) == "401");
  BOOST_TEST(who(websocket({"base64url.bearer.authorization.k8s.io.,x"}), true) == "system:anonymous");
  BOOST_TEST(who(websocket({"base64url.bearer.authorization.k8s.io._-_-,x"}), true) == "401");
  KubeletCredentials no_upgrade = websocket({good + ",x"});
  no_upgrade.websocket = false;
  BOOST_TEST(who(no_upgrade, true) == "system:anonymous");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(authorization)

namespace {

struct Case {
  const char* version;
  std::map<std::string, std::optional<AccessVerdict>> says;
  const char* path;
  int status;
  const char* body;
  std::vector<std::string> asked;
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.version << ' ' << one.path;
}

const Case cases[] = {
    {"1.36.3", {{"pods", allow}}, "/pods", 0, "", {"get pods"}},
    {"1.36.3", {{"proxy", allow}}, "/pods", 0, "", {"get pods", "get proxy"}},
    {"1.36.3", {{"pods", deny}, {"proxy", allow}}, "/runningpods/", 0, "", {"get pods", "get proxy"}},
    {"1.36.3",
     {},
     "/pods/x",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[pods proxy])\n",
     {"get pods", "get proxy"}},
    {"1.36.3",
     {{"pods", std::nullopt}, {"proxy", allow}},
     "/pods",
     500,
     "Authorization error (user=jane, verb=get, resource=nodes, subresource=pods)",
     {"get pods"}},
    {"1.36.3",
     {{"pods", both}, {"proxy", allow}},
     "/pods",
     500,
     "Authorization error (user=jane, verb=get, resource=nodes, subresource=pods)",
     {"get pods"}},
    {"1.36.3",
     {{"proxy", std::nullopt}},
     "/configz",
     500,
     "Authorization error (user=jane, verb=get, resource=nodes, subresource=proxy)",
     {"get configz", "get proxy"}},
    {"1.36.3",
     {{"proxy", allow}},
     "/statusz",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[statusz])\n",
     {"get statusz"}},
    {"1.36.3",
     {{"proxy", allow}},
     "/flagz",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[configz])\n",
     {"get configz"}},
    {"1.36.3",
     {{"stats", allow}},
     "/statsx",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[proxy])\n",
     {"get proxy"}},
    {"1.31.0",
     {{"pods", allow}},
     "/pods",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource=proxy)",
     {"get proxy"}},
    {"1.32.0",
     {{"pods", allow}},
     "/pods",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[proxy])\n",
     {"get proxy"}},
    {"1.29.0", {{"proxy", allow}}, "/checkpoint/a/b/c", 0, "", {"get proxy"}},
    {"1.30.0",
     {{"proxy", allow}},
     "/checkpoint/a/b/c",
     403,
     "Forbidden (user=jane, verb=get, resource=nodes, subresource=checkpoint)",
     {"get checkpoint"}},
    {"1.20.0", {{"spec", allow}}, "/spec/", 0, "", {"get spec"}},
    {"1.21.0", {{"proxy", allow}}, "/spec/", 0, "", {"get proxy"}},
    {"1.36.3", {{"proxy", allow}}, "/allocatedPods", 0, "", {"get proxy"}},
    {"1.37.0", {{"pods", allow}}, "/allocatedPods/a", 0, "", {"get pods"}},
    {"1.8.0", {{"proxy", both}}, "/pods", 0, "", {"get proxy"}},
};

}  // namespace

BOOST_DATA_TEST_CASE(who_is_allowed_goes_on, boost::unit_test::data::make(cases), one) {
  const RuleSet rules = rules_of(one.version);
  Scripted reviewer;
  reviewer.says = one.says;
  const KubeletDecision decision =
      KubeletFilter(rules, webhook(rules), "node-a").decide("GET", one.path, bearer("Bearer good"), reviewer);
  BOOST_TEST(decision.status == one.status);
  BOOST_TEST(decision.body == one.body);
  BOOST_TEST(reviewer.asked == one.asked, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(methods_are_verbs_or_none) {
  const RuleSet rules = rules_of("1.36.3");
  for (const auto& [method, verb] :
       {std::pair("POST", "create"), std::pair("GET", "get"), std::pair("PUT", "update"), std::pair("PATCH", "patch"),
        std::pair("DELETE", "delete"), std::pair("HEAD", ""), std::pair("OPTIONS", ""), std::pair("get", "")}) {
    BOOST_TEST(kubelet_attributes(method, "/stats/summary", "n", rules).front().verb == verb, method);
  }
}

BOOST_AUTO_TEST_CASE(fine_grained_is_a_gate_of_the_kubelet) {
  for (const auto& [version, on, count] :
       {std::tuple("1.32.0", false, 1U), std::tuple("1.32.0", true, 2U), std::tuple("1.35.0", false, 1U)}) {
    const RuleSet rules = rules_of(version, {{"KubeletFineGrainedAuthz", on}});
    BOOST_TEST(kubelet_attributes("GET", "/healthz/ping", "n", rules).size() == count, version << on);
  }
}

BOOST_AUTO_TEST_CASE(always_allow_asks_nobody_but_who_it_is) {
  const RuleSet rules = rules_of("1.36.3");
  KubeletSettings settings = webhook(rules);
  settings.authorization_mode = "AlwaysAllow";
  Scripted reviewer;
  const KubeletFilter filter(rules, settings, "n");
  BOOST_TEST(filter.decide("POST", "/run/a/b/c", bearer("Bearer good"), reviewer).passes());
  BOOST_TEST(filter.decide("POST", "/run/a/b/c", {}, reviewer).status == 401);
  BOOST_TEST(reviewer.asked.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(a_file_is_secure_from_1_10_on_and_flags_never_are) {
  for (const char* version : {"1.9.0", "1.10.0", "1.37.1"}) {
    const RuleSet rules = rules_of(version);
    const KubeletSettings flags = KubeletSettings::of_flags(rules);
    BOOST_TEST(flags.anonymous);
    BOOST_TEST(!flags.token_webhook);
    BOOST_TEST(flags.authorization_mode == "AlwaysAllow");
    BOOST_TEST(flags.read_only_port == 10255);
    const KubeletSettings file = KubeletSettings::of_file(rules);
    const bool secure = std::string(version) != "1.9.0";
    BOOST_TEST(file.anonymous != secure, version);
    BOOST_TEST(file.token_webhook == secure, version);
    BOOST_TEST((file.authorization_mode == "Webhook") == secure, version);
    BOOST_TEST(file.read_only_port == (secure ? 0 : 10255), version);
  }
}

BOOST_AUTO_TEST_CASE(a_kubelet_says_why_it_does_not_start) {
  const auto error = [](const char* version, const std::function<void(KubeletSettings&)>& change, bool has_client) {
    const RuleSet rules = rules_of(version);
    KubeletSettings settings = KubeletSettings::of_file(rules);
    change(settings);
    return start_error(settings, has_client, rules).value_or("");
  };
  const auto nothing = [](KubeletSettings&) {};
  BOOST_TEST(error("1.36.3", nothing, true).empty());
  BOOST_TEST(error("1.36.3", nothing, false) == "no client provided, cannot use webhook authentication");
  BOOST_TEST(error(
                 "1.36.3", [](auto& it) { it.token_webhook = false; }, false) ==
             "no client provided, cannot use webhook authorization");
  BOOST_TEST(error(
                 "1.36.3", [](auto& it) { it.authorization_mode = ""; }, true) == "no authorization mode specified");
  BOOST_TEST(error(
                 "1.15.0", [](auto& it) { it.authorization_mode = ""; }, true) == "No authorization mode specified");
  BOOST_TEST(error(
                 "1.36.3", [](auto& it) { it.authorization_mode = "RBAC"; }, true) ==
             "unknown authorization mode RBAC");
  const auto nobody = [](KubeletSettings& it) { it.anonymous = it.token_webhook = it.client_ca = false; };
  BOOST_TEST(error("1.16.0", nobody, true) == "No authentication method configured");
  BOOST_TEST(error("1.19.0", nobody, true).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
