#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/loopback.h"
#include "harness/run/in_parallel.h"
#include "harness/test/command_line.h"
#include "harness/test/sanitizers.h"
#include "harness/test/served_cluster.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_webhook)

namespace {

using command_line::Ended;
using command_line::Folder;
using command_line::says;

/// Where a line ends depends on the length of paths.
std::string in_one_line(const std::string& text) {
  std::string out;
  std::istringstream words(text);
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::uint16_t some_port() {
  return nodebound::free_loopback_ports(1).value().front();
}

/// Runs a command beside `in_background`, which is then ended.
Ended beside(const std::string& in_background, const std::string& command) {
  Ended ended = command_line::run_shell("{ " + in_background + "; } & beside=$!; " + command +
                                        " 2>&1; code=$?; kill $beside 2>/dev/null; wait $beside; exit $code");
  ended.output = in_one_line(ended.output);
  return ended;
}

std::string run_of(const std::string& target, const Folder& folder) {
  return std::string(project::nodebound_program) + " run --target '" + target + "' --jobs 4 --cluster-kubeconfig-out " +
         folder.path.string() + " --out " + folder.path.string() + "/out ";
}

/// A run of some checks at a webhook of ci/samples/webhook.
struct Judged {
  std::string how;
  std::string flags;
};

Ended judge(const Judged& judged, std::uint16_t number) {
  const auto& [how, more] = judged;
  const Folder folder;
  const std::string port = std::to_string(number);
  const std::string sample = (std::filesystem::path(project::source_folder) / "ci/samples/webhook/faulty.py").string();
  return beside("exec python3 " + sample + " " + how + " " + port + " " + folder.path.string() +
                    "/cluster.kubeconfig " + project::nodebound_program + " >" + folder.path.string() + "/log 2>&1",
                run_of("authz-webhook:http://127.0.0.1:" + port + "/", folder) + more);
}

/// Runs them side by side, because each waits most of its time.
std::vector<Ended> judge_all(const std::vector<Judged>& all) {
  constexpr std::size_t at_a_time = 6;
  const std::vector<std::uint16_t> ports = nodebound::free_loopback_ports(all.size()).value();
  std::vector<Ended> out(all.size());
  nodebound::in_parallel(
      all.size(), at_a_time, [&](std::size_t i, std::size_t) { out[i] = judge(all[i], ports[i]); },
      [] { return false; });
  return out;
}

/// Who never learns of a write is waited for as long as that.
constexpr const char* soon = " --settle-within 3s";
constexpr const char* few = "--focus '^conformance/namespaces-and-names' --settle-within 3s";

/// The reference as a webhook with certificates, and a cluster's kubeconfig that comes once it runs.
struct OwnWebhook {
  OwnWebhook() {
    const auto authority = nodebound::CertificateAuthority::create("test").value();
    const auto own = authority.issue_server({"localhost", "127.0.0.1"}).value();
    const auto client = authority.issue_client({"kube-apiserver", {}, "", {}}).value();
    folder.write("ca.crt", authority.certificate_pem());
    folder.write("own.crt", own.certificate_pem);
    folder.write("own.key", own.key_pem);
    folder.write("client.crt", client.certificate_pem);
    folder.write("client.key", client.key_pem);
    folder.write("webhook.kubeconfig",
                 R"({"apiVersion": "v1", "kind": "Config", "current-context": "w",
                     "clusters": [{"name": "w", "cluster": {"server": "https://127.0.0.1:)" +
                     port + R"(/authorize", "certificate-authority": "ca.crt"}}],
                     "users": [{"name": "w", "user": {"client-certificate": "client.crt", "client-key": "client.key"}}],
                     "contexts": [{"name": "w", "context": {"cluster": "w", "user": "w"}}]})");
  }

  [[nodiscard]] std::string file(const std::string& name) const { return (folder.path / name).string(); }

  [[nodiscard]] std::string command(const std::string& more = {}) const {
    return "until [ -s " + file("cluster.kubeconfig") + " ]; do sleep 0.05; done; exec " + project::nodebound_program +
           " webhook --kubeconfig " + file("cluster.kubeconfig") + " --listen 127.0.0.1:" + port + " --tls-cert " +
           file("own.crt") + " --tls-key " + file("own.key") + " " + more + " >" + file("log") + " 2>&1";
  }

  [[nodiscard]] std::string url() const { return "https://localhost:" + port + "/authorize"; }

  Folder folder;
  const std::string port = std::to_string(some_port());
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_as_a_webhook_passes_the_node_authorizers_profile) {
  const OwnWebhook webhook;
  const Ended ended =
      beside(webhook.command(), run_of("authz-webhook:" + webhook.url(), webhook.folder) + "--webhook-ca " +
                                    webhook.file("ca.crt") + " --profile node-authorizer");
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(says(ended, "CONFORMS"), ended.output);
  BOOST_TEST(says(ended, "safe alone, behind Node and before Node"), ended.output);
  BOOST_TEST(says(ended, "It decides on a write after "), ended.output);
  const Ended report = command_line::run_shell("cat " + webhook.file("out/report.json"));
  BOOST_TEST(says(report, "\"settling\""));
  BOOST_TEST(says(report, "\"worst_seconds\""));
}

BOOST_AUTO_TEST_CASE(it_knows_its_clients_by_certificate_and_both_versions_of_reviews) {
  const OwnWebhook webhook;
  const std::string asked = webhook.command("--client-ca " + webhook.file("ca.crt"));
  const std::string run = run_of("authz-webhook:", webhook.folder) + few + " --webhook-version v1beta1";
  const Ended ended = beside(asked, run + " --webhook-kubeconfig " + webhook.file("webhook.kubeconfig"));
  BOOST_TEST(ended.code == 0, ended.output);

  const OwnWebhook other;
  const Ended stranger =
      beside(other.command("--client-ca " + other.file("ca.crt")),
             run_of("authz-webhook:" + other.url(), other.folder) + few + " --webhook-ca " + other.file("ca.crt"));
  BOOST_TEST(stranger.code == 3, stranger.output);
  BOOST_TEST(says(stranger, "does not answer a SubjectAccessReview"), stranger.output);
}

BOOST_AUTO_TEST_CASE(the_reference_admits_as_an_admission_webhook) {
  const std::string focus = " --focus '^conformance/(mirror-pod|node-labels|csi-audiences|evicti)'";
  const auto judged = [&](const std::string& flags, const char* target) {
    const OwnWebhook webhook;
    return beside(webhook.command(flags),
                  run_of(target + webhook.url(), webhook.folder) + focus + " --webhook-ca " + webhook.file("ca.crt"));
  };
  const Ended ended = judged("", "admission-webhook:");
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(says(ended, "an admission webhook alone authorizes nothing"), ended.output);
  const Ended without = judged("--admission-plugins ServiceAccount", "admission-webhook:");
  BOOST_TEST(without.code == 1, without.output);
  BOOST_TEST(says(without, "pod-own-node: "), without.output);
}

BOOST_AUTO_TEST_CASE(it_learns_of_writes_although_watches_break_and_versions_expire) {
  for (const char* fault : {"drop-watch=1", "expired"}) {
    const command_line::ServedCluster served("", {"--fault", fault});
    const std::string port = std::to_string(some_port());
    const std::filesystem::path certificate = served.folder.path / "webhook.crt";
    const auto webhook =
        nodebound::ChildProcess::start(project::nodebound_program,
                                       {"webhook", "--kubeconfig", served.admin_file(), "--listen", "127.0.0.1:" + port,
                                        "--certificate-out", certificate.string()},
                                       served.folder.path / "webhook.log");
    BOOST_TEST_REQUIRE(webhook.has_value());
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    const auto wait = [&](const auto& ready) {
      while (!ready() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      return ready();
    };
    BOOST_TEST_REQUIRE(wait([&] { return (*webhook)->last_lines(20).find("Ready") != std::string::npos; }), fault);
    std::ifstream in(certificate);
    const std::string authority{std::istreambuf_iterator<char>(in), {}};
    const auto client = nodebound::make_http_client({.host = "127.0.0.1",
                                                     .port = static_cast<std::uint16_t>(std::stoul(port)),
                                                     .base_path = "",
                                                     .server_name = "",
                                                     .ca_pem = authority},
                                                    {}, {})
                            .value();
    const auto allows = [&](const std::string& node) {
      const std::string spec = R"({"user": "system:node:)" + node + R"(", "groups": ["system:nodes"], )" +
                               R"("resourceAttributes": {"verb": "get", "resource": "secrets", )" +
                               R"("namespace": "default", "name": "db"}})";
      const auto answer = client->send({"POST", "/", "application/json",
                                        R"({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", )"
                                        R"("spec": )" +
                                            spec + "}",
                                        false});
      return answer && answer->body.find("\"allowed\":true") != std::string::npos;
    };
    const std::string core = "/api/v1/namespaces/default/";
    served.ask_as_admin("POST", core + "serviceaccounts", R"({"metadata": {"name": "default"}})");
    for (const std::string node : {"a", "b", "c"}) {
      BOOST_TEST(!allows(node), fault);
      const std::string pod = R"({"metadata": {"name": "web-)" + node + R"("}, "spec": {"nodeName": ")" + node +
                              R"(", "containers": [{"name": "c", "image": "i"}],)" +
                              R"("volumes": [{"name": "s", "secret": {"secretName": "db"}}]}})";
      BOOST_TEST_REQUIRE(served.ask_as_admin("POST", core + "pods", pod).status == 201);
      BOOST_TEST(wait([&] { return allows(node); }), fault << ", node " << node);
    }
    served.ask_as_admin("DELETE", core + "pods/web-b?gracePeriodSeconds=0");
    BOOST_TEST(wait([&] { return !allows("b"); }), fault);
    (*webhook)->stop();
    BOOST_TEST((*webhook)->ending().value() == "with exit status 0");
  }
}

