#include "harness/inspect/inspect.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

#include "harness/inspect/fix.h"
#include "harness/inspect/least_role.h"
#include "harness/inspect/manifest_reader.h"
#include "reference/release/toml_reader.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(inspections)

using namespace nodebound;
using namespace nodebound::inspect;

namespace {

namespace fs = std::filesystem;

Release release_of(const std::string& version, const GateSettings& gates = {}) {
  return *Release::make(Catalogue::built_in(), *Version::parse(version), gates);
}

Upgrade going_to(const std::string& version) {
  return {Catalogue::built_in(), std::nullopt, release_of(version), {}};
}

Inspected inspected_text(const std::string& text) {
  Inspected out;
  const Result<void> read = add_manifest({"input.yaml", text}, out);
  BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
  return out;
}

std::vector<std::string> ids_of(const Inspection& inspection) {
  std::vector<std::string> out;
  for (const Finding& finding : inspection.findings) out.push_back(finding.id);
  return out;
}

std::string text_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

/// What a chart's comments say: `12 nodes-proxy`.
struct ChartExpectation {
  std::string to = "1.36.3";
  std::multiset<std::string> findings;
};

ChartExpectation expected_of(const std::string& text) {
  constexpr std::string_view mark = "# finds: ";
  constexpr std::string_view release = "# to: ";
  ChartExpectation out;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.starts_with(release)) out.to = line.substr(release.size());
    for (std::size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, at)) {
      at += mark.size();
      out.findings.insert(std::to_string(number) + " " + line.substr(at, line.find(' ', at) - at));
    }
  }
  return out;
}

std::string joined(const std::multiset<std::string>& all) {
  std::string out;
  for (const std::string& one : all) out += one + "\n";
  return out;
}

constexpr const char* exec_role = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: exec, namespace: jobs}
rules:
- apiGroups: [""]
  resources: ["pods/exec"]
  verbs: ["get"] # WebSocket
)";

}  // namespace

BOOST_AUTO_TEST_CASE(of_each_chart_exactly_what_its_comments_say_is_found) {
  std::size_t charts = 0;
  for (const auto& entry : fs::directory_iterator(project::file("harness/inspect/test/charts"))) {
    if (entry.path().extension() != ".yaml") continue;
    ++charts;
    const ChartExpectation expected = expected_of(text_of(entry.path()));
    const Result<Inspected> read = read_manifests({entry.path().string()});
    BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
    std::multiset<std::string> found;
    for (const Finding& finding : inspect::inspect(*read, going_to(expected.to)).findings) {
      found.insert(std::to_string(finding.place.line) + " " + finding.id);
    }
    BOOST_TEST(joined(found) == joined(expected.findings), entry.path().filename().string()
                                                               << " has\n"
                                                               << joined(found) << "instead of\n"
                                                               << joined(expected.findings));
  }
  BOOST_TEST(charts >= 12U);
}

