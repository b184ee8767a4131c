#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/lint/configuration.h"

BOOST_AUTO_TEST_SUITE(lint_configurations)

using namespace nodebound;
using namespace nodebound::lint;

namespace {

RuleSet rules_of(const char* version) {
  return {Catalogue::built_in(), *Release::make(Catalogue::built_in(), *Version::parse(version), {})};
}

// `place kind what` of each remark; without advice, because that is no fact.
std::vector<std::string> remarks(const std::string& text, const char* version = "1.36.3") {
  const auto linted = lint_configuration(text, "f", rules_of(version));
  if (!linted) return {linted.error().text()};
  std::vector<std::string> out;
  for (const Remark& remark : linted->remarks) {
    out.push_back(remark.where + " " + std::string(to_string(remark.kind)) + " " + remark.what);
  }
  return out;
}

bool holds(const std::vector<std::string>& remarks, const std::string& part) {
  return std::any_of(remarks.begin(), remarks.end(),
                     [&](const std::string& remark) { return remark.find(part) != std::string::npos; });
}

constexpr const char* sound = R"(apiVersion: v1
kind: Pod
metadata: {name: kube-apiserver}
spec:
  containers:
  - command:
    - kube-apiserver
    - --authorization-mode=Node,RBAC
    - --enable-admission-plugins=NodeRestriction   # kubeadm's
    - "--kubelet-certificate-authority=/etc/kubernetes/pki/kubelet-ca.crt"
)";

/// Node, a webhook with `webhook` among its fields, RBAC and `others`.
std::string chain(const std::string& others, const std::string& webhook) {
  return "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n"
         "- {type: Node, name: node}\n- type: Webhook\n  name: mine\n  webhook:\n    " +
         webhook +
         "    subjectAccessReviewVersion: v1\n    failurePolicy: Deny\n"
         "    connectionInfo: {type: KubeConfigFile, kubeConfigFile: /etc/webhook.kubeconfig}\n"
         "- {type: RBAC, name: rbac}\n" +
         others;
}

std::string conditions(const std::vector<std::string>& expressions) {
  std::string out = "timeout: 3s\n    matchConditionSubjectAccessReviewVersion: v1\n    matchConditions:\n";
  for (const std::string& expression : expressions) out += "    - expression: \"" + expression + "\"\n";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_said_of_sound_flags) {
  BOOST_TEST(remarks(sound).empty());
  BOOST_TEST(remarks("ExecStart=/usr/bin/kube-apiserver --authorization-mode Node,RBAC \\\n"
                     "  --enable_admission_plugins NodeRestriction \\\n  --kubelet-certificate-authority ca.crt\n")
                 .empty());
  BOOST_TEST(
      remarks(
          R"({"kind": "Pod", "spec": {"containers": [{"command": ["/bin/sh", "-c", "exec kube-apiserver --authorization-mode=Node,RBAC"], "args": ["--enable-admission-plugins", "A,NodeRestriction",
      "--kubelet-certificate-authority=ca"]}]}})")
          .empty());
}

BOOST_AUTO_TEST_CASE(flags_that_keep_an_api_server_from_starting_have_their_lines) {
  const auto of = [](const std::string& flags) {
    return remarks("kube-apiserver --kubelet-certificate-authority=ca --enable-admission-plugins=NodeRestriction\n" +
                   flags);
  };
  BOOST_TEST(
      holds(of("--authorization-mode=Node,RBAC,Rbac"), "f:2 refused authorization-mode \"Rbac\" is not a valid mode"));
  BOOST_TEST(holds(of("--authorization-mode=Node,RBAC,Node"),
                   "f:2 refused authorization-mode Node is specified more than once"));
  BOOST_TEST(holds(of("--authorization-mode=Node,ABAC"),
                   "f:2 refused authorization-mode ABAC's authorization policy file not passed"));
  BOOST_TEST(holds(of("--authorization-mode=Node\n--authorization-policy-file=p"),
                   "f:3 refused cannot specify --authorization-policy-file without mode ABAC"));
  BOOST_TEST(holds(of("--authorization-config=a\n--authorization-webhook-cache-authorized-ttl=5m"),
                   "f:3 refused --authorization-config can not be specified"));
  BOOST_TEST(holds(of("--authorization-mode=Node\n--feature-gates=AuthorizeNodeWithSelectors=maybe"), "f:3 refused"));
  BOOST_TEST(holds(of("--authorization-mode=Node\n--disable-admission-plugins=NodeRestriction"), "f:3 refused"));
}

