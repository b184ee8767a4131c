#include "harness/simulate/simulate_on_binaries.h"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "harness/endpoint/loopback.h"
#include "harness/simulate/control_plane/server_builds.h"
#include "harness/simulate/findings/expectations.h"
#include "harness/simulate/records/refusal_ledger.h"

BOOST_AUTO_TEST_SUITE(simulate_real_binaries)

using namespace nodebound;
using namespace nodebound::simulate;
namespace fs = std::filesystem;

namespace {

const std::vector<ServerBuild> builds = {{"a", {1, 31, 0}}, {"b", {1, 32, 5}}, {"c", {1, 32, 13}}, {"d", {1, 33, 1}}};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Plan plan_of(const std::string& steps) {
  const std::string text = R"(
title = "two minors"
[control-plane]
release = "1.31"
[[pool]]
name = "blue"
nodes = 1
kubelet = "1.30"
)" + steps;
  Result<Plan> plan = read_plan(text, "p.toml", Catalogue::built_in());
  BOOST_REQUIRE_MESSAGE(plan, (plan ? "" : plan.error().text()));
  return std::move(*plan);
}

// A folder with a program that claims to be that kube-apiserver, and does nothing else.
std::string folder_of(const TemporaryDirectory& root, const std::string& version) {
  const fs::path folder = root.path() / version;
  fs::create_directories(folder);
  for (const char* name : {"kube-apiserver", "etcd"}) {
    std::ofstream(folder / name) << "#!/bin/sh\n[ \"$1\" = --version ] && echo \"" << version
                                 << "\" && exit 0\nexit 7\n";
    fs::permissions(folder / name, fs::perms::owner_all);
  }
  return folder.string();
}

Simulation::Finding finding(const std::string& who, const std::string& request, int status) {
  Simulation::Finding out;
  out.who = who;
  out.request = request;
  out.status = status;
  return out;
}

Simulation simulation_with(std::vector<Simulation::Finding> findings) {
  Simulation out;
  out.steps.resize(2);
  out.steps[1].number = 1;
  out.steps[1].findings = std::move(findings);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_release_is_the_build_of_its_patch_or_the_only_one_of_its_minor) {
  BOOST_TEST(build_of({1, 32, 5}, builds, "p")->directory.string() == "b");
  BOOST_TEST(build_of({1, 33, 0}, builds, "p")->directory.string() == "d");
}

BOOST_AUTO_TEST_CASE(a_release_without_a_build_and_one_with_too_many_are_input_errors) {
  const auto missing = build_of({1, 30, 0}, builds, "p.toml:7");
  BOOST_REQUIRE(!missing);
  BOOST_TEST((missing.error().kind == Error::Kind::input));
  BOOST_TEST(missing.error().where == "p.toml:7");
  BOOST_TEST(contains(missing.error().what, "control plane 1.30.0"));
  BOOST_TEST(contains(missing.error().what, "there are 1.31.0, 1.32.5, 1.32.13, 1.33.1"));
  const auto several = build_of({1, 32, 0}, builds, "p");
  BOOST_REQUIRE(!several);
  BOOST_TEST(contains(several.error().what, "1.32.5, 1.32.13"));
  BOOST_TEST(contains(several.error().hint, "patch release"));
}

BOOST_AUTO_TEST_CASE(a_plan_takes_the_releases_of_the_builds) {
  const std::string step = "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32.5\" }\n";
  const std::string last = "[[step]]\nat = \"+2h\"\ncontrol-plane = { release = \"1.33\" }\n";
  const auto plan = on_builds(plan_of(step + last), builds);
  BOOST_REQUIRE(plan);
  BOOST_TEST(plan->control_plane.version.text() == "1.31.0");
  BOOST_TEST(std::get<Plan::ChangeControlPlane>(plan->steps[1].actions.front()).to.at(0).version.text() == "1.33.1");
}

BOOST_AUTO_TEST_CASE(the_step_without_a_build_is_named_with_its_line) {
  const auto plan = on_builds(plan_of("[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32\" }\n"),
                              {{"a", {1, 31, 0}}, {"d", {1, 33, 1}}});
  BOOST_REQUIRE(!plan);
  BOOST_TEST(plan.error().where == "p.toml:9");
}

