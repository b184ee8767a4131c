#include "harness/scenario/file_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "harness/scenario/by_release.h"
#include "harness/scenario/fill_in.h"
#include "harness/scenario/names_in_use.h"
#include "harness/scenario/server_reader.h"

namespace nodebound {

std::string_view to_string(Way way) {
  static constexpr std::array<std::string_view, 5> names = {"put", "merge", "strategic", "json", "apply"};
  return names[static_cast<std::size_t>(way)];
}

namespace {

// More than the 200 at which upstream's graph takes another path; but a typing error must not flood a cluster.
constexpr std::int64_t most_times = 1000;

// Makes a permanent name from the check's question: letters and digits, other characters as single dashes.
std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    if (plain) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

class FileReader {
 public:
  FileReader(const toml::table& file, const toml::table* values, const Vocabulary& vocabulary)
      : file_(file),
        in_(file),
        values_(values),
        fixtures_(vocabulary.fixtures),
        profiles_(vocabulary.profiles),
        catalogue_(vocabulary.catalogue) {}

  ReadScenario read(const std::string& file, const std::string& id) {
    Scenario scenario;
    scenario.file = file;
    scenario.id = id;
    attempt([&] { scenario.title = in_.text("title", true); });
    attempt([&] { scenario.holds = read_range(in_); });
    attempt([&] {
      scenario.profile = in_.text("profile", true);
      scenario.holds = scenario.holds.narrowed_to(read_profile(scenario.profile));
    });
    for (const char* key : {"about", "cases", "$schema"}) in_.find(key);
    for (const auto& [key, list] : {std::pair("gates", &scenario.gates), std::pair("plugins", &scenario.plugins),
                                    std::pair("without_plugins", &scenario.without_plugins),
                                    std::pair("nodes", &scenario.nodes), std::pair("strangers", &strangers_)}) {
      attempt([&, key = key, list = list] { *list = in_.texts(key); });
    }
    attempt([&] {
      if (values_ != nullptr) read_overrides(scenario);
    });
    attempt([&] {
      if (const toml::table* server = in_.table("server")) scenario.server = read_server_settings(*server);
    });
    attempt([&] { way_rules_ = read_way_rules(in_, {}); });
    attempt([&] { read_subjects(scenario); });
    if (const toml::node* given = in_.find("given")) scenario.given = read_actions(*given);
    attempt([&] { in_.tables("steps", [&](const toml::table& table) { add_step(table, scenario); }); });
    take(in_.unknown_keys());
    take(unknown_placeholders(file_, strangers_));
    const bool checks = std::any_of(scenario.steps.begin(), scenario.steps.end(),
                                    [](const Step& step) { return step.check.has_value(); });
    if (!checks && mistakes_.empty()) {
      mistakes_.emplace_back(in_.required("title"), "expected at least one step with a request to check");
    }
    return {std::move(scenario), std::move(mistakes_)};
  }

 private:
  // After a mistake, reading goes on, so that all mistakes are reported.
  template <typename Read>
  void attempt(Read read) {
    try {
      read();
    } catch (const TomlMistake& mistake) {
      mistakes_.push_back(mistake);
    }
  }

  void take(std::vector<TomlMistake> more) { std::move(more.begin(), more.end(), std::back_inserter(mistakes_)); }

  ReleaseRange read_range(TomlReader& in) const { return ReleaseRange::read_within(in, catalogue_.releases()); }

  ReleaseRange read_profile(const std::string& name) {
    const auto found = profiles_.find(name);
    if (found != profiles_.end()) return found->second.range;
    std::vector<std::string> known;
    for (const auto& [profile, range] : profiles_) known.push_back(profile);
    throw TomlMistake(in_.required("profile"),
                      "profiles.toml has no profile \"" + name + "\"" + did_you_mean(name, known));
  }

  // A case may hold in fewer versions than its file, need more feature gates and exclude more plugins.
  void read_overrides(Scenario& scenario) const {
    TomlReader in(*values_);
    scenario.holds = scenario.holds.narrowed_to(read_range(in));
    for (const std::string& gate : in.texts("gates")) scenario.gates.push_back(gate);
    for (const std::string& plugin : in.texts("without_plugins")) scenario.without_plugins.push_back(plugin);
  }