BOOST_AUTO_TEST_CASE(a_gate_is_judged_at_the_release) {
  const std::string text = std::string(sound) + "    - --feature-gates=AuthorizeNodeWithSelectors=false\n";
  BOOST_TEST(holds(remarks(text, "1.31.0"), "f:11") == false);
  BOOST_TEST(holds(remarks(text, "1.33.0"), "f:11 unsafe the feature gates take these rules out of force: "));
  BOOST_TEST(holds(remarks(text, "1.33.0"), "pod-selector"));
  BOOST_TEST(holds(remarks(text, "1.37.0"), "f:11 refused Kubernetes 1.37.0 has no feature gate"));
  BOOST_TEST(holds(remarks(text, "1.20.0"), "f:11 refused Kubernetes 1.20.0 has no feature gate"));
}

BOOST_AUTO_TEST_CASE(flags_that_set_nodes_free_are_unsafe) {
  BOOST_TEST(
      holds(remarks("kube-apiserver --v=2"), "f unsafe without --authorization-mode, every user and every node may"));
  BOOST_TEST(holds(remarks("kube-apiserver --authorization-mode=RBAC"), "f:1 unsafe there is no Node authorizer"));
  BOOST_TEST(holds(remarks("kube-apiserver --authorization-mode=Node,AlwaysAllow"), "every node may do everything"));
  const auto webhook = remarks(
      "kube-apiserver --authorization-webhook-config-file=w\n--authorization-mode=Webhook,Node,RBAC "
      "--admission-control=NodeRestriction");
  BOOST_TEST(holds(webhook, "f:2 unsafe Webhook stands before Node"));
  BOOST_TEST(!holds(webhook, "NodeRestriction is not on"));
  BOOST_TEST(holds(webhook, "does not verify the certificates of kubelets"));
  BOOST_TEST(holds(remarks("kube-apiserver --authorization-mode=Node --disable-admission-plugins=CertificateSigning"),
                   "unsafe CertificateSigning is turned off"));
}

BOOST_AUTO_TEST_CASE(a_release_that_lets_a_node_have_its_node_deleted_is_unsafe_without_the_plugin_of_owners) {
  const std::string flags =
      "kube-apiserver --authorization-mode=Node --kubelet-certificate-authority=ca\n"
      "--enable-admission-plugins=NodeRestriction";
  const std::string told = "f:2 unsafe a node may give its Node an owner";
  for (const char* version : {"1.25.0", "1.31.11", "1.32.7", "1.33.3"}) {
    BOOST_TEST(holds(remarks(flags, version), told), version);
    BOOST_TEST(!holds(remarks(flags + ",OwnerReferencesPermissionEnforcement", version), told), version);
  }
  for (const char* version : {"1.31.12", "1.32.8", "1.33.4", "1.34.0", "1.37.1"}) {
    BOOST_TEST(!holds(remarks(flags, version), told), version);
  }
}

