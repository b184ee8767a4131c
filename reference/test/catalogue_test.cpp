#include "reference/release/catalogue.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <set>

#include "reference/release/source_link.h"
#include "reference/test/project_paths.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(catalogue)

using namespace nodebound;
using nodebound::test::rules_of;

namespace {

const Catalogue& catalogue() {
  return Catalogue::built_in();
}

Result<Release> release_of(std::string_view version, const GateSettings& gates = {}) {
  return Release::make(catalogue(), Version::parse(version).value(), gates);
}

bool gate_on(std::string_view version, const std::string& gate) {
  return release_of(version)->gates.at(gate);
}

std::string replaced(std::string text, std::string_view old_part, std::string_view new_part) {
  const std::size_t at = text.find(old_part);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, "the text has no " << old_part);
  return text.replace(at, old_part.size(), new_part);
}

// `file:line:` of the first occurrence of `part`.
std::string place(const std::string& name, const std::string& text, std::string_view part) {
  const std::size_t at = text.find(part);
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return "reference/" + name + ":" + std::to_string(lines + 1) + ":";
}

// Checks that the error has a line and column, and that its text contains `what`.
void check_mistake(const Result<Catalogue>& parsed, const std::string& at, const std::string& what) {
  BOOST_REQUIRE(!parsed.has_value());
  const Error& error = parsed.error();
  BOOST_TEST(error.where.starts_with(at), error.where << " does not begin with " << at);
  const std::string column = error.where.substr(std::min(at.size(), error.where.size()));
  BOOST_TEST((!column.empty() && column.find_first_not_of("0123456789") == std::string::npos), "column " << column);
  BOOST_TEST(error.what.find(what) != std::string::npos, error.what << " does not say " << what);
  BOOST_TEST((error.kind == Error::Kind::input));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(entries)

// A handler that asks the authorizers again refuses like a plugin, in their words.
bool asks_authorizers_again(const RuleEntry& rule) {
  return rule.id == "pod-connection-create";
}

// The registry of roles and bindings refuses like a plugin, too.
bool is_of_registry(const RuleEntry& rule) {
  return rule.source.front().find("pkg/registry/rbac/") != std::string::npos;
}

BOOST_AUTO_TEST_CASE(every_rule_says_what_it_demands_and_where_that_comes_from) {
  BOOST_TEST(catalogue().rules().size() == rule_count);
  for (const RuleEntry& rule : catalogue().rules()) {
    BOOST_TEST_CONTEXT(rule.id) {
      BOOST_TEST(rule.statement.ends_with('.'));
      BOOST_TEST(!rule.title.empty());
      BOOST_TEST(!rule.source.empty());
      for (const std::string& source : rule.source) BOOST_TEST(!source.empty());
      BOOST_TEST(!rule.in_force.empty());
      for (const ReleaseRange& range : rule.in_force) BOOST_TEST(!range.since.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_rule_has_a_layer_and_the_status_of_that_layer) {
  for (const RuleEntry& rule : catalogue().rules()) {
    BOOST_TEST_CONTEXT(rule.id) {
      BOOST_TEST((rule.layer == Layer::admission) ==
                 (!rule.plugin.empty() || asks_authorizers_again(rule) || is_of_registry(rule)));
      const std::set<int> possible = rule.layer == Layer::validation       ? std::set<int>{422}
                                     : rule.layer == Layer::authorizer     ? std::set<int>{403}
                                     : rule.layer == Layer::kubelet        ? std::set<int>{401, 403, 404, 405, 500}
                                     : rule.layer == Layer::authentication ? std::set<int>{401}
                                                                           : std::set<int>{403, 404, 422, 500};
      BOOST_TEST(possible.contains(rule.status));
    }
  }
}

BOOST_AUTO_TEST_CASE(ids_are_unique_and_found_again) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < catalogue().rules().size(); ++i) {
    const std::string& id = catalogue().rules()[i].id;
    BOOST_TEST(ids.insert(id).second, id << " occurs twice");
    BOOST_TEST((catalogue().find(id) == static_cast<Rule>(i)));
  }
  BOOST_TEST(!catalogue().find("no-such-rule").has_value());
  BOOST_TEST(!catalogue().find("").has_value());
}

BOOST_AUTO_TEST_CASE(every_admission_restriction_has_a_text) {
  for (const RuleEntry& rule : catalogue().rules()) {
    if (rule.layer != Layer::admission && rule.layer != Layer::validation) continue;
    if (rule.effect == Effect::grant || asks_authorizers_again(rule)) continue;
    BOOST_TEST(!rule.refusal.empty(), rule.id << " has no text");
  }
}

BOOST_AUTO_TEST_CASE(every_gate_a_rule_names_exists) {
  for (const RuleEntry& rule : catalogue().rules()) {
    for (const ReleaseRange& range : rule.in_force) {
      for (const auto* names : {&range.gates, &range.any_gate, &range.unless_gates}) {
        for (const std::string& name : *names) {
          BOOST_TEST(catalogue().find_gate(name) != nullptr, rule.id << " names the gate " << name);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_rule_about_a_namespace_exists) {
  for (const RuleEntry& rule : catalogue().rules()) {
    if (!rule.edge || !rule.edge->volume || rule.edge->volume->namespace_rule.empty()) continue;
    BOOST_TEST(catalogue().find(rule.edge->volume->namespace_rule).has_value(), rule.id);
  }
}

BOOST_AUTO_TEST_CASE(every_gate_that_a_gate_needs_exists) {
  for (const GateEntry& gate : catalogue().gates()) {
    for (const GateEntry::Requirement& required : gate.requirements) {
      BOOST_TEST(catalogue().find_gate(required.gate) != nullptr, gate.name << " needs " << required.gate);
    }
  }
}

BOOST_AUTO_TEST_CASE(release_lists_and_stages_run_from_old_to_new) {
  for (const RuleEntry& rule : catalogue().rules()) {
    for (const ReleaseRange& range : rule.in_force) {
      BOOST_TEST(std::is_sorted(range.since.begin(), range.since.end()), rule.id);
      if (range.until) BOOST_TEST((range.since.back() < *range.until), rule.id);
    }
    BOOST_TEST(std::is_sorted(rule.refusal.begin(), rule.refusal.end(),
                              [](const auto& a, const auto& b) { return a.first < b.first; }),
               rule.id);
  }
  for (const GateEntry& gate : catalogue().gates()) {
    BOOST_TEST(std::is_sorted(gate.stages.begin(), gate.stages.end(),
                              [](const auto& a, const auto& b) { return a.since < b.since; }),
               gate.name);
  }
}

BOOST_AUTO_TEST_CASE(every_deviation_names_a_rule_an_issue_and_a_range) {
  BOOST_TEST(!catalogue().deviations().empty());
  for (const Deviation& deviation : catalogue().deviations()) {
    BOOST_TEST_CONTEXT(deviation.id) {
      BOOST_TEST(catalogue().find(deviation.rule).has_value());
      BOOST_TEST(deviation.issue.starts_with("https://github.com/kubernetes/"));
      BOOST_TEST(deviation.statement.ends_with('.'));
      BOOST_TEST(!deviation.range.since.empty());
      BOOST_TEST(catalogue().find_deviation(deviation.id) == &deviation);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_range_holds_from_its_first_release_to_before_its_last) {
  const ReleaseRange range = *ReleaseRange::parse("since 1.34 until 1.37");
  BOOST_TEST(!range.contains({1, 33, 13}));
  BOOST_TEST(range.contains({1, 34, 0}));
  BOOST_TEST(range.contains({1, 36, 99}));
  BOOST_TEST(!range.contains({1, 37, 0}));
  BOOST_TEST(ReleaseRange::parse("since 1.33")->contains({1, 99, 0}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(mistakes_in_the_files)

// A catalogue of its own: what the project's files say is no concern of these tests.
struct Files {
  std::string rules = R"(releases = { since = "1.6", until = "1.38" }

[[group]]
title = "Pods"
layer = "admission"
effect = "restriction"
plugin = "NodeRestriction"
source = "KEP-279"

[[group.rule]]
id = "first"
statement = "The first rule."
since = ["1.32.6", "1.33.2", "1.34"]
edge = { from = "secret" }
)";
  std::string gates = R"([[gate]]
name = "First"
stages = [{ since = "1.31", default = false }]
until = "1.37"
)";
  std::string deviations = R"([[deviation]]
id = "deviation"
rule = "first"
since = "1.33"
issue = "https://github.com/kubernetes/kubernetes/issues/1"
statement = "The first rule is broken."
)";
  std::string behaviours = R"([[behaviour]]
id = "behaviour"
statement = "It behaves."
since = "1.20"
until = "1.30"
source = "KEP-279"
)";

  Result<Catalogue> parsed() const { return Catalogue::parse({rules, gates, deviations, behaviours}); }
};

BOOST_FIXTURE_TEST_CASE(a_catalogue_may_have_any_rules, Files) {
  const Result<Catalogue> catalogue = parsed();
  BOOST_REQUIRE_MESSAGE(catalogue.has_value(), (catalogue ? std::string() : catalogue.error().text()));
  BOOST_TEST(catalogue->rules().size() == 1U);
  BOOST_TEST((catalogue->find("first") == static_cast<Rule>(0)));
  const auto release = Release::make(*catalogue, *Version::parse("1.33.2"), {{"First", true}});
  BOOST_REQUIRE(release.has_value());
  BOOST_TEST(RuleSet(*catalogue, *release).size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_behaviour_holds_in_its_releases, Files) {
  const Result<Catalogue> catalogue = parsed();
  BOOST_REQUIRE(catalogue.has_value());
  const auto does = [&](const char* version, std::size_t behaviour) {
    return Release::make(*catalogue, *Version::parse(version), {})->does(static_cast<Behaviour>(behaviour));
  };
  BOOST_TEST(!does("1.19.16", 0));
  BOOST_TEST(does("1.20", 0));
  BOOST_TEST(does("1.29.15", 0));
  BOOST_TEST(!does("1.30", 0));
  // This catalogue has no second one.
  BOOST_TEST(!does("1.29", 1));
}

BOOST_FIXTURE_TEST_CASE(a_rule_without_its_first_release_is_pointed_at, Files) {
  rules = replaced(rules, "since = [\"1.32.6\", \"1.33.2\", \"1.34\"]\n", "");
  check_mistake(parsed(), place("rules.toml", rules, "[[group.rule]]"), "since");
}

BOOST_FIXTURE_TEST_CASE(releases_in_the_wrong_order_are_pointed_at, Files) {
  rules = replaced(rules, "\"1.33.2\", \"1.34\"", "\"1.34\", \"1.33.2\"");
  check_mistake(parsed(), place("rules.toml", rules, "since = [\"1.32.6\""), "oldest first");
}

BOOST_FIXTURE_TEST_CASE(a_range_that_ends_before_it_begins_is_pointed_at, Files) {
  behaviours = replaced(behaviours, "until = \"1.30\"", "until = \"1.20\"");
  check_mistake(parsed(), place("behaviours.toml", behaviours, "until = "), "later release");
}

BOOST_FIXTURE_TEST_CASE(a_behaviour_without_a_source_is_pointed_at, Files) {
  behaviours = replaced(behaviours, "source = \"KEP-279\"\n", "");
  check_mistake(parsed(), place("behaviours.toml", behaviours, "[[behaviour]]"), "source");
}

BOOST_FIXTURE_TEST_CASE(an_unknown_key_of_a_rule_is_pointed_at, Files) {
  rules = replaced(rules, "id = \"first\"\n", "id = \"first\"\ncolour = \"red\"\n");
  check_mistake(parsed(), place("rules.toml", rules, "colour ="), "colour");
}

BOOST_FIXTURE_TEST_CASE(an_unknown_key_of_an_edge_is_pointed_at, Files) {
  rules = replaced(rules, "{ from = \"secret\" }", "{ from = \"secret\", to = \"node\" }");
  check_mistake(parsed(), place("rules.toml", rules, "to = \"node\""), "to");
}

BOOST_FIXTURE_TEST_CASE(a_version_that_is_none_is_pointed_at, Files) {
  rules = replaced(rules, "\"1.33.2\"", "\"soon\"");
  check_mistake(parsed(), place("rules.toml", rules, "\"soon\""), "version");
}

BOOST_FIXTURE_TEST_CASE(a_version_written_as_a_number_is_pointed_at, Files) {
  gates = replaced(gates, "since = \"1.31\"", "since = 1.31");
  check_mistake(parsed(), place("gates.toml", gates, "since = 1.31"), "expected");
}

BOOST_FIXTURE_TEST_CASE(a_layer_that_does_not_exist_is_pointed_at, Files) {
  rules = replaced(rules, "\"admission\"", "\"etcd\"");
  check_mistake(parsed(), place("rules.toml", rules, "\"etcd\""), "authorizer");
}

BOOST_FIXTURE_TEST_CASE(a_rule_without_a_statement_is_pointed_at, Files) {
  rules = replaced(rules, "statement = \"The first rule.\"\n", "");
  check_mistake(parsed(), place("rules.toml", rules, "[[group.rule]]"), "statement");
}

BOOST_FIXTURE_TEST_CASE(an_unknown_key_of_a_gate_is_pointed_at, Files) {
  gates = replaced(gates, "until = \"1.37\"", "untill = \"1.37\"");
  check_mistake(parsed(), place("gates.toml", gates, "untill"), "untill");
}

BOOST_FIXTURE_TEST_CASE(a_flag_that_is_no_flag_is_pointed_at, Files) {
  gates = replaced(gates, "default = false", "default = \"no\"");
  check_mistake(parsed(), place("gates.toml", gates, "\"no\""), "true or false");
}

BOOST_FIXTURE_TEST_CASE(a_deviation_of_a_rule_that_does_not_exist_is_pointed_at, Files) {
  deviations = replaced(deviations, "rule = \"first\"", "rule = \"second\"");
  check_mistake(parsed(), place("deviations.toml", deviations, "[[deviation]]"), "second");
}

BOOST_FIXTURE_TEST_CASE(an_unknown_key_of_a_deviation_is_pointed_at, Files) {
  deviations += "severity = \"high\"\n";
  check_mistake(parsed(), place("deviations.toml", deviations, "severity"), "severity");
}

BOOST_FIXTURE_TEST_CASE(text_that_is_no_toml_is_pointed_at, Files) {
  gates += "[[gate\n";
  const Result<Catalogue> catalogue = parsed();
  BOOST_REQUIRE(!catalogue.has_value());
  BOOST_TEST(catalogue.error().where.starts_with(place("gates.toml", gates, "[[gate\n")), catalogue.error().where);
}

BOOST_FIXTURE_TEST_CASE(files_without_any_table_are_refused_and_do_no_harm, Files) {
  for (const char* text : {"", "x = 1", "releases = 1", "group = 1", "group = [1]", "[source]", "[[group]]"}) {
    BOOST_TEST(!Catalogue::parse({text, gates, deviations}).has_value(), "accepted: " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(releases)

bool in_force(Rule rule, std::string_view version, const GateSettings& gates = {}) {
  return rules_of(version, gates).in_force(rule);
}

BOOST_AUTO_TEST_CASE(a_back_port_counts_in_its_own_minor_only) {
  // CVE-2025-4563: fixed in 1.32.6, 1.33.2 and from 1.34 on; 1.31 never got it.
  const Rule rule = Rule::pod_references_resource_claims;
  for (const char* without : {"1.31.0", "1.31.14", "1.32.0", "1.32.5", "1.33.0", "1.33.1"}) {
    BOOST_TEST(!in_force(rule, without), without);
  }
  for (const char* with : {"1.32.6", "1.32.13", "1.33.2", "1.33.9", "1.34.0", "1.36.3", "1.37.0"}) {
    BOOST_TEST(in_force(rule, with), with);
  }
}

BOOST_AUTO_TEST_CASE(the_owner_rule_of_nodes_was_back_ported_to_three_minors) {
  // CVE-2025-5187: fixed in 1.31.12, 1.32.8, 1.33.4 and from 1.34 on; 1.30 never got it.
  const Rule rule = Rule::node_owner_references;
  for (const char* without : {"1.30.14", "1.31.0", "1.31.11", "1.32.7", "1.33.0", "1.33.3"}) {
    BOOST_TEST(!in_force(rule, without), without);
  }
  for (const char* with : {"1.31.12", "1.31.14", "1.32.8", "1.33.4", "1.34.0", "1.36.0"}) {
    BOOST_TEST(in_force(rule, with), with);
  }
}

BOOST_AUTO_TEST_CASE(node_pods_could_never_name_service_accounts_secrets_or_configmaps) {
  for (const char* version : {"1.20.0", "1.31.0", "1.33.4", "1.34.0", "1.36.3"}) {
    BOOST_TEST(in_force(Rule::pod_references_service_account, version), version);
    BOOST_TEST(in_force(Rule::pod_references_secrets, version), version);
    BOOST_TEST(in_force(Rule::pod_references_configmaps, version), version);
    BOOST_TEST(in_force(Rule::pod_references_claims, version), version);
  }
}

BOOST_AUTO_TEST_CASE(volumes_that_need_the_api_are_refused_to_node_pods_from_1_34_on) {
  for (const Rule rule :
       {Rule::pod_references_csi, Rule::pod_references_glusterfs, Rule::pod_references_ephemeral_claims,
        Rule::pod_references_azure_file, Rule::pod_references_projected_token, Rule::pod_references_pod_certificates}) {
    BOOST_TEST_CONTEXT(catalogue()[rule].id) {
      BOOST_TEST(!in_force(rule, "1.33.13"));
      BOOST_TEST(in_force(rule, "1.34.0"));
    }
  }
  BOOST_TEST(!in_force(Rule::pod_references_trust_bundles, "1.28.15"));
  BOOST_TEST(in_force(Rule::pod_references_trust_bundles, "1.29.0"));
}

BOOST_AUTO_TEST_CASE(first_releases_are_those_of_upstream) {
  struct Row {
    Rule rule;
    const char* before;
    const char* first;
  };
  const std::vector<Row> rows = {
      {Rule::graph_mirror_pod_alone, "1.11.10", "1.12.0"},
      {Rule::edge_secret_cinder, "1.10.13", "1.11.0"},
      {Rule::edge_secret_csi, "1.13.12", "1.14.0"},
      {Rule::edge_volume_secret_csi_node_expand, "1.24.17", "1.25.0"},
      {Rule::edge_service_account, "1.9.11", "1.10.0"},
      {Rule::edge_resource_claim, "1.27.16", "1.28.0"},
      {Rule::edge_resource_claim_extended, "1.33.13", "1.34.0"},
      {Rule::graph_follows_ephemeral_containers, "1.32.13", "1.33.0"},
      {Rule::graph_follows_claim_statuses, "1.27.16", "1.28.0"},
      {Rule::pod_single_owner, "1.16.15", "1.17.0"},
      {Rule::pod_owner_required, "1.19.16", "1.20.0"},
      {Rule::pod_status_no_labels, "1.16.15", "1.17.0"},
      {Rule::pod_status_no_claim_statuses, "1.27.16", "1.28.0"},
      {Rule::pod_status_no_extended_claim, "1.33.13", "1.34.0"},
      {Rule::node_taints, "1.10.13", "1.11.0"},
      {Rule::node_restricted_labels_update, "1.12.10", "1.13.0"},
      {Rule::node_kubernetes_labels_create, "1.18.20", "1.19.0"},
      {Rule::node_allowed_labels, "1.12.10", "1.13.0"},
      {Rule::node_allowed_topology_labels, "1.16.15", "1.17.0"},
      {Rule::slice_admission_delete, "1.30.14", "1.31.0"},
      {Rule::csr_common_name, "1.30.14", "1.31.0"},
      {Rule::node_rule_events_group, "1.34.4", "1.35.0"},
      {Rule::role_monitoring, "1.19.16", "1.20.0"},
      {Rule::role_monitoring_nodes, "1.33.13", "1.34.0"},
      {Rule::node_authorizer, "1.6.13", "1.7.0"},
      {Rule::graph_forgets_deleted_attachments, "1.10.6", "1.10.7"},
      {Rule::graph_forgets_deleted_attachments, "1.11.2", "1.11.3"},
      {Rule::pcr_signer_mounted, "1.36.3", "1.37.0"},
      {Rule::mirror_pod_no_token_projection, "1.10.13", "1.11.0"},
  };
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(catalogue()[row.rule].id) {
      BOOST_TEST(!in_force(row.rule, row.before));
      BOOST_TEST(in_force(row.rule, row.first));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_gated_rule_follows_its_gate) {
  for (const Rule rule : {Rule::node_read_own, Rule::pod_selector, Rule::slice_selector}) {
    BOOST_TEST(!in_force(rule, "1.31.0"));
    BOOST_TEST(in_force(rule, "1.31.0", {{"AuthorizeNodeWithSelectors", true}, {"AuthorizeWithSelectors", true}}));
    BOOST_TEST(in_force(rule, "1.32.0"));
    BOOST_TEST(!in_force(rule, "1.33.0", {{"AuthorizeNodeWithSelectors", false}}));
    BOOST_TEST(in_force(rule, "1.36.3"));
    BOOST_TEST(in_force(rule, "1.37.0"));
  }
}

BOOST_AUTO_TEST_CASE(a_back_port_behind_a_gate_needs_both) {
  const GateSettings on = {{"DynamicResourceAllocation", true}};
  BOOST_TEST(!in_force(Rule::mirror_pod_no_resource_claims, "1.32.5", on));
  BOOST_TEST(in_force(Rule::mirror_pod_no_resource_claims, "1.32.6", on));
  BOOST_TEST(!in_force(Rule::mirror_pod_no_resource_claims, "1.32.6"));
  BOOST_TEST(!in_force(Rule::mirror_pod_no_resource_claims, "1.33.1", on));
  BOOST_TEST(in_force(Rule::mirror_pod_no_resource_claims, "1.33.2", on));
}

BOOST_AUTO_TEST_CASE(a_release_that_the_catalogue_does_not_know_is_refused) {
  for (const char* version : {"1.5.8", "1.38.0", "2.0"}) {
    const Result<Release> release = release_of(version);
    BOOST_REQUIRE(!release.has_value());
    BOOST_TEST(release.error().hint == "it knows the releases from 1.6.0 to before 1.38.0");
  }
}

BOOST_AUTO_TEST_CASE(a_gate_may_need_another) {
  const Result<Release> release = release_of("1.31.0", {{"AuthorizeNodeWithSelectors", true}});
  BOOST_REQUIRE(!release.has_value());
  BOOST_TEST(
      release.error().what ==
      "AuthorizeNodeWithSelectors needs AuthorizeWithSelectors in Kubernetes 1.31.0, where an API server does not "
      "start without");
  BOOST_TEST(release.error().hint == "set AuthorizeWithSelectors=true or AuthorizeNodeWithSelectors=false");
  BOOST_TEST(!release_of("1.33.0", {{"AuthorizeWithSelectors", false}}).has_value());
  for (int minor = 6; minor <= 37; ++minor) BOOST_TEST(release_of("1." + std::to_string(minor)).has_value(), minor);
}

BOOST_AUTO_TEST_CASE(a_gate_that_patches_brought_is_absent_from_releases_without_them) {
  const GateSettings on = {{"OrderedNamespaceDeletion", true}};
  BOOST_TEST(release_of("1.30.12", on).has_value());
  BOOST_TEST(!release_of("1.31.6", on).has_value());
  BOOST_TEST(release_of("1.31.7", on).has_value());
}

BOOST_AUTO_TEST_CASE(a_version_takes_the_settings_of_gates_that_it_has_unlocked) {
  const GateSettings set = {
      {"AuthorizeNodeWithSelectors", false}, {"PodCertificateRequest", true}, {"NoSuchGate", true}};
  const auto taken = [&](std::string_view version) {
    return Release::taken(catalogue(), *Version::parse(version), set);
  };
  BOOST_TEST((taken("1.30") == GateSettings{}));
  BOOST_TEST((taken("1.33") == GateSettings{{"AuthorizeNodeWithSelectors", false}}));
  BOOST_TEST((taken("1.34") == GateSettings{{"PodCertificateRequest", true}}));
}

BOOST_AUTO_TEST_CASE(what_has_graduated_stays_on) {
  BOOST_TEST(release_of("1.20")->gates.contains("TokenRequest"));
  BOOST_TEST(!release_of("1.21")->gates.contains("TokenRequest"));
  BOOST_TEST(release_of("1.21")->is_on("TokenRequest"));
  BOOST_TEST(!release_of("1.36")->is_on("DynamicKubeletConfig"));
  BOOST_TEST(!release_of("1.36")->is_on("NoSuchGate"));
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_its_release_says) {
  const auto text = [](Rule rule, std::string_view version) {
    return RuleSet(catalogue(), *release_of(version)).refusal(rule).pattern();
  };
  BOOST_TEST(text(Rule::secret_through_pod, "1.13.12") == "no path found to object");
  BOOST_TEST(text(Rule::secret_through_pod, "1.18.20") ==
             "no relationship found between node {node:q} and this object");
  BOOST_TEST(text(Rule::secret_through_pod, "1.19.0") == "no relationship found between node '{node}' and this object");
  BOOST_TEST(text(Rule::node_taints, "1.12.0") == "cannot modify taints");
  BOOST_TEST(text(Rule::node_own_name, "1.7.0") == "node {node} cannot modify node {name}");
  BOOST_TEST(text(Rule::pod_no_update, "1.8.0") == "unexpected operation \"UPDATE\"");
}

BOOST_AUTO_TEST_CASE(service_accounts_are_readable_through_either_of_two_gates) {
  const GateSettings neither = {{"KubeletServiceAccountTokenForCredentialProviders", false},
                                {"PodCertificateRequest", false}};
  const GateSettings certificates = {{"KubeletServiceAccountTokenForCredentialProviders", false},
                                     {"PodCertificateRequest", true}};
  BOOST_TEST(!in_force(Rule::service_account_through_pod, "1.33.0"));
  BOOST_TEST(in_force(Rule::service_account_through_pod, "1.34.0"));
  BOOST_TEST(!in_force(Rule::service_account_through_pod, "1.36.3", neither));
  BOOST_TEST(in_force(Rule::service_accounts_not_readable, "1.36.3", neither));
  BOOST_TEST(in_force(Rule::service_account_through_pod, "1.36.3", certificates));
  BOOST_TEST(!in_force(Rule::service_accounts_not_readable, "1.36.3", certificates));
}

BOOST_AUTO_TEST_CASE(refusal_texts_change_with_the_release) {
  const auto text = [](Rule rule, std::string_view version) { return rules_of(version).refusal(rule).pattern(); };
  BOOST_TEST(text(Rule::pod_references_service_account, "1.33.4") ==
             "node {node:q} can not create pods that reference a service account");
  BOOST_TEST(text(Rule::pod_references_service_account, "1.34.0") ==
             "node {node:q} can not create pods that reference serviceaccounts");
  BOOST_TEST(text(Rule::token_audience_used, "1.36.3") ==
             "audience {audience:q} not found in pod spec volume, {user} is not authorized to request tokens for this "
             "audience");
  BOOST_TEST(text(Rule::token_audience_used, "1.37.0") ==
             "{user} is not authorized to request tokens for audience {audience:q}");
}

BOOST_AUTO_TEST_CASE(a_flipped_rule_is_the_only_difference) {
  const RuleSet rules = rules_of("1.36.3");
  const RuleSet without = rules.with_flipped(Rule::node_taints);
  BOOST_TEST(rules.in_force(Rule::node_taints));
  BOOST_TEST(!without.in_force(Rule::node_taints));
  BOOST_TEST(without.size() == rules.size() - 1);
  BOOST_TEST(without.with_flipped(Rule::node_taints).size() == rules.size());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(gates)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_each_release) {
  struct Row {
    const char* gate;
    const char* version;
    bool on;
  };
  const std::vector<Row> rows = {
      {"AuthorizeNodeWithSelectors", "1.31.0", false},
      {"AuthorizeNodeWithSelectors", "1.32.0", true},
      {"DynamicResourceAllocation", "1.33.0", false},
      {"DynamicResourceAllocation", "1.34.0", true},
      {"RecoverVolumeExpansionFailure", "1.31.0", false},
      {"RecoverVolumeExpansionFailure", "1.32.0", true},
      {"KubeletServiceAccountTokenForCredentialProviders", "1.33.0", false},
      {"KubeletServiceAccountTokenForCredentialProviders", "1.34.0", true},
      {"PodCertificateRequest", "1.34.0", false},
      {"PodCertificateRequest", "1.36.3", false},
      {"ClusterTrustBundle", "1.33.0", false},
      {"ClusterTrustBundle", "1.36.3", false},
      {"KubeletFineGrainedAuthz", "1.32.0", false},
      {"KubeletFineGrainedAuthz", "1.33.0", true},
      {"MultiCIDRServiceAllocator", "1.32.0", false},
      {"MultiCIDRServiceAllocator", "1.33.0", true},
      {"AllowInsecureKubeletCertificateSigningRequests", "1.36.3", false},
  };
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.gate << " in " << row.version) {
      BOOST_TEST(gate_on(row.version, row.gate) == row.on);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_audience_gate_was_switched_off_within_a_minor) {
  const std::string gate = "ServiceAccountNodeAudienceRestriction";
  BOOST_TEST(gate_on("1.32.0", gate));
  BOOST_TEST(gate_on("1.32.1", gate));
  BOOST_TEST(!gate_on("1.32.2", gate));
  BOOST_TEST(!gate_on("1.32.13", gate));
  BOOST_TEST(gate_on("1.33.0", gate));
  BOOST_TEST(gate_on("1.36.3", gate));
  BOOST_TEST(rules_of("1.32.1").in_force(Rule::token_one_audience));
  BOOST_TEST(!rules_of("1.32.2").in_force(Rule::token_one_audience));
  BOOST_TEST(rules_of("1.32.2", {{gate, true}}).in_force(Rule::token_one_audience));
}

BOOST_AUTO_TEST_CASE(a_release_has_only_the_gates_of_its_time) {
  BOOST_TEST(!release_of("1.33.0")->gates.contains("PodCertificateRequest"));
  BOOST_TEST(release_of("1.34.0")->gates.contains("PodCertificateRequest"));
  BOOST_TEST(release_of("1.36.3")->gates.contains("AuthorizeNodeWithSelectors"));
  BOOST_TEST(!release_of("1.37.0")->gates.contains("AuthorizeNodeWithSelectors"));
}

BOOST_AUTO_TEST_CASE(a_gate_that_no_rule_names_is_refused) {
  const Result<Release> release = release_of("1.36.3", {{"FlyingNodes", true}});
  BOOST_REQUIRE(!release.has_value());
  BOOST_TEST(release.error().what.find("FlyingNodes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_gate_before_its_first_release_is_refused_with_that_release) {
  const Result<Release> release = release_of("1.33.0", {{"PodCertificateRequest", true}});
  BOOST_REQUIRE(!release.has_value());
  BOOST_TEST(release.error().what == "Kubernetes 1.33.0 has no feature gate PodCertificateRequest");
  BOOST_TEST(release.error().hint == "PodCertificateRequest=true is possible from 1.34.0");
}

BOOST_AUTO_TEST_CASE(a_gate_that_is_gone_is_refused_with_the_releases_that_had_it) {
  const Result<Release> release = release_of("1.37.0", {{"AuthorizeNodeWithSelectors", true}});
  BOOST_REQUIRE(!release.has_value());
  BOOST_TEST(release.error().hint == "AuthorizeNodeWithSelectors=true is possible from 1.31.0 up to before 1.37.0");
}

BOOST_AUTO_TEST_CASE(a_locked_gate_cannot_be_set_the_other_way) {
  const Result<Release> release = release_of("1.34.0", {{"AuthorizeNodeWithSelectors", false}});
  BOOST_REQUIRE(!release.has_value());
  BOOST_TEST(release.error().what == "AuthorizeNodeWithSelectors is locked to true in Kubernetes 1.34.0");
  BOOST_TEST(release.error().hint == "AuthorizeNodeWithSelectors=false is possible from 1.31.0 up to before 1.34.0");
}

BOOST_AUTO_TEST_CASE(a_locked_gate_may_be_set_the_way_it_is) {
  BOOST_TEST(release_of("1.34.0", {{"AuthorizeNodeWithSelectors", true}}).has_value());
}

BOOST_AUTO_TEST_CASE(only_gates_that_differ_from_the_default_are_listed) {
  const Result<Release> release =
      release_of("1.36.3", {{"PodCertificateRequest", true}, {"ClusterTrustBundle", false}});
  BOOST_TEST(release->changed_gates() == std::vector<std::string>{"PodCertificateRequest=true"},
             boost::test_tools::per_element());
  BOOST_TEST(release_of("1.36.3")->changed_gates().empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(turning_points)

BOOST_AUTO_TEST_CASE(every_version_at_which_something_changes_is_one) {
  const std::vector<Version> points = catalogue().turning_points();
  const auto has = [&](const Version& version) { return std::binary_search(points.begin(), points.end(), version); };
  BOOST_TEST(std::is_sorted(points.begin(), points.end()));
  BOOST_TEST((std::adjacent_find(points.begin(), points.end()) == points.end()));
  BOOST_TEST((points.front() == Version{1, 6, 0}));
  for (int minor = 6; minor <= points.back().minor; ++minor) BOOST_TEST(has({1, minor, 0}), minor);
  BOOST_TEST(points.back().minor >= 37);
  for (const RuleEntry& rule : catalogue().rules()) {
    for (const ReleaseRange& range : rule.in_force) {
      for (const Version& since : range.since) BOOST_TEST((has(since) || since < points.front()), rule.id);
      if (range.until) BOOST_TEST(has(*range.until), rule.id);
    }
  }
  // A stage of the gate ServiceAccountNodeAudienceRestriction.
  BOOST_TEST(has({1, 32, 2}));
}

BOOST_AUTO_TEST_CASE(between_two_of_them_the_rules_are_the_same) {
  const std::vector<Version> points = catalogue().turning_points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Version after{points[i].major, points[i].minor, points[i].patch + 1};
    if (i + 1 < points.size() && after >= points[i + 1]) continue;
    const RuleSet here = rules_of(points[i].text());
    const RuleSet there = rules_of(after.text());
    for (std::size_t rule = 0; rule < rule_count; ++rule) {
      const Rule each = static_cast<Rule>(rule);
      BOOST_TEST(here.in_force(each) == there.in_force(each), catalogue()[each].id << " at " << after.text());
      BOOST_TEST(here.refusal(each).pattern() == there.refusal(each).pattern());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_patch_number_has_a_bound) {
  const Catalogue& catalogue = Catalogue::built_in();
  BOOST_TEST(catalogue.last_patch({1, 18, 3}) == 20);
  BOOST_TEST(catalogue.last_patch({1, 31, 0}) == 14);
  // For a minor that still gets patches: as many as any minor has had.
  BOOST_TEST(catalogue.last_patch({1, 36, 0}) == 20);
  // No rule names a patch release that does not exist.
  for (const Version& version : catalogue.turning_points()) BOOST_TEST(version.patch <= catalogue.last_patch(version));
}

BOOST_AUTO_TEST_CASE(every_source_can_be_read_somewhere) {
  const Version version{1, 36, 3};
  BOOST_TEST(link_of("KEP-279", version) == "https://www.kubernetes.dev/resources/keps/279/");
  BOOST_TEST(link_of("CVE-2025-5187", version) == "https://nvd.nist.gov/vuln/detail/CVE-2025-5187");
  BOOST_TEST(link_of("kubernetes/kubernetes#95326", version) ==
             "https://github.com/kubernetes/kubernetes/issues/95326");
  BOOST_TEST(link_of("pkg/auth/x.go", version) ==
             "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/auth/x.go");
  for (const RuleEntry& rule : Catalogue::built_in().rules()) {
    const Version at = read_at(rule, version);
    const bool has = std::any_of(rule.in_force.begin(), rule.in_force.end(), [&](const ReleaseRange& range) {
      return at >= range.since.front() && (!range.until || at < *range.until);
    });
    BOOST_TEST(has, rule.id << " at " << at.text());
    for (const std::string& source : rule.source) {
      BOOST_TEST(source.find_first_of(", ") == std::string::npos, rule.id << " has two sources in one: " << source);
    }
    for (const std::string& source : rule.source) {
      const bool named = source.starts_with("KEP-") || source.starts_with("CVE-") ||
                         source.find('#') != std::string::npos || source.ends_with(".go");
      BOOST_TEST(named, rule.id << " has the source " << source);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
