#include <boost/test/unit_test.hpp>

#include "harness/test/served_cluster.h"
#include "reference/cluster/object.h"

BOOST_AUTO_TEST_SUITE(cli_guest)

using namespace command_line;
using namespace nodebound;

namespace {

/// A server with a user, the runner, whose rights come from RBAC.
struct Cluster : ServedCluster {
  Cluster() : ServedCluster("token-of-the-runner,runner,1\n") {
    folder.write("ca.pem", admin.server.ca_pem);
    folder.write("runner.kubeconfig", "clusters: [{name: c, cluster: {server: \"" + url_of(admin.server) +
                                          "\", certificate-authority: ca.pem}}]\nusers: [{name: u, user: {token: "
                                          "token-of-the-runner}}]\ncontexts: [{name: shared, context: {cluster: c, "
                                          "user: u}}]\ncurrent-context: shared\n");
  }

  /// The resourceVersion of the last write of any object.
  std::string version() const {
    return std::string(text(Object::parse(ask_as_admin("GET", "/api/v1/nodes").body), "metadata", "resourceVersion"));
  }

  Ended run(const std::string& who, const std::string& flags) const {
    return command_line::nodebound("run --target kubeconfig:" + (folder.path / (who + ".kubeconfig")).string() +
                                   " --out " + (folder.path / "out").string() + " " + flags);
  }

  /// Grants the runner a ClusterRole in YAML.
  void grant(const std::string& role) const {
    const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
    BOOST_REQUIRE_MESSAGE(ask_as_admin("POST", rbac + "clusterroles", role, "application/yaml").status == 201, role);
    const HttpResponse bound =
        ask_as_admin("POST", rbac + "clusterrolebindings",
                     R"({"metadata":{"name":"runner"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",)"
                     R"("kind":"ClusterRole","name":"nodebound"},"subjects":[{"kind":"User",)"
                     R"("apiGroup":"rbac.authorization.k8s.io","name":"runner"}]})");
    BOOST_REQUIRE_MESSAGE(bound.status == 201, bound.body);
  }
};

constexpr const char* few = "--focus 'node-taints|reading-secrets|volume-attachments' ";

}  // namespace

BOOST_FIXTURE_TEST_CASE(where_others_have_workloads_nothing_is_made_unasked, Cluster) {
  const Ended alone = run("admin", few);
  BOOST_TEST(alone.code == 0, alone.output);
  BOOST_TEST(says(alone, "this makes "), alone.output);
  BOOST_TEST(says(alone, " nodes, "), alone.output);
  BOOST_TEST(says(alone, "removed at the end"), alone.output);

  BOOST_REQUIRE(ask_as_admin("POST", "/api/v1/nodes", R"({"metadata":{"name":"worker-1"}})").status == 201);
  const std::string before = version();
  const std::string target = "kubeconfig:" + admin_file();
  const std::string out = " --out " + (folder.path / "out").string();
  for (const std::string& command :
       {"run --target " + target + out + " " + few, "explore --requests 10 --target " + target + out,
        "compare 1.36 " + target + out, "compare --random 10 --disposable 1.36 " + target + out,
        "run --i-may-write-to other --target " + target + out + " " + few}) {
    const Ended refused = command_line::nodebound(command);
    BOOST_TEST(refused.code == 2, command << " ended with " << refused.code);
    BOOST_TEST(says(refused, "1 Node and 0 pods outside of kube-system (worker-1 among them). It would make "),
               refused.output);
    BOOST_TEST(says(refused, "--i-may-write-to nodebound"), refused.output);
  }
  BOOST_TEST(version() == before);
  const Ended allowed = run("admin", std::string(few) + "--i-may-write-to nodebound");
  BOOST_TEST(allowed.code == 0, allowed.output);
  BOOST_TEST(version() != before);
}

BOOST_FIXTURE_TEST_CASE(who_only_reads_needs_no_leave_and_few_rights, Cluster) {
  BOOST_REQUIRE(ask_as_admin("POST", "/api/v1/nodes", R"({"metadata":{"name":"worker-1"}})").status == 201);
  const Ended role = output("run --print-rbac --read-only");
  BOOST_TEST(role.code == 0);
  BOOST_TEST(says(role, R"(resources: ["selfsubjectaccessreviews","subjectaccessreviews"])"), role.output);
  for (const char* unneeded : {"\"delete\"", "\"nodes\"", "\"pods\"", "\"impersonate\"", "\"bind\"", "\"*\""}) {
    BOOST_TEST(!says(role, unneeded), unneeded << " in " << role.output);
  }
  grant(role.output);
  const std::string before = version();
  const Ended read = run("runner", "--read-only");
  BOOST_TEST(read.code == 0, read.output);
  BOOST_TEST(says(read, "✓ CONFORMS"), read.output);
  BOOST_TEST(!says(read, "lacks rights"), read.output);
  BOOST_TEST(version() == before);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path / "out")) {
    BOOST_TEST(!entry.path().filename().string().starts_with("journal"), entry.path());
  }
}

BOOST_FIXTURE_TEST_CASE(the_role_that_is_printed_is_enough_for_its_scenarios, Cluster) {
  const Ended role = output(std::string("run --print-rbac ") + few);
  BOOST_TEST(!says(role, "\"*\""), role.output);
  BOOST_TEST(!says(role, "resourceslices"), "not of these scenarios: " << role.output);
  grant(role.output);
  const Ended ended = run("runner", few);
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(!says(ended, "lacks rights"), ended.output);
  BOOST_TEST(!says(ended, "the credentials of the target may not"), ended.output);
}

BOOST_FIXTURE_TEST_CASE(rights_that_are_missing_are_told_with_what_they_cost, Cluster) {
  std::string role = output(std::string("run --print-rbac ") + few).output;
  const auto without = [&](const std::string& word, const std::string& instead) {
    const std::size_t at = role.find(word);
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, word << " in " << role);
    role.replace(at, word.size(), instead);
  };
  without("volumeattachments", "others");
  without("\"bind\"", "\"other\"");
  grant(role);
  const Ended ended = run("runner", std::string(few) + "--verbose");
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(says(ended, "runner lacks rights; what needs them is skipped"), ended.output);
  BOOST_TEST(says(ended, "create volumeattachments.storage.k8s.io: "), ended.output);
  BOOST_TEST(says(ended, " checks of "), ended.output);
  BOOST_TEST(says(ended, "the credentials of the target may not create volumeattachments.storage.k8s.io"),
             ended.output);
  BOOST_TEST(says(ended, "the credentials of the target may not bind clusterroles.rbac.authorization.k8s.io"),
             ended.output);
  BOOST_TEST(says(ended, "cluster-admin, so admission cannot be met alone"), ended.output);
}

BOOST_AUTO_TEST_SUITE_END()