BOOST_AUTO_TEST_CASE(policies_are_asked_what_they_let_nodes_do) {
  const std::string kind = R"("apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":)";
  const auto line = [&](const std::string& spec) { return "{" + kind + "{" + spec + "}}\n"; };
  BOOST_TEST(remarks(line(R"("user":"alice","namespace":"*","resource":"*","apiGroup":"*")")).empty());
  const auto nodes =
      remarks("# nodes\n" + line(R"("group":"system:nodes","namespace":"*","resource":"secrets","readonly":true)"));
  BOOST_TEST(nodes ==
                 std::vector<std::string>{
                     "f:2 unsafe lets every node read Secrets that no pod of its own refers to and list all Secrets"},
             boost::test_tools::per_element());
  BOOST_TEST(holds(remarks(line(R"("user":"*","namespace":"*","resource":"*","apiGroup":"*")")),
                   "f:1 unsafe lets every authenticated user read Secrets"));
  BOOST_TEST(holds(remarks(line(R"("group":"system:unauthenticated","namespace":"*","resource":"nodes")")),
                   "f:1 unsafe lets anybody change other Nodes"));
  BOOST_TEST(holds(remarks(line(R"("group":"system:authenticated","namespace":"*","resource":"pods")")),
                   "f:1 unsafe lets every authenticated user create pods anywhere and delete pods of other nodes"));
  BOOST_TEST(
      holds(remarks("{\"user\":\"alice\",\"resource\":\"pods\"}\n"), "f:1 ignored the policy has no apiVersion"));
  BOOST_TEST(holds(remarks(line(R"("user":"a")") + "{\"user\":1}"), "f:2 refused"));
}

BOOST_AUTO_TEST_CASE(a_kubelet_configuration_is_read_as_the_kubelet_reads_it) {
  const std::string head = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";
  const std::string guarded = "authentication:\n  x509: {clientCAFile: /ca.crt}\n  anonymous: {enabled: false}\n";
  BOOST_TEST(remarks(head + guarded).empty());
  const auto open = remarks(
      head +
      "authentication:\n  anonymous:\n    enabled: true\nauthorization:\n  mode: AlwaysAllow\nreadOnlyPort: 10255\n");
  BOOST_TEST(holds(open, "f:7 unsafe anybody who reaches port 10250 may run commands in every pod of the node"));
  BOOST_TEST(holds(open, "f:4 unsafe requests to port 10250 without credentials"));
  BOOST_TEST(holds(open, "f:8 unsafe port 10255 shows all pods"));
  BOOST_TEST(holds(remarks(head + guarded + "authorization: {mode: RBAC}\n"), "refused"));
  BOOST_TEST(holds(remarks(head + guarded + "maxPods: many\n"), "refused"));
  BOOST_TEST(holds(remarks(head + guarded + "noSuchField: 1\n"), "f ignored unknown field \"noSuchField\""));
}

// The words of what is refused were tried with kube-apiserver 1.36.3.
BOOST_AUTO_TEST_CASE(an_authorization_configuration_is_read_as_the_release_reads_it) {
  BOOST_TEST(remarks(chain("", "timeout: 3s\n")).empty());
  BOOST_TEST(holds(remarks(chain("", "timeout: 3s\n"), "1.31.0"), "refused Kubernetes 1.31.0 does not read kind"));
  BOOST_TEST(holds(remarks(chain("", "timeout: 3s\n"), "1.28.0"), "refused Kubernetes 1.28.0 reads no"));
  BOOST_TEST(holds(remarks(chain("", "authorizedTTL: 5m\n")), "f refused authorizers[1].timeout: Required value"));
  BOOST_TEST(holds(remarks(chain("", "timeout: 40s\n")),
                   "authorizers[1].timeout: Invalid value: \"40s\": must be > 0s and <= 30s"));
  BOOST_TEST(holds(remarks(chain("", "timeout: 3s\n    wait: 1s\n")),
                   "strict decoding error: unknown field \"authorizers[1].webhook.wait\""));
  BOOST_TEST(holds(remarks(chain("", "timeout: 3s\n    cacheAuthorizedRequests: false\n"), "1.33.0"), "unknown field"));
  BOOST_TEST(
      !holds(remarks(chain("", "timeout: 3s\n    cacheAuthorizedRequests: false\n"), "1.34.0"), "unknown field"));
  BOOST_TEST(holds(remarks(chain("- {type: ABAC, type: RBAC, name: rbac}\n", "timeout: 3s\n")),
                   "key \"type\" already set in map"));
  BOOST_TEST(holds(remarks(chain("- {type: RBAC, name: rbac}\n", "timeout: 3s\n")),
                   "authorizers[3].type: Duplicate value: \"RBAC\""));
  BOOST_TEST(holds(remarks(chain("- {type: ABAC, name: policies}\n", "timeout: 3s\n")),
                   "expected name abac for authorizer ABAC instead of policies"));
  BOOST_TEST(holds(remarks(chain("- {type: Nodes, name: nodes}\n", "timeout: 3s\n")),
                   "authorizers[3].type: Unsupported value: \"Nodes\": supported values: \"ABAC\", "));
  BOOST_TEST(
      holds(remarks(chain("", "timeout: 3s\n    matchConditions: [{expression: \"request.usr == ''\"}]\n")),
            "matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified"));
  const auto condition = remarks(chain("", conditions({"request.resource.group == 'apps'"})));
  BOOST_TEST(holds(condition, "authorizers[1].matchConditions[0].expression: Invalid value: "));
  BOOST_TEST(holds(condition, "undefined field 'resource'"));
}

