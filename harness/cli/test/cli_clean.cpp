#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/test/command_line.h"
#include "harness/test/sanitizers.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_clean)

using namespace command_line;
using namespace nodebound;
using nlohmann::json;

namespace {

constexpr std::chrono::seconds patience{120};

template <typename Done>
bool wait_until(Done done) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// A cluster that others use, with objects of theirs, and a folder for reports.
struct Cluster {
  Cluster() {
    process =
        ChildProcess::start(project::nodebound_program,
                            {"serve", "--secure-port", "0", "--kubeconfig-out", folder.path.string(), "--node", "a"},
                            folder.path / "log")
            .value();
    BOOST_REQUIRE(wait_until(
        [&] { return process->last_lines(3).find("node-a.kubeconfig") != std::string::npos || process->ending(); }));
    make("/api/v1/namespaces", "foreign");
    make("/api/v1/namespaces/foreign/secrets", "s");
    foreign = ask("GET", "/api/v1/namespaces/foreign/secrets/s").body;
  }

  HttpResponse ask(const std::string& method, const std::string& target, const std::string& body = {}) const {
    const Kubeconfig kubeconfig = load_kubeconfig((folder.path / "admin.kubeconfig").string()).value();
    const auto client = make_http_client(kubeconfig.server, credentials_of(kubeconfig).value(), {}).value();
    return client->send({method, target, "application/json", body, false, {}, {}}).value();
  }
  void make(const std::string& collection, const std::string& name) const {
    ask("POST", collection, R"({"metadata":{"name":")" + name + R"("}})");
  }
  bool foreign_is_untouched() const { return ask("GET", "/api/v1/namespaces/foreign/secrets/s").body == foreign; }

  // Paths of the objects with a run's label, except namespaces that are being emptied.
  std::vector<std::string> labelled() const {
    std::vector<std::string> out;
    for (const char* collection :
         {"/api/v1/nodes", "/api/v1/pods", "/api/v1/secrets", "/api/v1/configmaps", "/api/v1/namespaces",
          "/api/v1/serviceaccounts", "/api/v1/persistentvolumes", "/apis/coordination.k8s.io/v1/leases",
          "/apis/certificates.k8s.io/v1/certificatesigningrequests",
          "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"}) {
      const json list = json::parse(ask("GET", std::string(collection) + "?labelSelector=nodebound.dev%2Frun").body);
      for (const json& item : list["items"]) {
        const bool emptied =
            std::string(collection) == "/api/v1/namespaces" && item["metadata"].contains("deletionTimestamp");
        if (!emptied) out.push_back(std::string(collection) + "/" + item["metadata"]["name"].get<std::string>());
      }
    }
    return out;
  }

  [[nodiscard]] std::string target() const { return "kubeconfig:" + (folder.path / "admin.kubeconfig").string(); }
  [[nodiscard]] std::filesystem::path out() const { return folder.path / "out"; }
  [[nodiscard]] Ended clean(const std::string& more = {}) const {
    return command_line::nodebound("clean --target " + target() + " --out " + out().string() + " " + more);
  }
  [[nodiscard]] Ended run(const std::string& more) const {
    return command_line::nodebound("run --target " + target() + " --out " + out().string() + " " + more);
  }

  std::vector<std::filesystem::path> journals(const std::string& side = {}) const {
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(out() / side, ignored)) {
      if (entry.path().filename().string().starts_with("journal-")) found.push_back(entry.path());
    }
    return found;
  }

  // Kills the command once its journal names at least so many created objects.
  void kill_amid(std::vector<std::string> arguments, std::size_t made, const std::string& side = {},
                 const std::string& word = "{\"made\"") const {
    const auto old = journals(side);
    const auto child = ChildProcess::start(project::nodebound_program, arguments, folder.path / "killed.log").value();
    const bool reached = wait_until([&] {
      std::size_t count = 0;
      for (const auto& file : journals(side)) {
        if (std::find(old.begin(), old.end(), file) != old.end()) continue;
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) count += line.find(word) != std::string::npos ? 1 : 0;
      }
      return count >= made || child->ending();
    });
    BOOST_REQUIRE(reached);
    BOOST_REQUIRE_MESSAGE(!child->ending(), child->last_lines(5));
    child->kill();
  }
  std::vector<std::string> run_arguments() const {
    return {"run", "--target", target(), "--out", out().string(), "--jobs", "2"};
  }

  Folder folder;
  std::unique_ptr<ChildProcess> process;
  std::string foreign;
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_killed_run_left_outlives_the_same_command_and_is_removed) {
  const Cluster cluster;
  cluster.kill_amid(cluster.run_arguments(), 40);
  BOOST_TEST(!cluster.labelled().empty());
  const std::vector<std::filesystem::path> left = cluster.journals();
  BOOST_REQUIRE(left.size() == 1U);

  const Ended again = cluster.run("--focus secret-through-pod");
  BOOST_TEST(again.code == 0, again.output);
  BOOST_TEST(says(again, left.front().string()), again.output);
  BOOST_TEST(says(again, "nodebound clean --target " + cluster.target()), again.output);
  BOOST_TEST((cluster.journals() == left), "it is neither lost nor overwritten");
  BOOST_TEST(!cluster.labelled().empty());

  const Ended cleaned = cluster.clean();
  BOOST_TEST(cleaned.code == 0, cleaned.output);
  BOOST_TEST(says(cleaned, "Removed what run "), cleaned.output);
  BOOST_TEST(cluster.labelled().empty(), boost::test_tools::per_element());
  BOOST_TEST(cluster.journals().empty());
  BOOST_TEST(cluster.foreign_is_untouched());
}