  void read_subjects(Scenario& scenario) {
    const toml::table* table = in_.table("subjects");
    if (table == nullptr) return;
    for (const auto& [name, node] : *table) {
      if (!node.is_table()) throw TomlMistake(node, "expected { user = \"…\", groups = […] }");
      TomlReader subject(*node.as_table());
      NamedSubject& own = scenario.subjects[std::string(name.str())];
      if (subject.find("service-account") != nullptr) {
        own.token = read_token(subject, std::string(name.str()));
        tokens_.emplace(own.token->subject, *own.token);
      } else {
        own = {subject.text("user", true), subject.texts("groups"), subject.flag("widened")};
      }
      subject.done();
    }
  }

  // { service-account = "NAME", bound-to = "pods/NAME" }
  static TokenText read_token(TomlReader& in, const std::string& subject) {
    const toml::node& account = in.required("service-account");
    TokenText out{subject, request_of(account, "create serviceaccounts/"), std::nullopt};
    out.account.subresource = "token";
    const toml::node* bound = in.find("bound-to");
    if (bound == nullptr) return out;
    out.bound_to = request_of(*bound, "get ");
    static constexpr std::array<std::string_view, 3> kinds = {"pods", "nodes", "secrets"};
    const RequestText& object = *out.bound_to;
    const bool known = std::find(kinds.begin(), kinds.end(), object.resource) != kinds.end();
    if (!known || object.name.empty())
      throw TomlMistake(*bound, "a token is bound to pods/NAME, nodes/NAME or secrets/NAME");
    if (object.namespaced && object.namespace_ != out.account.namespace_) {
      throw TomlMistake(*bound, "a token is bound to an object in the namespace of its service account");
    }
    return out;
  }

  std::vector<Action> read_actions(const toml::node& node) {
    std::vector<Action> actions;
    const toml::array* array = node.as_array();
    if (array == nullptr) {
      attempt([&] { add_actions(node, actions); });
    } else {
      for (const toml::node& item : *array) attempt([&] { add_actions(item, actions); });
    }
    return actions;
  }

  // Repeats an action `times` times, with the number for {n}.
  void add_actions(const toml::node& node, std::vector<Action>& actions) const {
    const toml::table* table = node.as_table();
    const toml::node* times = table == nullptr ? nullptr : table->get("times");
    if (times == nullptr) {
      actions.push_back(read_action(node));
      return;
    }
    const std::int64_t count = TomlReader::number_of(*times, 1, most_times);
    for (std::int64_t n = 1; n <= count; ++n) {
      toml::table numbered = *table;
      numbered.erase("times");
      fill_in(numbered, toml::table{{"n", std::to_string(n)}});
      try {
        actions.push_back(read_action(numbered));
      } catch (const TomlMistake& mistake) {
        // The repeated copy has no place in the file, so mistakes get the place of the original.
        throw TomlMistake(node, mistake.what());
      }
      actions.back().line = static_cast<int>(node.source().begin.line);
    }
  }

  Action read_action(const toml::node& node) const {
    Action action;
    if (node.is_string()) {
      Result<Action> read = fixtures_.action(*node.value<std::string>());
      if (!read) throw TomlMistake(node, read.error().what);
      action = std::move(*read);
    } else if (const toml::table* table = node.as_table()) {
      action = read_written_action(*table);
    } else {
      throw TomlMistake(node, "expected a sentence or a table");
    }
    action.line = static_cast<int>(node.source().begin.line);
    return action;
  }