BOOST_AUTO_TEST_CASE(what_a_webhook_before_node_means_is_asked_of_its_conditions) {
  const auto first = [](const std::vector<std::string>& expressions) {
    std::string text = chain("", expressions.empty() ? "timeout: 3s\n" : conditions(expressions));
    const std::string node = "- {type: Node, name: node}\n";
    return text.erase(text.find(node), node.size()) + node;
  };
  BOOST_TEST(holds(remarks(first({})), "f:5 unsafe the webhook stands before Node and is asked about nodes"));
  BOOST_TEST(holds(remarks(first({"request.user != 'admin'"})), "is asked about nodes"));
  BOOST_TEST(remarks(first({"!('system:nodes' in request.groups)"})).empty());
  BOOST_TEST(holds(remarks(first({"!request.user.startsWith('system:node:')"})), "whoever is named system:node:"));
  BOOST_TEST(holds(remarks(first({"request.extra['a'][0] == 'b'"})),
                   "f:5 unsafe the match conditions fail for requests of nodes"));
  BOOST_TEST(holds(
      remarks(first({"request.user == 'x' && timestamp('2026-01-01T00:00:00Z') != timestamp('2027-01-01T00:00:00Z')"})),
      "unknown"));
  BOOST_TEST(holds(remarks(chain("", "timeout: 3s\n    authorizedTTL: 0s\n")),
                   "f:9 ignored authorizedTTL of 0 is taken for the default, 5m"));
  std::string without = chain("", "timeout: 3s\n");
  without.erase(without.find("- {type: Node, name: node}\n"), 27);
  BOOST_TEST(holds(remarks(without), "f unsafe there is no Node authorizer"));
}

BOOST_AUTO_TEST_CASE(other_texts_are_bad_input) {
  for (const std::string text :
       {"", "hello", "kind: Deployment\n", "kube-apiserver", "We run kube-apiserver\n\n--v=2 is a flag\n",
        "kind: Pod\nspec: 1\n", "\xff\xfe", "[[[[", "{}"}) {
    const auto linted = lint_configuration(text, "f", rules_of("1.36.3"));
    BOOST_TEST_CONTEXT(text.substr(0, 40)) {
      BOOST_REQUIRE(!linted.has_value());
      BOOST_TEST(static_cast<int>(linted.error().kind) == static_cast<int>(Error::Kind::input));
      BOOST_TEST(linted.error().where == "f");
    }
  }
}

