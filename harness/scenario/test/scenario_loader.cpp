#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/scenario/loader.h"
#include "harness/scenario/request_text.h"
#include "harness/scenario/substitute.h"
#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(scenario_loader)

using namespace nodebound;

namespace {

constexpr std::string_view fixtures_text = R"(
[secret]
resource = "secrets"

[pod]
resource = "pods"
body = { spec = { containers = [{ name = "main" }] } }
option.on = { spec = { nodeName = "{{value}}" } }

[pod.with.secret]
default = { spec = { volumes = [{ name = "{value}", secret = { secretName = "{value}" } }] } }
env = { spec = { containers = [{ name = "main", env = [{ name = "E", value = "{namespace}" }] }] } }
)";

Fixtures fixtures() {
  return *Fixtures::parse(fixtures_text, "fixtures.toml");
}

Profiles profiles() {
  return *parse_profiles("[p]\nabout = \"a\"\n[node-authorizer]\nabout = \"b\"\nsince = \"1.7\"\n", "profiles.toml");
}

Result<std::vector<Scenario>> parse(std::string_view text) {
  return parse_scenarios(text, "x.toml", "x", fixtures(), profiles(), Catalogue::built_in());
}

std::vector<Scenario> must_parse(std::string_view text) {
  Result<std::vector<Scenario>> scenarios = parse(text);
  if (!scenarios) BOOST_FAIL(scenarios.error().text());
  return *scenarios;
}

std::string mistake_in(std::string_view text) {
  const Result<std::vector<Scenario>> scenarios = parse(text);
  return scenarios ? "no mistake" : scenarios.error().text();
}

// A scenario that is valid except for `line`, its fifth line.
std::string with_line(const std::string& line) {
  return "title = \"t\"\nprofile = \"p\"\nnodes = [\"a\"]\n\n" + line +
         "\n[[steps]]\nas = \"node a\"\nrequest = \"get secrets/db\"\nallow = \"secret-through-pod\"\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_scenario_is_read_in_the_order_of_its_steps) {
  const std::vector<Scenario> scenarios = must_parse(R"(
title = "t"
profile = "node-authorizer"
nodes = ["a"]
given = "secret db"
steps = [
  { do = ["pod web on a with secret db", "bind pods/web to a"] },
  { as = "node a", request = "list secrets -n vault --field-selector metadata.name=db", allow = ["secret-through-pod", "edge-secret-volume"] },
  { do = "delete pods/web", as = "node a", request = "get secrets/db", deny = "graph-forgets-deleted", name = "Afterwards, once more" },
]
)");
  BOOST_REQUIRE_EQUAL(scenarios.size(), 1U);
  const Scenario& scenario = scenarios.front();
  BOOST_REQUIRE_EQUAL(scenario.steps.size(), 3U);
  BOOST_TEST(scenario.steps[0].actions.size() == 2U);
  BOOST_TEST(!scenario.steps[0].check.has_value());
  const Check& list = *scenario.steps[1].check;
  BOOST_TEST(list.request.verb == "list");
  BOOST_TEST(list.request.namespace_ == "vault");
  BOOST_TEST(list.request.field_selector == "metadata.name=db");
  BOOST_TEST(list.rules.size() == 2U);
  BOOST_TEST(scenario.steps[2].check->name == "Afterwards-once-more");
  BOOST_TEST(scenario.steps[2].line == 9);
}

BOOST_AUTO_TEST_CASE(a_fixture_says_what_its_words_add) {
  const Result<Action> action = fixtures().action("pod web on a with secret db with secret db via env -n other");
  BOOST_REQUIRE(action.has_value());
  BOOST_TEST(action->target.namespace_ == "other");
  BOOST_TEST(action->body["spec"]["nodeName"] == "{a}");
  BOOST_TEST(action->body["spec"]["volumes"][0]["secret"]["secretName"] == "db");
  BOOST_TEST(action->body["spec"]["containers"].size() == 1U);
  BOOST_TEST(action->body["spec"]["containers"][0]["env"][0]["value"] == "other");
}