BOOST_AUTO_TEST_CASE(nobody_passes_who_decides_nothing) {
  for (const Ended& ended : judge_all({{"allow", few}, {"deny", few}, {"no-opinion", few}})) {
    BOOST_TEST(ended.code == 1, ended.output);
    BOOST_TEST(says(ended, "secret-through-pod: "), ended.output);
  }
}

BOOST_AUTO_TEST_CASE(a_webhook_that_gives_no_reviews_proves_nothing) {
  struct Breach {
    const char* how;
    const char* says;
  };
  const std::vector<Breach> breaches = {{"error", "has answered nothing but errors"},
                                        {"both", "both allowed and denied"},
                                        {"rubbish", "is not a JSON object"},
                                        {"other-kind", "by its kind"},
                                        {"no-status", "status.allowed"},
                                        {"redirects", "redirects"},
                                        {"huge", "has not answered"},
                                        {"dies", "has not answered"},
                                        {"hangs", "--request-timeout allows more"}};
  std::vector<Judged> judged;
  for (const auto& [how, text] : breaches) {
    const bool waits = std::string_view(how) == "hangs";
    judged.push_back({how, std::string(few) + (waits ? " --request-timeout 5s" : "")});
  }
  const std::vector<Ended> ended = judge_all(judged);
  for (std::size_t i = 0; i < breaches.size(); ++i) {
    const auto& [how, text] = breaches[i];
    BOOST_TEST(ended[i].code == 3, how << ": " << ended[i].code << ended[i].output);
    BOOST_TEST(says(ended[i], text), how << ": " << ended[i].output);
    BOOST_TEST(!says(ended[i], "CONFORMS"), ended[i].output);
  }
}