namespace {

/// A policy that compares the node of a token, with `more` in its spec.
std::string node_policy(const std::string& operations, const std::string& expression, const std::string& more = "") {
  return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n" +
         more + "  matchConstraints:\n    resourceRules:\n    - operations: " + operations +
         "\n      apiGroups: [\"\"]\n      apiVersions: [v1]\n      resources: [pods]\n  validations:\n"
         "  - expression: \"" +
         expression + "\"\n";
}

constexpr const char* of_its_node =
    "request.userInfo.extra['authentication.kubernetes.io/node-name'][0] == (object == null ? oldObject : "
    "object).spec.nodeName";

}  // namespace

BOOST_AUTO_TEST_CASE(a_policy_that_confines_to_a_node_must_not_let_through) {
  BOOST_TEST(remarks(node_policy("[CREATE, UPDATE, DELETE]", of_its_node)).empty());
  BOOST_TEST(remarks(node_policy("[CREATE, UPDATE]", "object.spec.replicas < 3")).empty());
  BOOST_TEST(holds(remarks(node_policy("[CREATE]", of_its_node)), "f:7 unsafe the policy does not look at deletions"));
  BOOST_TEST(holds(remarks(node_policy("['*']", of_its_node, "  failurePolicy: Ignore\n")),
                   "f:5 unsafe a token that names no node passes this policy"));
}

BOOST_AUTO_TEST_CASE(a_policy_that_does_not_compile_is_refused_with_its_line) {
  BOOST_TEST(holds(remarks(node_policy("['*']", "object.spec.replicas")), "must evaluate to bool but got dyn"));
  BOOST_TEST(
      holds(remarks(node_policy("['*']", "1 + 'a'")), "f:12 refused spec.validations[0].expression: Invalid value"));
  BOOST_TEST(holds(remarks(node_policy("['*']", "params.x == 1")), "undeclared reference to 'params'"));
  BOOST_TEST(holds(remarks(node_policy("['*']", "timestamp(object.x) > timestamp(object.y)")), "f:12 unknown"));
}

BOOST_AUTO_TEST_CASE(a_binding_that_only_tells_refuses_nothing) {
  const auto binding = [](const std::string& spec) {
    return remarks(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
        "metadata: {name: b}\nspec:\n  policyName: p\n" +
        spec);
  };
  BOOST_TEST(binding("  validationActions: [Deny]\n").empty());
  BOOST_TEST(holds(binding("  validationActions: [Warn]\n"), "f:6 unsafe what the policy finds is told"));
  BOOST_TEST(holds(binding(""), "f refused spec.validationActions: Required value"));
  BOOST_TEST(holds(binding("  validationActions: [Deny]\n  paramRef: {name: x, parameterNotFoundAction: Allow}\n"),
                   "f:7 unsafe where the parameters are missing"));
}

BOOST_AUTO_TEST_CASE(an_admission_configuration_is_read_as_strictly_as_the_release_reads_it) {
  const std::string misspelt =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: EventRateLimit\n  "
      "paths: x\n";
  BOOST_TEST(remarks(misspelt) == std::vector<std::string>{"f:5 refused unknown field \"plugins[0].paths\""},
             boost::test_tools::per_element());
  BOOST_TEST(remarks(misspelt, "1.31.14") == std::vector<std::string>{"f:5 ignored unknown field \"plugins[0].paths\""},
             boost::test_tools::per_element());
  BOOST_TEST(holds(remarks("apiVersion: apiserver.config.k8s.io/v2\nkind: AdmissionConfiguration\n"),
                   "f:1 refused no AdmissionConfiguration of apiVersion apiserver.config.k8s.io/v2 is known"));
  BOOST_TEST(remarks("apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\n").empty());
  BOOST_TEST(holds(remarks("apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: x\n"),
                   "f:3 refused plugins is no list"));
}

