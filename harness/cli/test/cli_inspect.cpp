#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "harness/test/served_cluster.h"

BOOST_AUTO_TEST_SUITE(cli_inspect)

using namespace command_line;
using nlohmann::json;

namespace {

constexpr const char* exec_role = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: exec}
rules:
- apiGroups: [""]
  resources: [pods/exec]
  verbs: [get]
)";

std::string with_role(const Folder& folder) {
  folder.write("role.yaml", exec_role);
  return (folder.path / "role.yaml").string();
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_will_be_refused_ends_with_one) {
  const Folder folder;
  const std::string role = with_role(folder);
  const Ended found = command_line::nodebound("inspect --from 1.34 --to 1.35 " + role);
  BOOST_TEST(found.code == 1, found.output);
  BOOST_TEST(says(found, "ClusterRole exec: has get but not create on pods/exec"), found.output);
  BOOST_TEST(says(found, "role.yaml:5"), found.output);
  BOOST_TEST(says(found, "--feature-gates=AuthorizePodWebsocketUpgradeCreatePermission=false"), found.output);
  BOOST_TEST(command_line::nodebound("inspect --from 1.33 --to 1.34 " + role).code == 0);
  BOOST_TEST(command_line::nodebound("inspect --fail-on nothing --to 1.35 " + role).code == 0);
}

BOOST_AUTO_TEST_CASE(a_fix_mends_what_it_was_made_for) {
  const Folder folder;
  const std::string role = with_role(folder);
  const Ended mended =
      run_shell("cd " + folder.path.string() + " && " + project::nodebound_program +
                " inspect --fix role.yaml | patch -p0 && " + project::nodebound_program + " inspect role.yaml");
  BOOST_TEST(mended.code == 0, mended.output);
  BOOST_TEST(says(mended, "NOTHING TO ACT ON"), mended.output);
}

BOOST_AUTO_TEST_CASE(standard_input_is_read_and_every_format_written) {
  const Folder folder;
  const std::string role = with_role(folder);
  const Ended as_json = output("inspect --format json - < " + role);
  BOOST_TEST(json::parse(as_json.output).at("findings").at(0).at("file") == "standard input");
  const Ended sarif = output("inspect --format sarif " + role);
  BOOST_TEST(json::parse(sarif.output).at("runs").at(0).at("results").size() == 1U);
  const std::string reports = (folder.path / "reports").string();
  BOOST_TEST(command_line::nodebound("inspect --out " + reports + " " + role).code == 1);
  for (const char* name : {"inspection.json", "inspection.md", "inspection.sarif"}) {
    BOOST_TEST(std::filesystem::exists(std::filesystem::path(reports) / name), name << " is missing");
  }
}

BOOST_AUTO_TEST_CASE(what_somebody_accepts_does_not_fail) {
  const Folder folder;
  const std::string role = with_role(folder);
  folder.write("accept.toml",
               "[[accept]]\nfinding = \"get-without-create\"\nreason = \"known\"\nuntil = \"9999-12-31\"\n");
  const Ended accepted =
      command_line::nodebound("inspect --accept " + (folder.path / "accept.toml").string() + " " + role);
  BOOST_TEST(accepted.code == 0, accepted.output);
  BOOST_TEST(says(accepted, "known (until 9999-12-31)"), accepted.output);
}

BOOST_AUTO_TEST_CASE(bad_input_is_told) {
  const Folder folder;
  folder.write("broken.yaml", "a: [\n");
  const Ended broken = command_line::nodebound("inspect " + (folder.path / "broken.yaml").string());
  BOOST_TEST(broken.code == 2);
  BOOST_TEST(says(broken, "broken.yaml:"), broken.output);
  BOOST_TEST(command_line::nodebound("inspect").code == 2);
  BOOST_TEST(command_line::nodebound("inspect /no/such/file.yaml").code == 2);
  BOOST_TEST(command_line::nodebound("inspect --to 1.99 " + with_role(folder)).code == 2);
  folder.write("empty.yaml", "");
  BOOST_TEST(command_line::nodebound("inspect " + (folder.path / "empty.yaml").string()).code == 4);
}

BOOST_AUTO_TEST_CASE(a_cluster_is_read_with_the_rights_that_are_printed_and_drafted_as_a_plan) {
  const ServedCluster cluster("reader,reader,1\n", {"--release", "1.34.0", "--kubelets", "2"});
  const auto apply = [&](const std::string& resource, const std::string& object) {
    const auto answer =
        cluster.ask_as_admin("POST", "/apis/rbac.authorization.k8s.io/v1/" + resource, object, "application/yaml");
    BOOST_TEST(answer.status == 201, answer.body);
  };
  apply("clusterroles", exec_role);
  apply("clusterroles", output("inspect --print-rbac").output);
  apply("clusterrolebindings", R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: nodebound-inspect}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]
)");
  cluster.folder.write("reader.kubeconfig", R"(apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
users: [{name: u, user: {token: reader}}]
clusters: [{name: c, cluster: {certificate-authority: ca.crt, server: ")" +
                                                nodebound::url_of(cluster.admin.server) + "\"}}]\n");
  const std::string reader = (cluster.folder.path / "reader.kubeconfig").string();
  const Ended found = command_line::nodebound("inspect --to 1.35 --kubeconfig " + reader);
  BOOST_TEST(found.code == 1, found.output);
  BOOST_TEST(says(found, "from Kubernetes 1.34.0 to 1.35.0"), found.output);
  BOOST_TEST(says(found, "ClusterRole exec: has get but not create"), found.output);
  BOOST_TEST(!says(found, "Not read"), found.output);

  const std::string plan = (cluster.folder.path / "up.plan.toml").string();
  const Ended drafted = command_line::nodebound("plan --to 1.35 --kubeconfig " + reader + " --out " + plan);
  BOOST_TEST(drafted.code == 0, drafted.output);
  BOOST_TEST(says(drafted, "1 pools, 0 agents, 2 steps"), drafted.output);
  const Ended simulated = command_line::nodebound("simulate " + plan);
  BOOST_TEST(simulated.code == 0, simulated.output);
}

BOOST_AUTO_TEST_SUITE_END()