BOOST_AUTO_TEST_CASE(all_releases_without_a_build_are_named_at_once) {
  const std::string steps =
      "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32\" }\n"
      "[[step]]\nat = \"+2h\"\ncontrol-plane = { release = \"1.33\" }\n";
  const auto plan = on_builds(plan_of(steps), {{"a", {1, 31, 0}}});
  BOOST_REQUIRE(!plan);
  BOOST_TEST(plan.error().where == "p.toml:9");
  BOOST_TEST(contains(plan.error().what, "a control plane 1.32.0, 1.33.0, and no folder"));
  BOOST_TEST(contains(plan.error().what, "a kube-apiserver of 1.32, 1.33: there are 1.31.0"));
}

BOOST_AUTO_TEST_CASE(a_refusal_of_real_servers_is_explained_by_that_of_the_reference) {
  Simulation::Finding known;
  known.who = "agent a";
  known.request = "list nodes";
  known.status = 403;
  Simulation real = simulation_with({known});
  known.rule = "node-read-not-all";
  known.statement = "s";
  known.avoided_by = {"another order"};
  known.advice = "do";
  explain_by(simulation_with({known}), real);
  const Simulation::Finding& finding = real.steps[1].findings[0];
  BOOST_TEST(finding.rule == "node-read-not-all");
  BOOST_TEST(finding.statement == "s");
  BOOST_TEST(finding.advice == "do");
  BOOST_TEST((finding.avoided_by == std::vector<std::string>{"another order"}));
  known.status = 401;
  real.steps[1].findings[0] = Simulation::Finding();
  explain_by(simulation_with({known}), real);
  BOOST_TEST(real.steps[1].findings[0].rule.empty());
}

BOOST_AUTO_TEST_CASE(several_servers_at_a_time_are_an_input_error) {
  Plan plan = plan_of("[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32.5\" }\n");
  plan.servers = 2;
  const auto refused = on_builds(plan, builds);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().kind == Error::Kind::input));
  BOOST_TEST(contains(refused.error().what, "2 API servers behind one address"));
}

BOOST_AUTO_TEST_CASE(builds_say_which_they_are) {
  const TemporaryDirectory root = std::move(*TemporaryDirectory::make());
  const auto found = find_builds({folder_of(root, "Kubernetes v1.32.13"), folder_of(root, "Kubernetes v1.32.5")});
  BOOST_REQUIRE_MESSAGE(found, (found ? "" : found.error().text()));
  BOOST_TEST(found->front().version.text() == "1.32.5");
  BOOST_TEST(found->back().version.text() == "1.32.13");
}

BOOST_AUTO_TEST_CASE(a_folder_without_a_server_and_a_program_that_is_none_are_input_errors) {
  const TemporaryDirectory root = std::move(*TemporaryDirectory::make());
  const auto none = find_builds({root.path().string()});
  BOOST_REQUIRE(!none);
  BOOST_TEST((none.error().kind == Error::Kind::input));
  BOOST_TEST(contains(none.error().what, (root.path() / "kube-apiserver").string()));
  const auto other = find_builds({folder_of(root, "something else")});
  BOOST_REQUIRE(!other);
  BOOST_TEST(contains(other.error().what, "\"something else\""));
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_start_is_unreachable) {
  const std::string patch = "[[step]]\nat = \"+1h\"\npools = [{ name = \"blue\", kubelet = \"1.30.1\" }]\n";
  const TemporaryDirectory root = std::move(*TemporaryDirectory::make());
  const auto run = simulate_on_binaries(plan_of(patch), Catalogue::built_in(), {folder_of(root, "Kubernetes v1.31.0")});
  BOOST_REQUIRE(!run);
  BOOST_TEST((run.error().kind == Error::Kind::unreachable));
  BOOST_TEST(contains(run.error().text(), "exit status 7"));
}

BOOST_AUTO_TEST_CASE(simulations_with_the_same_refusals_do_not_differ) {
  Simulation::Finding by_rule = finding("agent a", "list nodes", 403);
  by_rule.rule = "node-read-not-all";
  BOOST_TEST(
      differences_of(simulation_with({finding("agent a", "list nodes", 403)}), simulation_with({by_rule})).empty());
}