BOOST_AUTO_TEST_CASE(plugins_are_those_of_the_release) {
  const auto with = [](const std::string& plugin) {
    return "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n" + plugin;
  };
  const std::string old = with("- name: PodSecurityPolicy\n");
  BOOST_TEST(remarks(old, "1.22.17").empty());
  BOOST_TEST(holds(remarks(old), "f:4 ignored Kubernetes 1.36.3 has no admission plugin PodSecurityPolicy"));
  BOOST_TEST(holds(remarks(with("- name: PodSecurty\n")), "did you mean \"PodSecurity\""));
  BOOST_TEST(holds(remarks(with("- name: AlwaysAdmit\n  path: a.yaml\n")),
                   "f:4 ignored the plugin AlwaysAdmit reads no configuration"));
  BOOST_TEST(holds(remarks(with("- name: PodNodeSelector\n  path: a\n- name: PodNodeSelector\n  path: b\n")),
                   "the plugin PodNodeSelector is configured twice"));
}

BOOST_AUTO_TEST_CASE(configurations_of_plugins_are_read_in_their_place) {
  const auto of = [](const std::string& name, const std::string& configuration, const char* version = "1.36.3") {
    return remarks("apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: " + name +
                       "\n  configuration:\n    " + configuration + "\n",
                   version);
  };
  const std::string v1 = "{apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration";
  BOOST_TEST(of("PodSecurity", v1 + ", defaults: {enforce: baseline, enforce-version: latest}}").empty());
  BOOST_TEST(holds(of("PodSecurity", v1 + "}", "1.22.17"),
                   "refused plugins[0].configuration: no PodSecurityConfiguration of apiVersion "
                   "pod-security.admission.config.k8s.io/v1 is known"));
  BOOST_TEST(holds(of("PodSecurity", v1 + ", defaults: {enforced: baseline}}"),
                   "refused unknown field \"plugins[0].configuration.defaults.enforced\""));
  BOOST_TEST(holds(of("PodSecurity", v1 + ", defaults: {warn: strict}}"),
                   "refused plugins[0].configuration.defaults.warn: must be one of privileged, baseline, restricted"));
  BOOST_TEST(holds(of("PodSecurity", v1 + ", exemptions: {usernames: ['system:node:a']}}"),
                   "unsafe the pods that system:node:a makes are not judged"));
  const std::string limits = "{apiVersion: eventratelimit.admission.k8s.io/v1alpha1, kind: Configuration, limits: ";
  BOOST_TEST(of("EventRateLimit", limits + "[{type: Server, qps: 1, burst: 1}]}").empty());
  BOOST_TEST(holds(of("EventRateLimit", limits + "[{type: Server, rate: 1}]}"),
                   "ignored unknown field \"plugins[0].configuration.limits[0].rate\""));
  const std::string webhook = "{apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, ";
  BOOST_TEST(of("ValidatingAdmissionWebhook", webhook + "kubeConfigFile: /etc/a}").empty());
  BOOST_TEST(holds(of("ValidatingAdmissionWebhook", webhook + "kubeConfigFile: a}"), "must be an absolute file path"));
  const std::string nothing = "{apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration}";
  BOOST_TEST(of("MutatingAdmissionWebhook", nothing).empty());
  BOOST_TEST(holds(of("MutatingAdmissionWebhook", nothing, "1.35.4"), "must be an absolute file path"));
  BOOST_TEST(holds(of("ValidatingAdmissionWebhook", webhook + "staticManifestsDir: /etc/a}", "1.35.4"),
                   "ignored unknown field"));
}

BOOST_AUTO_TEST_CASE(the_file_of_pod_node_selector_needs_no_kind) {
  const std::string file = "podNodeSelectorPluginConfig:\n  clusterDefaultNodeSelector: env=prod\n  shop: ";
  BOOST_TEST(remarks(file + "zone=a,env=prod\n").empty());
  BOOST_TEST(holds(remarks(file + "'zone=='\n  x: 'a=b=c'\n"), "f:4 ignored podNodeSelectorPluginConfig.x: "));
  BOOST_TEST(holds(remarks(file + "7\n"), "f:3 ignored podNodeSelectorPluginConfig.shop: is no text"));
}

BOOST_AUTO_TEST_SUITE_END()