BOOST_AUTO_TEST_CASE(each_faulty_webhook_is_found_out) {
  struct Fault {
    const char* name;
    const char* focus;
    const char* rule;
  };
  std::vector<Fault> faults = {
      {"ignores-group", "node-identity$", "node-identity-group: "},
      {"ignores-user-prefix", "node-identity$", "node-identity-prefix: "},
      {"ignores-case", "node-identity-in-other-case", "secret-through-pod: "},
      {"ignores-node", "namespaces-and-names", "secret-through-pod: "},
      {"ignores-namespace", "namespaces-and-names", "secret-through-pod: "},
      {"ignores-missing-namespace", "reading-secrets-and-configmaps", "object-read-namespaced: "},
      {"ignores-name", "reading-secrets-and-configmaps", "object-read-named: "},
      {"matches-prefixes", "namespaces-and-names", "secret-through-pod: "},
      {"ignores-subresource", "claim-status-through-pod", "claim-status-through-pod: "},
      {"ignores-selectors", "pod-selectors", "pod-selector: "},
      {"ignores-verbs", "reading-secrets-and-configmaps", "object-read-verbs: "},
      {"takes-list-for-get", "getting-one-object", "object-get-only: "},
      {"knows-no-csinodes", "csinodes", "csinode"},
      {"allows-get", "namespaces-and-names", "secret-through-pod: "},
      {"allows-paths", "non-resource-paths", "non-resource"},
      {"allows-what-is-not-related", "namespaces-and-names", "secret-through-pod: "},
      {"caches-for-ever", "namespaces-and-names", "graph-forgets-deleted: "},
      {"forgets-nothing", "claim-through-pod", "graph-forgets-deleted: "},
      {"knows-no-volumes", "volume-through-claim", "volume-through-claim: "},
      {"knows-no-slices", "resource-slices$", "resource-slice"},
      {"knows-no-attachments", "volume-attachments", "volume-attachment"}};
  if (nodebound::sanitized) faults.resize(7);
  std::vector<Judged> judged;
  for (const auto& [name, focus, rule] : faults) {
    judged.push_back({name, "--focus '^conformance/" + std::string(focus) + "'" + soon});
  }
  const std::vector<Ended> ended = judge_all(judged);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const auto& [name, focus, rule] = faults[i];
    BOOST_TEST(ended[i].code == 1, name << ": " << ended[i].code << ended[i].output);
    BOOST_TEST(says(ended[i], rule), name << ": " << ended[i].output);
  }
}