BOOST_AUTO_TEST_CASE(what_one_side_alone_refuses_is_a_difference) {
  const Simulation none = simulation_with({});
  const Simulation one = simulation_with({finding("agent a", "list nodes", 403)});
  const auto real = differences_of(one, none);
  BOOST_REQUIRE(real.size() == 1);
  BOOST_TEST(contains(real[0], "step 1: agent a is refused `list nodes` (403"));
  BOOST_TEST(contains(real[0], "by the builds, not by the reference"));
  const auto reference = differences_of(none, one);
  BOOST_REQUIRE(reference.size() == 1);
  BOOST_TEST(contains(reference[0], "by the reference, not by the builds"));
}

BOOST_AUTO_TEST_CASE(another_status_and_another_end_are_differences) {
  const Simulation forbidden = simulation_with({finding("agent a", "list nodes", 403)});
  BOOST_TEST(differences_of(forbidden, simulation_with({finding("agent a", "list nodes", 401)})).size() == 2);
  Simulation healed = forbidden;
  healed.steps[1].findings[0].healed = std::chrono::minutes(1);
  BOOST_REQUIRE(differences_of(healed, forbidden).size() == 1);
  BOOST_TEST(contains(differences_of(healed, forbidden)[0], "heals on the builds, not on the reference"));
}

BOOST_AUTO_TEST_CASE(nodes_and_pods_that_one_side_loses_are_differences) {
  const Simulation well = simulation_with({});
  Simulation ill = well;
  ill.steps[1].health.nodes_not_ready = 2;
  ill.steps[1].health.pods_lost = {"daemonset logging: 3 of 4 nodes"};
  const auto differences = differences_of(ill, well);
  BOOST_REQUIRE(differences.size() == 2);
  BOOST_TEST(contains(differences[0], "2 nodes are not ready on the builds, 0 on the reference"));
  BOOST_TEST(contains(differences[1], "lost on the builds alone: daemonset logging: 3 of 4 nodes"));
}

BOOST_AUTO_TEST_CASE(expectations_hold_for_servers_that_do_not_say_their_rules) {
  const Plan plan = plan_of(
      "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32\" }\n"
      "[[expect]]\nstep = 1\nwho = \"pool blue\"\nrequest = \"list nodes\"\nrule = \"node-read-not-all\"\n");
  const Simulation real = simulation_with({finding("pool blue", "list nodes", 403)});
  BOOST_TEST(unexpected(plan, real).size() == 2);
  BOOST_TEST(unexpected_of(plan, real).empty());
  BOOST_TEST(unexpected_of(plan, simulation_with({})).size() == 1);
}

BOOST_AUTO_TEST_CASE(no_answer_is_neither_a_refusal_nor_the_end_of_one) {
  const HttpRequest request{"GET", "/api/v1/nodes", "", ""};
  const auto answer = [](int status) {
    HttpResponse out;
    out.status = status;
    return out;
  };
  RefusalLedger ledger;
  const std::size_t client = ledger.add_client("agent a", "", 1);
  ledger.note(client, request, answer(0), std::chrono::seconds(1));
  BOOST_TEST(ledger.kinds().empty());
  ledger.note(client, request, answer(403), std::chrono::seconds(2));
  ledger.note(client, request, answer(0), std::chrono::seconds(3));
  BOOST_REQUIRE(ledger.clients()[0].seen.size() == 1);
  BOOST_TEST(!ledger.clients()[0].seen[0].healed.has_value());
  ledger.note(client, request, answer(200), std::chrono::seconds(4));
  BOOST_TEST(ledger.clients()[0].seen[0].healed.has_value());
  BOOST_TEST(ledger.clients()[0].seen[0].count == 1U);
}

BOOST_AUTO_TEST_CASE(who_is_connected_to_a_kubelet_that_is_not_there_was_let_through) {
  HttpResponse answer;
  answer.status = 502;
  RefusalLedger ledger;
  const std::size_t client = ledger.add_client("agent a", "", 1);
  ledger.note(client, {"GET", "/api/v1/nodes/blue-1/proxy/metrics", "", ""}, answer, std::chrono::seconds(1));
  BOOST_TEST(ledger.kinds().empty());
  ledger.note(client, {"GET", "/api/v1/nodes/blue-1", "", ""}, answer, std::chrono::seconds(1));
  BOOST_TEST(ledger.kinds().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