BOOST_AUTO_TEST_CASE(wherever_a_run_is_killed_nothing_stays) {
  const Cluster cluster;
  for (const std::size_t made : {0U, 1U, 2U, 5U, 11U, 23U, 77U}) {
    if (sanitized && made > 2) continue;
    cluster.kill_amid(cluster.run_arguments(), made, "", made == 0 ? "{\"nodebound-journal\"" : "{\"made\"");
    const Ended cleaned = cluster.clean();
    BOOST_TEST(cleaned.code == 0, cleaned.output);
    for (const std::string& path : cluster.labelled()) BOOST_TEST(path == "", "after " << made << ": " << path);
    BOOST_TEST(cluster.journals().empty());
  }
  BOOST_TEST(cluster.foreign_is_untouched());
}

BOOST_AUTO_TEST_CASE(a_clean_up_during_a_run_touches_nothing) {
  const Cluster cluster;
  const auto run =
      ChildProcess::start(project::nodebound_program, cluster.run_arguments(), cluster.folder.path / "run.log").value();
  BOOST_REQUIRE(wait_until([&] { return !cluster.labelled().empty() || run->ending(); }));
  const Ended cleaned = cluster.clean();
  BOOST_REQUIRE(!run->ending());
  BOOST_TEST(cleaned.code == 3, cleaned.output);
  BOOST_TEST(says(cleaned, "is in use"), cleaned.output);
  BOOST_TEST(cluster.journals().size() == 1U);
  // When it gets a signal, it removes what it has made.
  run->stop(std::chrono::duration_cast<std::chrono::milliseconds>(patience));
  BOOST_TEST(run->ending().value() == "with exit status 3", run->last_lines(5));
  BOOST_TEST(cluster.labelled().empty());
  BOOST_TEST(cluster.journals().empty());
}

BOOST_AUTO_TEST_CASE(two_runs_with_one_folder_keep_to_their_own) {
  const Cluster cluster;
  std::vector<std::unique_ptr<ChildProcess>> both;
  for (const char* log : {"one.log", "two.log"}) {
    both.push_back(ChildProcess::start(project::nodebound_program,
                                       {"run", "--target", cluster.target(), "--out", cluster.out().string(), "--focus",
                                        "node-identity|secret-through-pod"},
                                       cluster.folder.path / log)
                       .value());
  }
  for (const auto& run : both) {
    BOOST_TEST(wait_until([&] { return run->ending().has_value(); }));
    BOOST_TEST(run->ending().value() == "with exit status 0", run->last_lines(8));
  }
  BOOST_TEST(cluster.labelled().empty());
  BOOST_TEST(cluster.journals().empty());
}

BOOST_AUTO_TEST_CASE(a_journal_is_of_no_use_on_another_cluster) {
  const Cluster cluster;
  const Cluster other;
  cluster.kill_amid(cluster.run_arguments(), 20);
  const std::vector<std::string> before = cluster.labelled();
  const Ended wrong = command_line::nodebound("clean --target " + other.target() + " --out " + cluster.out().string());
  BOOST_TEST(wrong.code == 2, wrong.output);
  BOOST_TEST(says(wrong, "is not the cluster that run "), wrong.output);
  BOOST_TEST(cluster.journals().size() == 1U);
  BOOST_TEST(cluster.labelled() == before, boost::test_tools::per_element());
  BOOST_TEST(cluster.clean().code == 0);
  BOOST_TEST(cluster.labelled().empty());
}

BOOST_AUTO_TEST_CASE(a_journal_that_somebody_has_forged_harms_nothing) {
  const Cluster cluster;
  cluster.kill_amid(cluster.run_arguments(), 5);
  const std::filesystem::path journal = cluster.journals().front();
  const std::string uid = json::parse(cluster.foreign)["metadata"]["uid"];
  std::ofstream(journal, std::ios::app) << R"({"asked":90001,"path":"/api/v1/namespaces/foreign/secrets/s"})" << '\n'
                                        << R"({"made":90001,"uid":")" << uid << R"("})" << '\n'
                                        << R"({"asked":90002,"path":"/api/v1/namespaces/foreign"})" << '\n';
  const Ended cleaned = cluster.clean();
  BOOST_TEST(cleaned.code == 3, cleaned.output);
  BOOST_TEST(says(cleaned, "no longer carries the label"), cleaned.output);
  BOOST_TEST(cluster.foreign_is_untouched());
  BOOST_TEST(cluster.labelled().empty(), "what the run had made is gone all the same");
  BOOST_TEST(std::filesystem::exists(journal));

  std::ofstream(journal, std::ios::app) << R"({"asked":90003,"path":"/api/v1/namespaces/foreign?x=/y"})" << '\n';
  const Ended refused = cluster.clean();
  BOOST_TEST(refused.code == 2, refused.output);
  BOOST_TEST(says(refused, journal.filename().string() + ":"), refused.output);
  BOOST_TEST(cluster.foreign_is_untouched());

  std::filesystem::rename(journal, cluster.folder.path / "elsewhere");
  std::filesystem::create_symlink(cluster.folder.path / "elsewhere", journal);
  const Ended link = cluster.clean();
  BOOST_TEST(link.code == 2, link.output);
  BOOST_TEST(says(link, "is a symbolic link"), link.output);
}