  // { make = "sentence", body = {…} }, { create = "RESOURCE/NAME", body = {…} }, { delete = "RESOURCE/NAME" },
  // { change = "RESOURCE/NAME", body = {…}, remove = […] } or { token = "SUBJECT" }
  Action read_written_action(const toml::table& table) const {
    TomlReader in(table);
    Action action;
    const toml::table* body = in.table("body");
    if (const toml::node* sentence = in.find("make")) {
      Result<Action> made = fixtures_.action(TomlReader::string_of(*sentence));
      if (!made) throw TomlMistake(*sentence, made.error().what);
      action = std::move(*made);
      if (body != nullptr) merge_fragment(action.body, read_body(*body));
      in.done();
      return action;
    }
    if (const toml::node* whose = in.find("token")) {
      const auto token = tokens_.find(TomlReader::string_of(*whose));
      if (token == tokens_.end()) throw TomlMistake(*whose, "expected the name of a subject with a service-account");
      action.target = token->second.account;
      action.token = token->second;
      in.done();
      return action;
    }
    const toml::node* create = in.find("create");
    const toml::node* change = in.find("change");
    const toml::node* deleted = in.find("delete");
    if ((create != nullptr) + (change != nullptr) + (deleted != nullptr) != 1) {
      throw TomlMistake(table, "expected one of make, create, change, delete and token");
    }
    if (deleted != nullptr) {
      action.kind = Action::Kind::remove;
      action.target = request_of(*deleted, "delete ");
      in.done();
      return action;
    }
    action.kind = create != nullptr ? Action::Kind::create : Action::Kind::change;
    action.target = request_of(create != nullptr ? *create : *change, create != nullptr ? "create " : "patch ");
    const std::vector<std::string> removed = change != nullptr ? in.texts("remove") : std::vector<std::string>();
    if (body == nullptr && removed.empty()) throw TomlMistake(table, "expected a body");
    action.body = body != nullptr ? read_body(*body) : Object::object();
    // A null in a merge patch removes the member.
    for (const std::string& pointer : removed) action.body[Object::json_pointer(pointer)] = nullptr;
    in.done();
    return action;
  }

  static RequestText request_of(const toml::node& node, const std::string& verb) {
    Result<RequestText> request = parse_request(verb + TomlReader::string_of(node));
    if (!request) throw TomlMistake(node, request.error().what);
    return *request;
  }

  void add_step(const toml::table& table, Scenario& scenario) {
    TomlReader in(table);
    const std::size_t before = mistakes_.size();
    Step step;
    step.line = static_cast<int>(table.source().begin.line);
    attempt([&] {
      step.name = in.text("name");
      step.holds = read_range(in);
      if (!step.name.empty()) check_given_name(in.required("name"), step);
    });
    if (const toml::node* actions = in.find("do")) step.actions = read_actions(*actions);
    const bool asks = in.find("request") != nullptr || in.find("make") != nullptr;
    if (asks) attempt([&] { step.check = read_check(in, table, step.name, scenario); });
    std::vector<TomlMistake> unknown = in.unknown_keys(step_keys());
    const bool nothing = !asks && step.actions.empty() && in.find("do") == nullptr && unknown.empty();
    take(std::move(unknown));
    // Keys that only steps with a check have.
    if (!asks && mistakes_.size() == before && !nothing) attempt([&] { in.done(); });
    if (nothing) mistakes_.emplace_back(table, "expected a step with \"do\", \"request\" or \"make\"");
    scenario.steps.push_back(std::move(step));
  }

  // Reports are compared by names, so in each release a name must identify one step.
  void check_given_name(const toml::node& place, const Step& step) {
    const auto [same, is_new] = given_names_.try_emplace(slug(step.name), step.holds);
    if (!is_new && !same->second.narrowed_to(step.holds).is_empty()) {
      throw TomlMistake(place, "two steps have the name \"" + step.name + "\", by which reports tell checks apart");
    }
  }

  static const std::vector<std::string>& step_keys() {
    static const std::vector<std::string> keys = {"name", "since",   "until",     "do",       "as",        "request",
                                                  "make", "body",    "remove",    "ways",     "way_rules", "allow",
                                                  "deny", "expect",  "review",    "complete", "lists",     "attributes",
                                                  "keep", "invalid", "deviation", "why"};
    return keys;
  }

