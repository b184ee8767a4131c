#include <boost/test/unit_test.hpp>

#include "harness/test/command_line.h"

BOOST_AUTO_TEST_SUITE(cli_simulate)

using namespace command_line;

namespace {

std::string plan(const std::string& pool, const std::string& rest) {
  return "title = \"t\"\n[control-plane]\nrelease = \"1.31.0\"\n[[pool]]\nkubelet = \"1.31.0\"\nnodes = 2\n" + pool +
         rest;
}

const std::string blue = "name = \"blue\"\n";
const std::string agent =
    "[[agent]]\nname = \"monitoring\"\npool = \"blue\"\nrequests = [\"GET /api/v1/nodes/other\"]\n";
const std::string upgrade = "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32.0\" }\n";

struct PlanFile : Folder {
  explicit PlanFile(const std::string& text) { write("a.plan.toml", text); }
  [[nodiscard]] std::string name() const { return (path / "a.plan.toml").string(); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_ends_with_0_only_where_all_is_well_from_its_begin_on) {
  const auto code_of = [](const std::string& text) { return nodebound("simulate " + PlanFile(text).name()).code; };
  BOOST_TEST(code_of(plan(blue, upgrade)) == 0);
  BOOST_TEST(code_of(plan(blue, agent + upgrade)) == 1);
  const std::string dead = plan(blue + "node-labels = { \"node-role.kubernetes.io/worker\" = \"\" }\n", upgrade);
  BOOST_TEST(code_of(dead) == 1);
  BOOST_TEST(code_of(dead + "[[expect]]\nstep = 0\nnot-ready = 2\n") == 0);
}

BOOST_AUTO_TEST_CASE(a_broken_begin_is_said_first) {
  const PlanFile file(plan(blue + "node-labels = { \"node-role.kubernetes.io/worker\" = \"\" }\n", upgrade));
  const Ended ended = nodebound("simulate " + file.name());
  const std::size_t begin = ended.output.find("✗ The plan begins broken");
  const std::size_t cause = ended.output.find("cause     kubelet 1.31.0 exits");
  const std::size_t step = ended.output.find("1  +1h");
  BOOST_TEST(begin < cause, ended.output);
  BOOST_TEST(cause < step, ended.output);
  BOOST_TEST(ended.output.ends_with("✗ begins broken\n"), ended.output);
}

BOOST_AUTO_TEST_CASE(a_pool_that_no_node_can_be_named_after_is_a_mistake_with_its_place) {
  const PlanFile file(plan("name = \"Blue_1\"\n", upgrade));
  const Ended ended = nodebound("simulate " + file.name());
  BOOST_TEST(ended.code == 2);
  BOOST_TEST(says(ended, ":7:8: \"Blue_1\" cannot be the name of a pool"), ended.output);
}

BOOST_AUTO_TEST_CASE(remedies_can_be_left_out_and_dates_put_in) {
  const PlanFile file(plan(blue, agent + upgrade));
  const Ended with = nodebound("simulate " + file.name());
  const Ended without = nodebound("simulate --no-remedies " + file.name());
  BOOST_TEST(says(with, "avoided   by feature gate"), with.output);
  BOOST_TEST(!says(without, "avoided"), without.output);
  BOOST_TEST(says(without, "advice    "), without.output);
  BOOST_TEST(!says(with, "2026-12-01"));
  const Ended dated = nodebound("simulate --start 2026-12-01T09:00Z " + file.name());
  BOOST_TEST(says(dated, "starts    2026-12-01 09:00Z\n"), dated.output);
  BOOST_TEST(says(dated, "2026-12-01 10:00Z"), dated.output);
  const Ended wrong = nodebound("simulate --start tomorrow " + file.name());
  BOOST_TEST(wrong.code == 2);
  BOOST_TEST(says(wrong, "--start: expected a time like 2026-12-01T09:00Z"), wrong.output);
}

BOOST_AUTO_TEST_CASE(what_is_accepted_in_a_file_breaks_nothing_until_its_day) {
  const PlanFile file(plan(blue, agent + upgrade));
  const auto simulate_accepting = [&](const std::string& entry) {
    const Folder folder;
    folder.write("accepted.toml", "[[accept]]\n" + entry);
    return nodebound("simulate --no-remedies --accept " + (folder.path / "accepted.toml").string() + " " + file.name());
  };
  const std::string known = "finding = \"node-read-own\"\nwho = \"agent *\"\nreason = \"known\"\n";
  const Ended accepted = simulate_accepting(known + "until = \"2099-12-31\"\n");
  BOOST_TEST(accepted.code == 0);
  BOOST_TEST(says(accepted, "accepted  known (until 2099-12-31)\n"), accepted.output);
  BOOST_TEST(says(accepted, "✓ breaks nothing but what is accepted\n"), accepted.output);
  const Ended over = simulate_accepting(known + "until = \"2020-12-31\"\n");
  BOOST_TEST(over.code == 1);
  BOOST_TEST(says(over, "accepted.toml:1 ended with 2020-12-31"), over.output);
  const Ended unneeded = simulate_accepting("finding = \"pods-lost\"\nreason = \"known\"\nuntil = \"2099-12-31\"\n");
  BOOST_TEST(unneeded.code == 1);
  BOOST_TEST(says(unneeded, "no finding needs the acceptance at"), unneeded.output);
  const Ended wrong = simulate_accepting("finding = \"pods-lost\"\n");
  BOOST_TEST(wrong.code == 2);
}

BOOST_AUTO_TEST_CASE(a_change_request_has_checks_order_and_rollback) {
  const PlanFile file(plan(blue, agent + upgrade + "[[step]]\nat = \"+2h\"\ndelete = [\"clusterrolebindings/odd\"]\n"));
  const Ended ended = output("simulate --format markdown " + file.name());
  BOOST_TEST(ended.code == 1);
  for (const char* part :
       {"# t\n", "**✗ The plan breaks 1 step of 2.**", "## What breaks\n",
        "| 1, +1h | agent monitoring | refused get nodes |",
        "kubectl get --raw /api/v1/nodes/other --as=system:node:blue-1 --as-group=system:nodes",
        "## Steps, in this order\n", "kubectl get --raw /version        # v1.31.0\n",
        "etcdctl snapshot save before-step-1.db\n", "Start the API servers of 1.31.0 again",
        "kubectl get clusterrolebindings/odd --ignore-not-found -o yaml > before-step-2-clusterrolebindings-odd.yaml\n",
        "[KEP-4601](https://github.com/kubernetes/enhancements/issues/4601)", "## Not simulated\n"}) {
    BOOST_TEST(says(ended, part), part << "\n" << ended.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()
