#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "harness/test/served_cluster.h"

BOOST_AUTO_TEST_SUITE(cli_serve)

using namespace command_line;
using namespace nodebound;
using nlohmann::json;

namespace {

std::vector<std::string> with_node_and_log(std::vector<std::string> flags) {
  flags.insert(flags.end(), {"--node", "a", "--audit-log-path", "{folder}/audit.log"});
  return flags;
}

/// `nodebound serve` with a node and an audit log.
struct Served : ServedCluster {
  explicit Served(std::vector<std::string> flags = {}) : ServedCluster("", with_node_and_log(std::move(flags))) {}

  HttpResponse ask(const std::string& who, const std::string& method, const std::string& target,
                   const std::string& body = {}) const {
    return client(who)->send({method, target, "application/json", body, false, {}, {}}).value();
  }

  std::vector<json> audit() const {
    std::vector<json> events;
    std::ifstream in(folder.path / "audit.log");
    for (std::string line; std::getline(in, line);) events.push_back(json::parse(line));
    return events;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(it_serves_whom_it_gave_a_kubeconfig) {
  const Served served({"--release", "1.35"});
  BOOST_TEST(served.server->last_lines(3).starts_with("Serving Kubernetes 1.35.0 at https://127.0.0.1:"));
  const HttpResponse version = served.ask("admin", "GET", "/version");
  BOOST_TEST(json::parse(version.body)["gitVersion"] == "v1.35.0");
  BOOST_TEST(!version.headers.at("audit-id").empty());

  const std::string review = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const json node = json::parse(served.ask("node-a", "POST", review, "{}").body);
  BOOST_TEST(node["status"]["userInfo"]["username"] == "system:node:a");
  BOOST_TEST((node["status"]["userInfo"]["groups"] == json{"system:nodes", "system:authenticated"}));
  BOOST_TEST(served.ask("node-a", "GET", "/api/v1/namespaces/x/secrets/s").status == 403);

  const std::vector<json> events = served.audit();
  BOOST_TEST_REQUIRE(events.size() == 3U);
  BOOST_TEST(events[2]["annotations"]["authorization.k8s.io/decision"] == "forbid");
  BOOST_TEST(events[2]["annotations"]["authorization.k8s.io/reason"] ==
             "no relationship found between node 'a' and this object");
}

BOOST_AUTO_TEST_CASE(it_logs_requests_one_a_line) {
  const Served served({"--verbose"});
  BOOST_TEST(served.ask("node-a", "GET", "/api/v1/nodes/b").status == 403);
  BOOST_TEST(served.ask("admin", "GET", "/%0A12:00:00.000%20forged").status == 404);
  const std::string log = served.server->last_lines(2);
  BOOST_TEST(log.find(" GET /api/v1/nodes/b by system:node:a: 403, node-read-own\n") != std::string::npos, log);
  BOOST_TEST(log.find(" GET /%0A12:00:00.000%20forged by admin: 404, masters-group") != std::string::npos, log);
}

BOOST_AUTO_TEST_CASE(it_ends_in_good_order_and_its_kubeconfigs_outlive_it) {
  Served served;
  served.server->stop();
  BOOST_TEST(served.server->ending().value() == "with exit status 0");
  const std::string authority = run_shell("cat " + (served.folder.path / "ca.crt").string()).output;
  const Ended bad =
      command_line::nodebound("serve --kubeconfig-out " + served.folder.path.string() + " --bind-address nowhere");
  BOOST_TEST(bad.code == 2);
  BOOST_TEST(run_shell("cat " + (served.folder.path / "ca.crt").string()).output == authority);
}

BOOST_AUTO_TEST_CASE(kubectl_takes_it_for_an_api_server) {
  if (run_shell("command -v kubectl").code != 0) {
    BOOST_TEST_MESSAGE("kubectl is not installed");
    return;
  }
  const Served served;
  const std::string kubectl = "kubectl --kubeconfig " + (served.folder.path / "admin.kubeconfig").string();
  const Ended version = run_shell(kubectl + " get --raw /version 2>&1");
  BOOST_TEST(version.code == 0);
  BOOST_TEST(says(version, "v1.36.3"));
}

namespace {

bool is_ready(const json& node) {
  const json& conditions = node["status"]["conditions"];
  return std::any_of(conditions.begin(), conditions.end(), [](const json& condition) {
    return condition["type"] == "Ready" && condition["status"] == "True";
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(its_kubelets_are_nodes_that_are_ready_and_hold_leases) {
  const Served served({"--release", "1.35", "--kubelets", "3", "--kubelet-release", "1.34"});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  json nodes;
  json held;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    nodes = json::parse(served.ask("admin", "GET", "/api/v1/nodes").body)["items"];
    held = json::parse(served.ask("admin", "GET", leases).body)["items"];
  } while ((nodes.size() < 3 || held.size() < 3) && std::chrono::steady_clock::now() < end);
  BOOST_TEST_REQUIRE(nodes.size() == 3U);
  BOOST_TEST(held.size() == 3U);
  BOOST_TEST(nodes[0]["metadata"]["name"] == "node-0001");
  BOOST_TEST(nodes[2]["status"]["nodeInfo"]["kubeletVersion"] == "v1.34.0");
  for (const json& node : nodes) BOOST_TEST(is_ready(node));
  BOOST_TEST(served.server->last_lines(1).ends_with("3 kubelets 1.34.0: node-0001 to node-0003"));
  const std::vector<json> events = served.audit();
  BOOST_TEST(std::any_of(events.begin(), events.end(), [](const json& event) {
    return event["user"]["username"] == "system:node:node-0003" && event["verb"] == "create" &&
           event["objectRef"]["resource"] == "nodes" && event["responseStatus"]["code"] == 201;
  }));
}

namespace {

/// Asks until the answer is one that is waited for; the last answer.
template <typename Ask, typename Fits>
json waited_for(const Ask& ask, const Fits& fits) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  json out = ask();
  while (!fits(out) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    out = ask();
  }
  return out;
}

constexpr const char* web_pod = R"({
  "metadata": {"name": "web", "namespace": "default"},
  "spec": {
    "nodeName": "node-0001", "automountServiceAccountToken": false,
    "containers": [{"name": "main", "image": "registry.invalid/none"}]
  }
})";

}  // namespace

BOOST_AUTO_TEST_CASE(its_kubelets_are_reached_through_it_and_by_themselves) {
  const Served served({"--release", "1.36", "--kubelets", "1"});
  const auto get = [&](const std::string& target) { return json::parse(served.ask("admin", "GET", target).body); };
  const json node = waited_for([&] { return get("/api/v1/nodes/node-0001"); },
                               [](const json& one) { return one.contains("status") && is_ready(one); });
  BOOST_TEST_REQUIRE(node["status"]["addresses"].size() == 2U);
  BOOST_TEST(node["status"]["addresses"][0] == json({{"type", "InternalIP"}, {"address", "127.0.0.1"}}));
  const json account = waited_for(
      [&] {
        return served
            .ask("admin", "POST", "/api/v1/namespaces/default/serviceaccounts", R"({"metadata": {"name": "default"}})")
            .status;
      },
      [](const json& status) { return status == 201 || status == 409; });
  BOOST_TEST((account == 201 || account == 409));
  BOOST_TEST_REQUIRE(served.ask("admin", "POST", "/api/v1/namespaces/default/pods", web_pod).status == 201);
  const std::string web = "/api/v1/namespaces/default/pods/web";
  const json pod = waited_for([&] { return get(web); },
                              [](const json& one) { return one["status"].value("phase", "") == "Running"; });
  BOOST_TEST(pod["status"]["hostIP"] == "127.0.0.1");
  BOOST_TEST(pod["status"]["podIP"] == "198.18.0.1");
  BOOST_TEST(pod["status"]["podIPs"] == json::parse(R"([{"ip": "198.18.0.1"}])"));
  BOOST_TEST(pod["status"]["containerStatuses"][0]["containerID"].get<std::string>().starts_with("fake://"));

  const HttpResponse log = served.ask("admin", "GET", web + "/log");
  BOOST_TEST(log.status == 200);
  BOOST_TEST(log.body == "main has started\n");
  BOOST_TEST(served.ask("admin", "GET", web + "/log?previous=true").status == 400);
  const json pods = get("/api/v1/nodes/node-0001/proxy/pods");
  BOOST_TEST(pods["items"][0]["metadata"]["uid"] == pod["metadata"]["uid"]);
  BOOST_TEST(served.ask("admin", "GET", web + "/exec?command=id&stdout=true").status == 400);

  // The kubelet's own port: it knows certificates, and the API server says who may.
  const auto admin = load_kubeconfig(served.admin_file()).value();
  const std::string port = node["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"].dump();
  auto address = parse_server("https://127.0.0.1:" + port, "kubelet").value();
  address.ca_pem = admin.server.ca_pem;
  const auto status = [&](const Credentials& credentials) {
    return make_http_client(address, credentials, {}).value()->send({"GET", "/pods", "", "", false}).value().status;
  };
  BOOST_TEST(status(credentials_of(admin).value()) == 200);
  BOOST_TEST(status({}) == 401);
  const auto node_a = load_kubeconfig((served.folder.path / "node-a.kubeconfig").string()).value();
  BOOST_TEST(status(credentials_of(node_a).value()) == 403);
  const std::vector<json> events = served.audit();
  BOOST_TEST(std::any_of(events.begin(), events.end(), [](const json& event) {
    return event["user"]["username"] == "system:node:node-0001" &&
           event["objectRef"].value("resource", "") == "subjectaccessreviews";
  }));
}

BOOST_AUTO_TEST_CASE(components_read_the_authority_of_clients_in_a_configmap) {
  const Served served;
  const HttpResponse answer =
      served.ask("admin", "GET", "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication");
  BOOST_TEST_REQUIRE(answer.status == 200);
  std::ifstream in(served.folder.path / "ca.crt");
  const std::string authority{std::istreambuf_iterator<char>(in), {}};
  const json object = json::parse(answer.body);
  BOOST_TEST(object["data"] == json({{"client-ca-file", authority}}));
  BOOST_TEST(object["metadata"]["managedFields"][0]["manager"] == "kube-apiserver");
}

namespace {

std::string authorized_by(const std::string& authorizers) {
  return R"({"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthorizationConfiguration", "authorizers": [)" +
         authorizers + "]}";
}

const std::string usual_authorizers = R"({"type": "Node", "name": "node"}, {"type": "RBAC", "name": "rbac"})";

/// Asks until the answer has that status.
bool comes_to(const Served& served, int status) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (served.ask("node-a", "GET", "/api/v1/namespaces/x/secrets/s").status != status) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

bool comes_to_say(const Served& served, const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (served.server->last_lines(9).find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_follows_its_authorization_configuration) {
  Folder files;
  files.write("config", authorized_by(usual_authorizers));
  const Served served({"--authorization-config", (files.path / "config").string()});
  BOOST_TEST(comes_to(served, 403));
  files.write("config", authorized_by(usual_authorizers + R"(, {"type": "AlwaysAllow", "name": "alwaysallow"})"));
  BOOST_TEST(comes_to(served, 404));
  files.write("config", authorized_by(R"({"type": "RBAC", "name": "rbac"})"));
  BOOST_TEST(comes_to_say(served, "missing required types: [Node]"));
  BOOST_TEST(comes_to(served, 404));
  files.write("config", authorized_by(usual_authorizers + R"(, {"type": "ABAC", "name": "abac"})"));
  BOOST_TEST(comes_to_say(served, "authorizer type ABAC is not allowed if it was not enabled"));
  files.write("config", authorized_by(usual_authorizers));
  BOOST_TEST(comes_to(served, 403));
}

BOOST_AUTO_TEST_CASE(it_does_not_start_with_a_broken_authorization_configuration) {
  const std::string connection = R"("connectionInfo": {"type": "KubeConfigFile", "kubeConfigFile": "/nonexistent"})";
  const std::string webhook = R"("timeout": "3s", "subjectAccessReviewVersion": "v1", "failurePolicy": "Deny", )" +
                              connection + R"(, "matchConditionSubjectAccessReviewVersion": "v1")";
  const auto with_webhook = [&](const std::string& more) {
    return authorized_by(R"({"type": "Webhook", "name": "w", "webhook": {)" + webhook + more + "}}");
  };
  const std::pair<std::string, std::string> mistakes[] = {
      {authorized_by(""), "authorizers: Required value: at least one authorization mode must be defined"},
      {authorized_by(R"({"type": "RBAC", "name": "own"})"), "expected name rbac for authorizer RBAC instead of own"},
      {with_webhook(R"(, "matchConditions": [{"expression": "request.usr == ''"}])"),
       "authorizers[0].matchConditions[0].expression: Invalid value: \"request.usr == ''\": compilation failed: ERROR: "
       "<input>:1:8: undefined field 'usr'"},
      {with_webhook(R"x(, "matchConditions": [{"expression": "isURL(request.user)"}])x"), "does not support"},
      {with_webhook(""), "/nonexistent"},
      {authorized_by(R"({"type": "ABAC", "name": "abac"})"), "authorization policy file not passed"},
  };
  Folder files;
  for (const auto& [text, expected] : mistakes) {
    files.write("config", text);
    const Ended run =
        command_line::nodebound("serve --secure-port 0 --authorization-config " + (files.path / "config").string());
    BOOST_TEST(run.code == 2, text << " ended with " << run.code);
    BOOST_TEST(says(run, expected), text << " said " << run.output);
  }
}

BOOST_AUTO_TEST_CASE(what_it_cannot_be_is_bad_usage) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"--authorization-mode Nodes", "\"Nodes\" is not a valid mode"},
      {"--authorization-mode Node,Webhook", "authorization-mode Webhook's authorization config file not passed"},
      {"--authorization-webhook-config-file /nonexistent", "without mode Webhook"},
      {"--authorization-mode RBAC,Webhook --authorization-webhook-config-file /nonexistent", "/nonexistent"},
      {"--authorization-mode Webhook --authorization-webhook-config-file x "
       "--authorization-webhook-cache-authorized-ttl 5",
       "missing unit in duration"},
      {"--authorization-mode RBAC,RBAC", "is given twice"},
      {"--authorization-config /nonexistent", "cannot read /nonexistent"},
      {"--authorization-config /nonexistent --authorization-mode RBAC", "can not be specified when"},
      {"--authorization-config /nonexistent --authorization-webhook-version v1", "can not be specified when"},
      {"--enable-admission-plugins Nope", "admission plugin \"Nope\" is unknown"},
      {"--enable-admission-plugins NodeRestriction --disable-admission-plugins NodeRestriction", "NodeRestriction"},
      {"--feature-gates NoSuchGate=true", "no release has a feature gate NoSuchGate"},
      {"--release x", "give it like 1.36 or 1.36.3"},
      {"--node a", "--kubeconfig-out"},
      {"--kubelet-release 1.36", "there are no kubelets"},
      {"--kubelets 2 --kubelet-release 1.99", "--kubelet-release"},
      {"--kubelets -1", "--kubelets"},
      {"--tls-cert-file /nonexistent", "a certificate needs its key"},
      {"--client-ca-file /nonexistent", "cannot read /nonexistent"},
      {"--token-auth-file /nonexistent", "cannot read /nonexistent"},
      {"--service-account-key-file /etc/hostname", "expected public keys in PEM"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended run = command_line::nodebound("serve --secure-port 0 " + arguments);
    BOOST_TEST(run.code == 2, arguments << " ended with " << run.code);
    BOOST_TEST(says(run, expected), arguments << " said " << run.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()