  Check read_check(TomlReader& in, const toml::table& table, const std::string& name, const Scenario& scenario) {
    Check check;
    std::string asked;
    if (const toml::node* sentence = in.find("make")) {
      if (in.find("request") != nullptr) throw TomlMistake(*sentence, "expected either make or request");
      Result<Action> made = fixtures_.action(TomlReader::string_of(*sentence));
      if (!made) throw TomlMistake(*sentence, made.error().what);
      check.request = made->target;
      check.body = made->body;
      asked = "create " + TomlReader::string_of(*sentence);
    } else {
      check.request = request_of(in.required("request"), "");
      asked = TomlReader::string_of(in.required("request"));
    }
    const bool by_review = in.flag("review");
    const toml::node* made_by = in.find("make");
    check_request(made_by != nullptr ? *made_by : in.required("request"), check.request, by_review);
    check.subject = read_subject(in, scenario);
    check.review = in.flag("review");
    check.complete = in.flag("complete");
    const bool reviews_rules =
        !check.review && check.request.verb == "create" && check.request.resource == "selfsubjectrulesreviews";
    if (check.complete && !reviews_rules) {
      throw TomlMistake(in.required("complete"), "only a `create selfsubjectrulesreviews` can be complete");
    }
    if (const toml::node* listed = in.find("lists")) {
      if (!reviews_rules || check.complete) {
        throw TomlMistake(*listed, "only a `create selfsubjectrulesreviews` without complete has lists");
      }
      read_listed(*listed, check);
    }
    if (const toml::table* attributes = in.table("attributes")) {
      if (!check.review) throw TomlMistake(*attributes, "only a check by review has attributes of its own");
      check.attributes = read_body(*attributes);
    }
    check.keep = in.flag("keep");
    check.invalid = in.flag("invalid");
    in.text("why");
    if (const toml::table* body = in.table("body")) merge_fragment(check.body, read_body(*body));
    check.remove = in.texts("remove");
    check.deviation = in.text("deviation");
    if (!check.deviation.empty() && catalogue_.find_deviation(check.deviation) == nullptr) {
      throw TomlMistake(in.required("deviation"), "no deviation is called \"" + check.deviation + "\"");
    }
    read_ways(in, check);
    read_rules(in, table, check);
    check.name = unique(slug(name.empty() ? to_text(check.subject) + " " + asked : name));
    return check;
  }

  // A review is about one namespace: that of the request.
  void read_listed(const toml::node& node, Check& check) {
    check.lists = request_of(node, "");
    if (!check.lists->field_selector.empty() || !check.lists->label_selector.empty()) {
      throw TomlMistake(node, "no rule is about selectors: leave them out");
    }
    const std::string& namespace_ = check.lists->namespace_;
    check.body["spec"]["namespace"] = "{ns " + (namespace_.empty() ? std::string(default_namespace) : namespace_) + "}";
  }

  // A reviewed request may have any verb. For others an unknown verb is an error, so that a misspelt one is not taken
  // for a verb of reviews.
  static void check_request(const toml::node& node, const RequestText& request, bool by_review) {
    if (by_review) return;
    const Result<void> known = check_verb(request, {"change"});
    if (!known) throw TomlMistake(node, known.error().what + "; " + known.error().hint);
    if (request.only_reviewed()) {
      throw TomlMistake(node, "there is no such request: authorizers are only asked about it, with \"review = true\"");
    }
  }

  static SubjectText read_subject(TomlReader& in, const Scenario& scenario) {
    const std::string text = in.text("as", true);
    SubjectText subject = SubjectText::of(text);
    const bool known = subject.kind != SubjectText::Kind::named && !(subject.is_node() && text.ends_with(' '));
    if (known || scenario.subjects.contains(text)) return subject;
    throw TomlMistake(
        in.required("as"),
        "expected \"node NAME\", \"widened NAME\", \"admin\", \"anonymous\" or a name from [subjects], not \"" + text +
            "\"");
  }

  // `patch` stands for all ways except put.
  std::map<Way, Rule> read_way_rules(TomlReader& in, std::map<Way, Rule> rules) const {
    const toml::table* table = in.table("way_rules");
    if (table == nullptr) return rules;
    TomlReader of_ways(*table);
    for (const Way way : all_ways) {
      for (const std::string_view key : {std::string_view(way == Way::put ? "" : "patch"), to_string(way)}) {
        if (const toml::node* node = key.empty() ? nullptr : of_ways.find(key)) rules[way] = rule_named(*node);
      }
    }
    of_ways.done();
    return rules;
  }