BOOST_AUTO_TEST_CASE(each_case_is_a_scenario_with_its_values_filled_in) {
  const std::vector<Scenario> scenarios = must_parse(R"(
title = "t"
profile = "p"
cases = [{ id = "one", rule = "node-taints", body = { spec = { x = 1 } } }, { id = "two", rule = "node-own-name", body = { y = [2] }, gates = ["G"] }]
steps = [{ name = "{rule}", as = "admin", request = "create nodes/n", body = "{body}", deny = "{rule}" }]
)");
  BOOST_REQUIRE_EQUAL(scenarios.size(), 2U);
  BOOST_TEST(scenarios[0].id == "x[one]");
  BOOST_TEST(scenarios[0].steps[0].check->body["spec"]["x"] == 1);
  BOOST_TEST((scenarios[1].steps[0].check->rules.front() == Rule::node_own_name));
  BOOST_TEST(scenarios[1].steps[0].check->body["y"][0] == 2);
  BOOST_TEST(scenarios[1].gates.size() == 1U);
  BOOST_TEST(scenarios[0].gates.empty());
}

BOOST_AUTO_TEST_CASE(a_change_is_tried_in_every_way_but_an_apply_takes_nothing_away) {
  const std::vector<Scenario> scenarios = must_parse(R"(
title = "t"
profile = "p"
steps = [
  { as = "admin", request = "change nodes/n", body = { spec = { unschedulable = true } }, allow = "node-taints" },
  { as = "admin", request = "change nodes/n", remove = ["/spec/taints"], allow = "node-taints" },
  { as = "admin", request = "change nodes/n", remove = ["/spec/taints"], ways = ["json"], allow = "node-taints" },
]
)");
  BOOST_TEST(scenarios[0].steps[0].check->ways.size() == 5U);
  BOOST_TEST(scenarios[0].steps[1].check->ways.size() == 4U);
  BOOST_TEST((scenarios[0].steps[2].check->ways == std::vector<Way>{Way::json}));
}

BOOST_AUTO_TEST_CASE(two_checks_of_one_scenario_never_share_a_name) {
  const std::vector<Scenario> scenarios = must_parse(R"(
title = "t"
profile = "p"
steps = [
  { as = "node a", request = "get secrets/db", allow = "secret-through-pod" },
  { as = "node a", request = "get secrets/db", deny = "secret-through-pod" },
]
)");
  BOOST_TEST(scenarios[0].steps[0].check->name == "node-a-get-secrets-db");
  BOOST_TEST(scenarios[0].steps[1].check->name == "node-a-get-secrets-db-2");
}

namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(dots_in_strings_and_numbers_nest_nothing) {
  const std::string dots = repeated("a.", 300);
  const std::string said =
      mistake_in(with_line("title = \"" + dots + "\" # " + dots + "\ngates = [" + repeated("1.5, ", 300) + "1]"));
  BOOST_TEST(said.find("deep") == std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(mistakes_name_their_place_and_what_was_expected) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"noeds = [\"b\"]", "x.toml:5:9: unknown key \"noeds\"; did you mean \"nodes\"?"},
      {"given = [\"pod web\", \"secert db\"]",
       "x.toml:5:21: unknown fixture \"secert\"; expected delete, bind or one of pod, secret; did you mean "
       "\"secret\"?"},
      {"given = \"pod web in a\"", "x.toml:5:9: unknown word \"in\" for a pod; expected with, -n or one of on"},
      {"given = \"pod web with secret db via magic\"",
       "x.toml:5:9: no way \"magic\" for a pod with a secret; expected via one of default, env"},
      {"given = \"pod web with secret\"", "x.toml:5:9: expected a name behind \"with secret\""},
      {"given = [{ create = \"secrets/x\" }]", "x.toml:5:10: expected a body"},
      {"given = [{ body = {} }]", "x.toml:5:10: expected one of make, create, change, delete and token"},
      {"given = 5", "x.toml:5:9: expected a sentence or a table"},
      {"subjects = { x = 1 }", "x.toml:5:18: expected { user = \"…\", groups = […] }"},
      {"gates = [1]", "x.toml:5:10: expected a string"},
      {"cases = [{ name = \"x\" }]", "x.toml:5:10: expected a key \"id\""},
      {"cases = [{ id = \"x\" }, { id = \"x\" }]", "x.toml:5:24: two cases have the id \"x\""},
      {"\xc6\x8b = 1", "x.toml:5:1: expected only ASCII outside strings and comments"},
      {"\xff", "x.toml:1:1: expected UTF-8 text"},
      {"a" + repeated(".a", 40'000) + " = 1", "x.toml:5:200: expected values at most 100 deep"},
      {"[a" + repeated(".a", 40'000) + "]", "x.toml:5:199: expected values at most 100 deep"},
      {"a = " + repeated("[", 40'000), "x.toml:5:104: expected values at most 100 deep"},
      {"a = " + repeated("{ a.a = ", 200), "x.toml:5:"},
      {"given = [\"secret a\"", "x.toml:6:"},
  };
  for (const auto& [line, expected] : mistakes) {
    const std::string said = mistake_in(with_line(line));
    BOOST_TEST(said.substr(0, expected.size()) == expected, "for " << line << " it said: " << said);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_in_steps_name_their_place_and_what_was_expected) {
  const std::pair<std::string, std::string> mistakes[] = {
      {R"(as = "node a", request = "get secrets/db", allow = "secret-thru-pod")",
       "no rule has the id \"secret-thru-pod\"; did you mean \"secret-through-pod\"?"},
      {R"(as = "node a", request = "get secretz/db", allow = "secret-through-pod")",
       "unknown resource \"secretz\"; did you mean \"secrets\"?"},
      {R"(as = "node a", request = "get", allow = "secret-through-pod")",
       "expected VERB RESOURCE[/NAME[/SUBRESOURCE]], as in \"get secrets/db -n shop\""},
      {R"(as = "node a", request = "get secrets//x", allow = "secret-through-pod")",
       "expected RESOURCE, RESOURCE/NAME or RESOURCE/NAME/SUBRESOURCE, not \"secrets//x\""},
      {R"(as = "node a", request = "get secrets/x --all", allow = "secret-through-pod")",
       "unknown word \"--all\" in a request; expected -n, -A, -l, --field-selector or --subresource"},
      {R"(as = "nodes a", request = "get secrets/db", allow = "secret-through-pod")",
       "expected \"node NAME\", \"widened NAME\", \"admin\", \"anonymous\" or a name from [subjects], not \"nodes a\""},
      {R"(as = "node a", request = "get secrets/db")",
       "expected either allow or deny, with the id of the rule that decides"},
      {R"(as = "node a", request = "get secrets/db", allow = [])", "expected the id of the rule that decides"},
      {R"(request = "get secrets/db", allow = "node-taints")", "expected a key \"as\""},
      {R"(as = "node a", request = "change nodes/a", deny = "node-taints")", "expected a body or something to remove"},
      {R"(as = "node a", request = "get nodes/a", ways = ["put"], deny = "node-taints")",
       "only a request that changes an object has ways"},
      {R"(as = "node a", request = "change nodes/a", body = {}, ways = ["pat"], deny = "node-taints")",
       "expected put, merge, strategic, json or apply"},
      {R"(as = "node a", request = "get nodes/a", deny = "node-taints", deviation = "none")",
       "no deviation is called \"none\""},
      {R"(as = "node a", request = "create selfsubjectaccessreviews", complete = true, deny = "node-taints")",
       "only a `create selfsubjectrulesreviews` can be complete"},
      {R"(as = "node a", request = "get nodes/a", lists = "get pods", deny = "node-taints")",
       "only a `create selfsubjectrulesreviews` without complete has lists"},
      {R"(as = "node a", request = "create selfsubjectrulesreviews", lists = "list pods --field-selector a=b", deny = "node-taints")",
       "no rule is about selectors: leave them out"},
      {R"(name = "nothing to do")", "expected a step with \"do\", \"request\" or \"make\""},
      {R"(as = "node a", request = "get nodes/a", deny = "node-taints", body = { at = 1979-05-27 })",
       "expected text, a number, true, false, a list or a table"},
  };
  for (const auto& [step, expected] : mistakes) {
    const std::string said = mistake_in("title = \"t\"\nprofile = \"p\"\nsteps = [{ " + step + " }]\n");
    BOOST_TEST(said.starts_with("x.toml:3:"), said);
    BOOST_TEST(said.substr(said.find(' ') + 1) == expected);
  }
}

BOOST_AUTO_TEST_CASE(a_scenario_that_checks_nothing_is_a_mistake) {
  BOOST_TEST(mistake_in("title = \"t\"\nprofile = \"p\"\n") ==
             "x.toml:1:9: expected at least one step with a request to check");
  BOOST_TEST(mistake_in("") == "x.toml:1:1: expected a key \"title\"");
}

BOOST_AUTO_TEST_CASE(a_profile_must_be_known) {
  const std::string text =
      "title = \"t\"\nprofile = \"node-authoriser\"\nsteps = [{ as = \"admin\", request = \"get secrets/db\", allow = "
      "\"masters-group\" }]\n";
  BOOST_TEST(mistake_in(text) ==
             "x.toml:2:11: profiles.toml has no profile \"node-authoriser\"; did you mean \"node-authorizer\"?");
}

BOOST_AUTO_TEST_CASE(a_folder_without_fixtures_is_a_mistake) {
  const LoadedScenarios loaded = load_scenarios("/nonexistent", Catalogue::built_in());
  BOOST_REQUIRE_EQUAL(loaded.mistakes.size(), 2U);
  BOOST_TEST(loaded.mistakes.front().where == "/nonexistent/fixtures.toml");
  BOOST_TEST(loaded.mistakes.back().where == "/nonexistent/profiles.toml");
}

namespace {

struct ScenarioFolder : command_line::Folder {
  ScenarioFolder() {
    write("fixtures.toml", std::string(fixtures_text));
    write("profiles.toml", "[p]\nabout = \"a\"\n");
  }

  void add(const std::filesystem::path& file) const {
    std::filesystem::create_directories((path / file).parent_path());
    write(file.string(),
          "title = \"t\"\nprofile = \"p\"\nnodes = [\"a\"]\n"
          "steps = [{ as = \"node a\", request = \"get nodes/a\", allow = \"node-read-own\" }]\n");
  }

  LoadedScenarios load() const { return load_scenarios(path, Catalogue::built_in()); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_id_does_not_hold_the_shelf) {
  const ScenarioFolder folder;
  for (const char* file : {"top.toml", "b/plain.toml", "a/shelf/z.toml", "a/other-shelf/below/y.toml"})
    folder.add(file);
  folder.write("a/shelf/later.plan.toml", "no scenario");
  folder.write("a/shelf/asked.kubelet.toml", "no scenario");
  const LoadedScenarios loaded = folder.load();
  for (const Error& mistake : loaded.mistakes) BOOST_ERROR(mistake.text());
  std::vector<std::string> ids;
  for (const Scenario& scenario : loaded.scenarios) ids.push_back(scenario.id);
  const std::vector<std::string> expected = {"a/y", "a/z", "b/plain", "top"};
  BOOST_TEST(ids == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_files_with_one_id_are_a_mistake) {
  const ScenarioFolder folder;
  for (const char* file : {"a/one-shelf/x.toml", "a/other-shelf/x.toml", "b/x.toml"}) folder.add(file);
  const LoadedScenarios loaded = folder.load();
  BOOST_REQUIRE_EQUAL(loaded.mistakes.size(), 1U);
  BOOST_TEST(loaded.mistakes[0].text().find("has the same id \"a/x\"") != std::string::npos, loaded.mistakes[0].text());
  BOOST_TEST(loaded.scenarios.empty());
}

BOOST_AUTO_TEST_CASE(only_files_that_are_plainly_of_another_profile_are_left_unread) {
  const ScenarioFolder folder;
  folder.add("of-p.toml");
  folder.write("other.toml", "profile = \"q\"\nthis is no TOML");
  folder.write("unclear.toml", "profile = 'q'\nthis is no TOML");
  folder.write("twice.toml", "about = \"\"\"\nprofile = \"q\"\n\"\"\"\nprofile = \"p\"\nthis is no TOML");
  folder.write("parts.toml", "profile = \"{q}\"\nthis is no TOML");
  const LoadedScenarios loaded = load_scenarios(folder.path, Catalogue::built_in(), "p");
  BOOST_REQUIRE_EQUAL(loaded.scenarios.size(), 1U);
  BOOST_TEST(loaded.scenarios[0].id == "of-p");
  std::string read;
  for (const Error& mistake : loaded.mistakes) {
    const std::string file = mistake.where.substr(mistake.where.rfind('/') + 1);
    read += file.substr(0, file.find('.')) + " ";
  }
  BOOST_TEST(read == "parts twice unclear ");
  BOOST_TEST(folder.load().mistakes.size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_profile_alone_has_the_scenarios_that_it_has_among_all) {
  const auto folder = project::file("scenarios");
  for (const char* profile : {"node-restriction", "rbac"}) {
    std::vector<Scenario> all = load_scenarios(folder, Catalogue::built_in()).scenarios;
    std::vector<Scenario> alone = load_scenarios(folder, Catalogue::built_in(), profile).scenarios;
    for (auto* some : {&all, &alone}) std::erase_if(*some, [&](const Scenario& one) { return one.profile != profile; });
    BOOST_REQUIRE_EQUAL(all.size(), alone.size());
    for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST(all[i].id == alone[i].id);
  }
}

BOOST_AUTO_TEST_CASE(the_scenarios_of_the_project_are_well_formed) {
  const LoadedScenarios loaded = load_scenarios(project::file("scenarios"), Catalogue::built_in());
  for (const Error& mistake : loaded.mistakes) BOOST_ERROR(mistake.text());
  BOOST_TEST(loaded.scenarios.size() > 30U);
}

namespace {

LoadedScenarios read(std::string_view text) {
  return read_scenarios(text, "x.toml", "x", fixtures(), profiles(), Catalogue::built_in());
}

// A scenario with these steps.
std::string with_steps(const std::string& steps) {
  return "title = \"t\"\nprofile = \"p\"\nnodes = [\"a\"]\nsteps = [\n" + steps + "\n]\n";
}

std::string step(const std::string& keys) {
  return "  { as = \"node a\", allow = \"secret-through-pod\", " + keys + " },\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_misspelled_decides_nothing) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {step("request = \"read secrets/db\""), "x.toml:5:"},
      {step("request = \"read secrets/db\""), "unknown verb \"read\""},
      {step("request = \"lists secrets\""), "did you mean \"list\""},
      {step("requst = \"get secrets/db\""), "unknown key \"requst\"; did you mean \"request\"?"},
      {step("since = \"1.99\", request = \"get secrets/db\""), "no release 1.99.0 is known"},
      {step("until = \"1.5\", request = \"get secrets/db\""), "no release 1.5.0 is known"},
      {step("since = \"1.31\", until = \"1.30\", request = \"get secrets/db\""), "expected a later release"},
      {step("request = \"create pods/web\", body = { \"since 1.99\" = { spec = {} } }"), "no release 1.99.0 is known"},
      {step("request = \"get secrets/db\", name = \"in twice\"") +
           step("request = \"get secrets/x\", name = \"in, twice\""),
       "x.toml:6:"},
      {step("request = \"get secrets/db\", name = \"in twice\"") +
           step("request = \"get secrets/x\", name = \"in, twice\""),
       "two steps have the name \"in, twice\""},
      {step("request = \"create pods/web\", body = { spec = { nodeName = \"{aa}\" } }"), "nothing here is called {aa}"},
      {step("request = \"list pods --field-selector spec.nodeName={noed}\""), "nothing here is called {noed}"},
      {step("request = \"create pods/web\", body = { metadata = { uid = \"{udi pods/web}\" } }"),
       "unknown placeholder {udi …}; did you mean \"uid\"?"},
      {step("request = \"create pods/web\", body = { x = \"{crs system:node:{a}}\" }"),
       "unknown placeholder {crs …}; did you mean"},
      {step("request = \"create certificatesigningrequests/nodeclient\""),
       "there is no such request: authorizers are only asked about it, with \"review = true\""},
      {step("request = \"aprove signers/kubernetes.io/kubelet-serving\""), "did you mean \"approve\""},
  };
  for (const auto& [steps, expected] : rows) {
    const LoadedScenarios found = read(with_steps(steps));
    BOOST_REQUIRE_MESSAGE(found.mistakes.size() == 1U, steps << " has " << found.mistakes.size() << " mistakes");
    BOOST_TEST(found.mistakes[0].text().find(expected) != std::string::npos, found.mistakes[0].text());
    BOOST_TEST(found.scenarios.empty());
  }
}

BOOST_AUTO_TEST_CASE(what_is_meant_is_no_misspelling) {
  for (const std::string& steps :
       {step("request = \"read secrets/db\", review = true"), step("request = \"change nodes/a\", body = { x = 1 }"),
        step(R"(request = "change nodes/a", body = { x = '[{"of":"{a}"},{"of":"b"}]' })"),
        step(R"(request = "change nodes/a", body = { x = '[{"of": "{a}"}]' })"),
        step("since = \"1.31\", request = \"get secrets/db\", name = \"one\"") +
            step("until = \"1.31\", request = \"get secrets/db\", name = \"one\""),
        step("request = \"create certificatesigningrequests/nodeclient\", review = true"),
        step("request = \"create pods/web\", body = { spec = { nodeName = \"{a}\" } }"),
        step("request = \"create pods/web\", body = { x = \"{csr system:node:{a}}{uid nodes/a}{ns far}\" }")}) {
    const LoadedScenarios found = read(with_steps(steps));
    BOOST_TEST(found.mistakes.empty(), steps << (found.mistakes.empty() ? "" : found.mistakes[0].text()));
  }
  const LoadedScenarios stranger = read(
      "strangers = [\"ghost\"]\n" + with_steps(step("request = \"list pods --field-selector spec.nodeName={ghost}\"")));
  BOOST_TEST(stranger.mistakes.empty());
}

BOOST_AUTO_TEST_CASE(braces_of_json_stay_and_names_within_them_are_replaced) {
  const auto named = [](std::string_view name) { return std::optional("own-" + std::string(name)); };
  BOOST_TEST(substitute(R"([{"of":"{a}"},{"of":"b"},{a},{{b}}])", named) ==
             R"([{"of":"own-a"},{"of":"b"},own-a,own-own-b])");
}

BOOST_AUTO_TEST_CASE(all_mistakes_of_a_file_are_told_at_once_in_its_order) {
  const LoadedScenarios found =
      read("titel = \"t\"\nprofile = \"q\"\n\n" + std::string("steps = [\n") + step("requst = \"get secrets/db\"") +
           step("request = \"read secrets/db\"") + "  { do = [\"pdo web\", \"secret db\", \"delete podz/x\"] },\n]\n");
  std::vector<std::string> told;
  for (const Error& mistake : found.mistakes) told.push_back(mistake.text());
  BOOST_REQUIRE(told.size() == 7U);
  const std::vector<std::string> expected = {"expected a key \"title\"", "unknown key \"titel\"", "no profile \"q\"",
                                             "unknown key \"requst\"",   "unknown verb",          "unknown fixture",
                                             "unknown resource \"podz\""};
  for (const std::string& one : expected) {
    BOOST_TEST(std::count_if(told.begin(), told.end(),
                             [&](const std::string& text) { return text.find(one) != std::string::npos; }) == 1,
               one);
  }
}

BOOST_AUTO_TEST_CASE(a_mistake_in_every_case_is_told_once) {
  const LoadedScenarios found =
      read("cases = [{ id = \"one\", w = \"1\" }, { id = \"two\", w = \"2\" }]\n" +
           with_steps(step("request = \"read secrets/db\"") + step("request = \"get secrets/{w}\"")));
  BOOST_TEST(found.mistakes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_delete_of_what_nothing_makes_is_warned_of) {
  const LoadedScenarios found =
      read(with_steps("  { do = [\"pod web on a\", \"delete pods/web\", \"delete nodes/a\", \"delete pods/wbe\"] },\n" +
                      step("request = \"get secrets/db\"")));
  BOOST_REQUIRE(found.mistakes.empty());
  BOOST_REQUIRE(found.warnings.size() == 1U);
  BOOST_TEST(
      found.warnings[0].text().find("x.toml:5: deletes pods/wbe, which nothing before it makes") != std::string::npos,
      found.warnings[0].text());
}

BOOST_AUTO_TEST_CASE(a_request_is_read_as_it_is_written) {
  for (const char* line :
       {"get pods/web", "list pods -A", "get nodes/a/proxy/metrics", "create pods/web/binding -n vault",
        "approve signers/kubernetes.io/kubelet-serving", "approve signers/example.com/a/b"}) {
    const Result<RequestText> request = parse_request(line);
    BOOST_REQUIRE(request);
    const Result<RequestText> again = parse_request(to_text(*request));
    BOOST_TEST_CONTEXT(to_text(*request)) BOOST_TEST((again && *again == *request));
  }
}

BOOST_AUTO_TEST_CASE(a_subject_may_have_the_token_of_a_service_account) {
  const std::string begin = "title = \"t\"\nprofile = \"p\"\n[subjects]\n";
  const std::string step = "\n[[steps]]\nas = \"agent\"\nrequest = \"get pods/web\"\nallow = \"node-authorizer\"\n";
  const Scenario scenario =
      must_parse(begin + "agent = { service-account = \"sa -n other\", bound-to = \"pods/web -n other\" }\n" + step +
                 "[[steps]]\ndo = { token = \"agent\" }\n")[0];
  const TokenText* token = scenario.token_of(SubjectText::of("agent"));
  BOOST_REQUIRE(token != nullptr);
  BOOST_TEST(to_text(token->account) == "create serviceaccounts/sa/token -n other");
  BOOST_TEST(to_text(*token->bound_to) == "get pods/web -n other");
  BOOST_REQUIRE(scenario.steps[1].actions.size() == 1U);
  BOOST_TEST(scenario.steps[1].actions[0].token->subject == "agent");
  BOOST_TEST((scenario.token_of(SubjectText::of("node a")) == nullptr));
  const auto mistake = [&](const std::string& subject, const std::string& more = "") {
    return mistake_in(begin + "agent = { " + subject + " }\n" + step + more);
  };
  BOOST_TEST(mistake("service-account = \"sa\"") == "no mistake");
  BOOST_TEST(mistake("service-account = \"sa\", bound-to = \"configmaps/web\"") ==
             "x.toml:4:46: a token is bound to pods/NAME, nodes/NAME or secrets/NAME");
  BOOST_TEST(mistake("service-account = \"sa\", bound-to = \"pods/web -n other\"") ==
             "x.toml:4:46: a token is bound to an object in the namespace of its service account");
  BOOST_TEST(mistake("service-account = \"sa\", user = \"u\"").find("user") != std::string::npos);
  BOOST_TEST(mistake("user = \"u\"", "[[steps]]\ndo = { token = \"agent\" }\n")
                 .find("expected the name of a subject with a service-account") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