BOOST_AUTO_TEST_CASE(a_chart_that_was_hit_names_its_issues) {
  const Result<Inspected> read = read_manifests({project::file("harness/inspect/test/charts/flannel.yaml")});
  BOOST_REQUIRE(read.has_value());
  const Inspection inspection = inspect::inspect(*read, going_to("1.33.0"));
  BOOST_REQUIRE(inspection.findings.size() == 1U);
  const Finding& finding = inspection.findings[0];
  BOOST_TEST(finding.seen_at.front() == "flannel-io/flannel#2270");
  BOOST_TEST(finding.who == "DaemonSet kube-flannel/kube-flannel-ds");
  BOOST_TEST(finding.since == "1.32");
  BOOST_TEST(finding.put_off_by == std::vector<std::string>{"AuthorizeNodeWithSelectors=false"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_what_is_new_is_shown) {
  const Inspected inspected = inspected_text(exec_role);
  const Catalogue& catalogue = Catalogue::built_in();
  const Inspection later = inspect::inspect(inspected, {catalogue, release_of("1.35.0"), release_of("1.36.3"), {}});
  BOOST_TEST(later.findings.empty());
  BOOST_TEST(later.not_new == 1U);
  const Inspection earlier = inspect::inspect(inspected, {catalogue, release_of("1.31.0"), release_of("1.34.0"), {}});
  BOOST_TEST(earlier.findings.empty());
  BOOST_TEST(earlier.not_yet == 1U);
  const Inspection across = inspect::inspect(inspected, {catalogue, release_of("1.34.0"), release_of("1.35.0"), {}});
  BOOST_TEST(ids_of(across) == std::vector<std::string>{"get-without-create"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(create_by_another_role_counts_if_every_holder_has_it_there) {
  const auto binding = [](const std::string& namespace_, const std::string& role, const std::string& holder) {
    return "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: " + role + "-" + holder +
           ", namespace: " + namespace_ +
           "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: " + role +
           "}\nsubjects: [{kind: ServiceAccount, name: " + holder + ", namespace: jobs}]\n";
  };
  const auto creator = [](const std::string& namespace_, const std::string& resource) {
    return "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: creator, namespace: " +
           namespace_ + "}\nrules: [{apiGroups: [\"\"], resources: [" + resource + "], verbs: [create]}]\n";
  };
  const auto found = [&](const std::string& more) {
    return ids_of(inspect::inspect(inspected_text(exec_role + more), going_to("1.36.3"))).size();
  };
  const std::string held = binding("jobs", "exec", "cron");
  const std::string exec_of_jobs = creator("jobs", "pods/exec");
  BOOST_TEST(found(held) == 1U);
  BOOST_TEST(found(held + exec_of_jobs + binding("jobs", "creator", "cron")) == 0U);
  BOOST_TEST(found(exec_of_jobs + binding("jobs", "creator", "cron")) == 1U, "nobody is known to hold the role");
  BOOST_TEST(found(held + exec_of_jobs + binding("jobs", "creator", "other")) == 1U);
  BOOST_TEST(found(held + binding("jobs", "exec", "other") + exec_of_jobs + binding("jobs", "creator", "cron")) == 1U);
  BOOST_TEST(found(held + creator("jobs", "pods/attach") + binding("jobs", "creator", "cron")) == 1U);
  const std::string elsewhere = creator("elsewhere", "pods/exec") + binding("elsewhere", "creator", "cron");
  BOOST_TEST(found(held + elsewhere) == 1U);
  BOOST_TEST(found(binding("elsewhere", "exec", "cron") + elsewhere) == 1U, "binds another Role of that name");
}

BOOST_AUTO_TEST_CASE(a_gate_that_is_off_makes_it_matter_no_more) {
  const GateSettings off = {{"AuthorizePodWebsocketUpgradeCreatePermission", false}};
  const Inspection inspection = inspect::inspect(inspected_text(exec_role),
                                                 {Catalogue::built_in(), std::nullopt, release_of("1.35.0", off), off});
  BOOST_TEST(inspection.findings.empty());
  BOOST_TEST(inspection.not_yet == 1U);
}

BOOST_AUTO_TEST_CASE(a_fix_keeps_comments_and_the_form_of_lists) {
  const Inspected inspected = inspected_text(exec_role);
  const Inspection inspection = inspect::inspect(inspected, going_to("1.36.3"));
  BOOST_TEST(to_patch(inspection.findings, inspected) == R"(--- input.yaml
+++ input.yaml
@@ -4,4 +4,4 @@
 rules:
 - apiGroups: [""]
   resources: ["pods/exec"]
-  verbs: ["get"] # WebSocket
+  verbs: ["get", "create"] # WebSocket
)");
}

BOOST_AUTO_TEST_CASE(a_fix_that_would_grant_more_becomes_a_rule_of_its_own) {
  const Inspected inspected = inspected_text(R"(kind: ClusterRole
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: x}
rules:
  - apiGroups: [""]
    resources: [pods, pods/exec]
    verbs:
      - get
)");
  const Inspection inspection = inspect::inspect(inspected, going_to("1.36.3"));
  BOOST_TEST(to_patch(inspection.findings, inspected) == R"(--- input.yaml
+++ input.yaml
@@ -2,6 +2,9 @@
 apiVersion: rbac.authorization.k8s.io/v1
 metadata: {name: x}
 rules:
+  - apiGroups: [""]
+    resources: ["pods/exec"]
+    verbs: ["create"]
   - apiGroups: [""]
     resources: [pods, pods/exec]
     verbs:
)");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_edited_by_lines_becomes_a_command) {
  const Inspected inspected = inspected_text(
      R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "it's", "namespace": "a"},
 "rules": [{"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["get"]}]})");
  const Inspection inspection = inspect::inspect(inspected, going_to("1.36.3"));
  BOOST_REQUIRE(inspection.findings.size() == 1U);
  BOOST_TEST(to_patch(inspection.findings, inspected) ==
             "# input.yaml:2: add the verb create\n"
             "kubectl patch 'role.rbac.authorization.k8s.io' 'it'\\''s' -n 'a' --type=json -p "
             "'[{\"op\":\"add\",\"path\":\"/rules/0/verbs/-\",\"value\":\"create\"}]'\n");
}

BOOST_AUTO_TEST_CASE(a_driver_on_each_node_is_given_verbs_for_its_node) {
  const Result<Inspected> read = read_manifests({project::file("harness/inspect/test/charts/dra-driver.yaml")});
  BOOST_REQUIRE(read.has_value());
  const Inspection inspection = inspect::inspect(*read, going_to("1.36.3"));
  const std::string patch = to_patch(inspection.findings, *read);
  BOOST_TEST(patch.find("+    resources: [\"resourceclaims/driver\"]\n"
                        "+    verbs: [\"associated-node:update\", \"associated-node:patch\"]\n") != std::string::npos,
             patch);
}

BOOST_AUTO_TEST_CASE(items_of_a_list_have_their_own_lines) {
  const Inspected inspected = inspected_text(R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: Role
  metadata: {name: exec, namespace: jobs}
  rules:
  - {apiGroups: [""], resources: [pods/exec], verbs: [get]}
)");
  BOOST_TEST(inspected.objects.size() == 2U);
  const Inspection inspection = inspect::inspect(inspected, going_to("1.36.3"));
  BOOST_REQUIRE(inspection.findings.size() == 1U);
  BOOST_TEST(inspection.findings[0].place.text() == "input.yaml:11");
}

BOOST_AUTO_TEST_CASE(odd_objects_are_no_trouble) {
  const Inspected inspected = inspected_text(R"(kind: DaemonSet
apiVersion: 7
metadata: [a]
spec: {template: {spec: {containers: [1, {args: 3, env: {}}], volumes: {a: b}}}}
---
kind: ClusterRole
rules: [[], {verbs: {}, apiGroups: "", resources: [1]}]
---
kind: ClusterRoleBinding
subjects: [1, {name: 3}]
---
kind: ValidatingWebhookConfiguration
webhooks: [{rules: 1, matchConditions: [{expression: "(("}]}, 4]
---
kind: CSIDriver
spec: {tokenRequests: [1]}
---
kind: CredentialProviderConfig
providers: [x]
---
- a
)");
  BOOST_TEST(inspect::inspect(inspected, going_to("1.36.3")).objects == 6U);
}

BOOST_AUTO_TEST_CASE(what_a_folder_has_that_is_no_yaml_is_told) {
  const fs::path folder = fs::temp_directory_path() / ("nodebound-inspect-" + std::to_string(::getpid()));
  fs::create_directories(folder / "templates");
  std::ofstream(folder / "templates" / "role.yaml") << "kind: {{ .Values.kind }}\n{{- end }}\n";
  std::ofstream(folder / "kubelet.env") << "KUBELET_ARGS=--v=2 --node-labels=a=b,k8s.io/c=d\n";
  std::ofstream(folder / "notes.txt") << "--node-labels=k8s.io/c=d\n";
  const Result<Inspected> read = read_manifests({folder.string()});
  fs::remove_all(folder);
  BOOST_REQUIRE(read.has_value());
  BOOST_REQUIRE(read->troubles.size() == 1U);
  BOOST_TEST(read->troubles[0].where.find("role.yaml:") != std::string::npos);
  const Inspection inspection = inspect::inspect(*read, going_to("1.36.3"));
  BOOST_REQUIRE(inspection.findings.size() == 1U);
  BOOST_TEST(inspection.findings[0].place.text().ends_with("kubelet.env:1"));
  BOOST_TEST(inspection.findings[0].what == "a node may not give itself the label k8s.io/c");
  BOOST_TEST(!read_manifests({"/no/such/file.yaml"}).has_value());
}

BOOST_AUTO_TEST_CASE(the_least_role_over_a_skew_keeps_proxy_for_old_kubelets_only) {
  const Result<Inspected> read = read_manifests({project::file("harness/inspect/test/charts/datadog.yaml")});
  BOOST_REQUIRE(read.has_value());
  const Catalogue& catalogue = Catalogue::built_in();
  const auto roles_from = [&](const char* oldest) {
    return least_roles(catalogue, {*Version::parse(oldest), *Version::parse("1.36.3"), {}, {}}, read->objects);
  };
  const auto old = roles_from("1.30.0");
  BOOST_REQUIRE(old.has_value());
  BOOST_REQUIRE(old->proposals.size() == 1U);
  BOOST_TEST(old->proposals[0].role == "datadog");
  BOOST_TEST(!old->proposals[0].kept.empty());
  BOOST_TEST(old->proposals[0].until->short_text() == "1.33");
  const auto late = roles_from("1.33.0");
  BOOST_REQUIRE(late.has_value());
  BOOST_TEST(late->proposals[0].kept.empty());
  BOOST_TEST(late->proposals[0].taken.empty());
}

BOOST_AUTO_TEST_CASE(without_a_role_a_reader_of_kubelets_is_proposed) {
  const auto fleet =
      least_roles(Catalogue::built_in(), {*Version::parse("1.34.0"), *Version::parse("1.36.3"), {}, {"GET /pods"}}, {});
  BOOST_REQUIRE(fleet.has_value());
  BOOST_REQUIRE(fleet->proposals.size() == 1U);
  const Object& rules = member(fleet->proposals[0].object, "rules");
  BOOST_TEST(rules.dump() == R"([{"apiGroups":[""],"resources":["nodes/pods"],"verbs":["get"]}])");
}

BOOST_AUTO_TEST_CASE(knowledge_is_complete_and_its_ids_are_unique) {
  const InspectionKnowledge& knowledge = InspectionKnowledge::built_in();
  std::set<std::string> ids;
  for (const auto& entry : knowledge.entries) {
    BOOST_TEST(ids.insert(entry.id).second, entry.id << " is there twice");
    BOOST_TEST(!entry.advice.empty());
    for (const std::string& issue : entry.seen_at) BOOST_TEST(!issue_url(issue).empty(), issue << " is no issue");
  }
  for (const auto& credential : knowledge.credentials) BOOST_TEST(credential.path.starts_with("/"));
}

BOOST_AUTO_TEST_CASE(mistakes_in_knowledge_are_placed) {
  const auto read = InspectionKnowledge::parse(
      "[[inspection]]\nid = \"a\"\nlevel = \"error\"\nstatement = \"s\"\n"
      "do = \"d\"\nrules = [\"no-such-rule\"]\n",
      Catalogue::built_in());
  BOOST_REQUIRE(!read.has_value());
  BOOST_TEST(read.error().where.starts_with("harness/inspect/inspections.toml:1:"));
}

BOOST_AUTO_TEST_SUITE_END()