  void read_ways(TomlReader& in, Check& check) const {
    const toml::node* node = in.find("ways");
    if (check.request.verb == "change") check.way_rules = read_way_rules(in, way_rules_);
    if (check.request.verb != "change") {
      if (node != nullptr) throw TomlMistake(*node, "only a request that changes an object has ways");
      return;
    }
    if (check.body.is_null() && check.remove.empty()) {
      throw TomlMistake(in.required("request"), "expected a body or something to remove");
    }
    for (const Way way : all_ways) {
      // An apply removes only what the same manager has applied before.
      if (way == Way::apply && !check.remove.empty()) continue;
      if (node == nullptr) check.ways.push_back(way);
    }
    for (const std::string& name : in.texts("ways")) {
      const auto way = std::find_if(all_ways.begin(), all_ways.end(), [&](Way w) { return to_string(w) == name; });
      if (way == all_ways.end()) throw TomlMistake(*node, "expected put, merge, strategic, json or apply");
      check.ways.push_back(*way);
    }
  }

  // `allow` or `deny` of the step itself, or `expect` with one for each range of releases.
  void read_rules(TomlReader& in, const toml::table& table, Check& check) const {
    in.tables("expect", [&](const toml::table& one) {
      TomlReader expected(one);
      check.elsewhere.push_back(read_expected(expected, one));
      expected.done();
    });
    if (!check.elsewhere.empty()) {
      if (in.find("allow") != nullptr || in.find("deny") != nullptr) {
        throw TomlMistake(table, "expected either expect, or allow or deny");
      }
      const Expected& last = check.elsewhere.back();
      if (!last.holds.is_unlimited()) {
        throw TomlMistake(table, "the last of expect must hold in all other releases: leave out since and until");
      }
      check.allow = last.allow;
      check.rules = last.rules;
      return;
    }
    const Expected expected = read_expected(in, table);
    check.allow = expected.allow;
    check.rules = expected.rules;
  }

  Expected read_expected(TomlReader& in, const toml::table& table) const {
    const toml::node* allow = in.find("allow");
    const toml::node* deny = in.find("deny");
    if ((allow == nullptr) == (deny == nullptr)) {
      throw TomlMistake(table, "expected either allow or deny, with the id of the rule that decides");
    }
    Expected expected{read_range(in), allow != nullptr, {}};
    const toml::node& ids = expected.allow ? *allow : *deny;
    if (const toml::array* list = ids.as_array()) {
      for (const toml::node& id : *list) expected.rules.push_back(rule_named(id));
    } else {
      expected.rules.push_back(rule_named(ids));
    }
    if (expected.rules.empty()) throw TomlMistake(table, "expected the id of the rule that decides");
    return expected;
  }

  Rule rule_named(const toml::node& node) const {
    const std::string id = TomlReader::string_of(node);
    if (const std::optional<Rule> rule = catalogue_.find(id)) return *rule;
    std::vector<std::string> known;
    for (const RuleEntry& entry : catalogue_.rules()) known.push_back(entry.id);
    throw TomlMistake(node, "no rule has the id \"" + id + "\"" + did_you_mean(id, known));
  }

  std::string unique(const std::string& name) {
    std::string candidate = name;
    for (int n = 2; !names_.insert(candidate).second; ++n) candidate = name + "-" + std::to_string(n);
    return candidate;
  }

  const toml::table& file_;
  TomlReader in_;
  const toml::table* values_;
  const Fixtures& fixtures_;
  const Profiles& profiles_;
  const Catalogue& catalogue_;
  std::map<Way, Rule> way_rules_;
  std::vector<std::string> strangers_;
  std::map<std::string, TokenText> tokens_;  ///< of the subjects that have one
  std::set<std::string> names_;
  std::map<std::string, ReleaseRange> given_names_;  ///< names of steps, and the releases in which they hold
  std::vector<TomlMistake> mistakes_;
};

}  // namespace

ReadScenario read_scenario(const toml::table& file, const toml::table* values, const Vocabulary& vocabulary,
                           const std::string& name, const std::string& id) {
  return FileReader(file, values, vocabulary).read(name, id);
}

}  // namespace nodebound