BOOST_AUTO_TEST_CASE(bad_usage_says_what_is_expected) {
  struct Bad {
    const char* arguments;
    const char* says;
  };
  for (const auto& [arguments, text] :
       {Bad{"run --target authz-webhook:", "authz-webhook:URL"},
        {"run --target admission-webhook:", "admission-webhook:URL"},
        {"run --target admission-webhook:http://localhost/", "HTTPS alone"},
        {"run --target authz-webhook:ftp://localhost/", "ftp://localhost/"},
        {"run --target authz-webhook:http://192.0.2.1/", "plain HTTP is for loopback only"},
        {"run --target authz-webhook:https://localhost/ --webhook-ca /does/not/exist", "--webhook-ca"},
        {"run --target authz-webhook:https://localhost/ --webhook-client-key /dev/null",
         "--webhook-client-certificate"},
        {"run --target authz-webhook:https://localhost/ --webhook-kubeconfig /dev/null", "names the URL"},
        {"run --target authz-webhook:https://localhost/ --webhook-wait soon", "\"soon\" is not such a time"},
        {"run --settle-within never", "\"never\" is not such a time"},
        {"webhook", "--kubeconfig"},
        {"webhook --kubeconfig /does/not/exist", "/does/not/exist"},
        {"webhook --kubeconfig /dev/null --listen here", "ADDRESS:PORT"},
        {"webhook --kubeconfig /dev/null --authorization-mode ABAC", "Node, RBAC or both"},
        {"webhook --kubeconfig /dev/null --admission-plugins Nobody", "unknown"}}) {
    const Ended ended = command_line::nodebound(arguments);
    BOOST_TEST(ended.code == 2, arguments << ": " << ended.output);
    BOOST_TEST(in_one_line(ended.output).find(text) != std::string::npos, arguments << ": " << ended.output);
  }
}

BOOST_AUTO_TEST_CASE(nobody_there_is_not_waited_for_longer_than_asked) {
  const Folder folder;
  const Ended ended =
      command_line::nodebound("run --target authz-webhook:https://127.0.0.1:" + std::to_string(some_port()) +
                              "/ --webhook-wait 1s --out " + folder.path.string());
  BOOST_TEST(ended.code == 3, ended.output);
  BOOST_TEST(says(ended, "--webhook-wait allows more time"), ended.output);
}

BOOST_AUTO_TEST_SUITE_END()