BOOST_AUTO_TEST_CASE(a_full_disk_stops_the_run_and_leaves_nothing) {
  const Cluster cluster;
  const Ended full = run_shell("trap '' XFSZ; ulimit -f 8; " + std::string(project::nodebound_program) +
                               " run --target " + cluster.target() + " --out " + cluster.out().string() + " 2>&1");
  BOOST_TEST(full.code == 3, full.output);
  BOOST_TEST(says(full, "cannot write down what is about to be made"), full.output);
  BOOST_TEST(cluster.labelled().empty());
}

BOOST_AUTO_TEST_CASE(without_a_journal_what_is_left_is_shown_and_removed_only_if_told_so) {
  const Cluster cluster;
  const Ended nothing = cluster.clean();
  BOOST_TEST(nothing.code == 0, nothing.output);
  BOOST_TEST(says(nothing, "Nothing to clean"), nothing.output);

  cluster.kill_amid(cluster.run_arguments(), 20);
  const std::string name = cluster.journals().front().stem().string();
  const std::string run = name.substr(std::string("journal-").size());
  std::filesystem::remove(cluster.journals().front());
  const std::vector<std::string> before = cluster.labelled();
  const Ended shown = cluster.clean();
  BOOST_TEST(shown.code == 3, shown.output);
  BOOST_TEST(says(shown, "Run " + run + ", objects made from 2"), shown.output);
  BOOST_TEST(says(shown, "--run " + run + " --yes"), shown.output);
  BOOST_TEST(cluster.clean("--yes").code == 2);
  BOOST_TEST(cluster.clean("--run " + run).code == 3);
  BOOST_TEST(cluster.clean("--run another --yes").code == 0);
  BOOST_TEST(cluster.clean("--run ../x --yes").code == 2);
  BOOST_TEST(cluster.labelled() == before, boost::test_tools::per_element());
  const Ended removed = cluster.clean("--run " + run + " --yes");
  BOOST_TEST(removed.code == 0, removed.output);
  BOOST_TEST(cluster.labelled().empty());
  BOOST_TEST(cluster.foreign_is_untouched());
}

BOOST_AUTO_TEST_CASE(explorations_and_comparisons_that_are_killed_are_cleaned_up_after) {
  const Cluster cluster;
  const std::string out = cluster.out().string();
  const std::vector<std::vector<std::string>> commands = {
      {"explore", "--target", cluster.target(), "--requests", "100000", "--out", out},
      {"compare", "1.36.3", cluster.target(), "--out", out},
      {"compare", "1.36.3", cluster.target(), "--random", "100000", "--disposable", "--out", out}};
  for (const auto& command : commands) {
    if (sanitized && command != commands.back()) continue;
    cluster.kill_amid(command, 15, "b");
    const Ended cleaned = command_line::nodebound("clean --target " + cluster.target() + " --out " + out + "/b");
    // A person must handle an unanswered PUT, and an object that lost its label to a random request.
    const bool told = says(cleaned, "may be an object of others") || says(cleaned, "no longer carries the label");
    BOOST_TEST((cleaned.code == 0 || (cleaned.code == 3 && told)), cleaned.output);
    BOOST_TEST(cluster.labelled().size() <= (cleaned.code == 0 ? 0U : 1U), command.front());
    BOOST_TEST(cluster.journals("b").empty() == (cleaned.code == 0));
    for (const auto& journal : cluster.journals("b")) std::filesystem::remove(journal);
  }
}

BOOST_AUTO_TEST_CASE(certificate_requests_of_a_killed_run_are_removed) {
  const Cluster cluster;
  std::vector<std::string> arguments = cluster.run_arguments();
  arguments.insert(arguments.end(), {"--identity", "csr", "--focus", "node-identity"});
  // No signer runs here, so the run waits for its first certificate.
  cluster.kill_amid(arguments, 1, "", "/certificatesigningrequests/nodebound-");
  const Ended cleaned = cluster.clean();
  BOOST_TEST(cleaned.code == 0, cleaned.output);
  BOOST_TEST(cluster.labelled().empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_cleaned_is_bad_usage) {
  const Folder folder;
  BOOST_TEST(command_line::nodebound("clean --target reference --out " + folder.path.string()).code == 2);
  BOOST_TEST(command_line::nodebound("clean --target kubeconfig:/nonexistent --out " + folder.path.string()).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
