#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/explain/explanation_json.h"
#include "harness/library/nodebound.h"
#include "harness/objects/cluster_file.h"
#include "harness/reviewer/review_answers.h"
#include "reference/release/feature_gates_flag.h"
#include "reference/release/source_link.h"

using namespace nodebound;

namespace {

using Json = nlohmann::ordered_json;

struct Opened {
  Release release;
  GateSettings gates;
  std::vector<AuthorizationMode> modes;
};

}  // namespace

// The type is C's, so it stands in no namespace.
struct nodebound_reference {
  explicit nodebound_reference(Opened opened)
      : gates(std::move(opened.gates)),
        rules(Catalogue::built_in(), opened.release),
        cluster(rules, reviewer::followed_collections(rules)),
        answers(rules, cluster,
                {std::move(opened.modes), {"NodeRestriction", "ServiceAccount", "CertificateSubjectRestriction"}}) {}

  const GateSettings gates;
  const RuleSet rules;
  reviewer::FollowedCluster cluster;
  const reviewer::ReviewAnswers answers;

  // What explanations judge anew at every release.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  mutable std::shared_mutex mutex;
  std::map<Key, ClusterObject> objects;
};

namespace {

std::string_view view(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

char* copy_of(const std::string& text) {
  char* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out != nullptr) std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}

void give(char** error, const Error& why) {
  if (error != nullptr) *error = copy_of(why.text());
}

/// What `work` returns, or `failed` with the error given to the caller: no exception may reach C.
template <typename Value, typename Work>
Value guarded(char** error, Value failed, Work work) {
  if (error != nullptr) *error = nullptr;
  try {
    Result<Value> done = work();
    if (done) return *done;
    give(error, done.error());
  } catch (const std::exception& exception) {
    give(error, {Error::Kind::input, "", exception.what(), "", {}});
  }
  return failed;
}

Result<std::vector<AuthorizationMode>> read_modes(std::string_view text) {
  std::vector<AuthorizationMode> out;
  std::istringstream in{std::string(text)};
  for (std::string each; std::getline(in, each, ',');) {
    const Result<AuthorizationMode> mode = parse_authorization_mode("authorization_modes", each);
    if (!mode) return tl::unexpected<Error>(mode.error());
    if (*mode != AuthorizationMode::node && *mode != AuthorizationMode::rbac) {
      return input_error("authorization_modes", each + " needs more than objects", "give Node, RBAC, or Node,RBAC");
    }
    out.push_back(*mode);
  }
  if (out.empty()) return input_error("authorization_modes", "there is none", "give Node, RBAC, or Node,RBAC");
  return out;
}

Result<Opened> read_opened(std::string_view release, std::string_view feature_gates, std::string_view modes) {
  const std::optional<Version> version = Version::parse(release);
  if (!version) {
    return input_error("release", "\"" + std::string(release) + "\" is not a Kubernetes version",
                       "give it like 1.36 or 1.36.3");
  }
  Result<GateSettings> gates = parse_feature_gates("feature_gates", std::string(feature_gates));
  if (!gates) return tl::unexpected<Error>(gates.error());
  Result<Release> made = Release::make(Catalogue::built_in(), *version, *gates);
  if (!made) return tl::unexpected<Error>(made.error());
  Result<std::vector<AuthorizationMode>> asked = read_modes(modes);
  if (!asked) return tl::unexpected<Error>(asked.error());
  return Opened{std::move(*made), std::move(*gates), std::move(*asked)};
}

Result<std::pair<Subject, Attributes>> read_asked(const nodebound_request& request) {
  Subject subject;
  subject.name = view(request.user);
  for (const char* const* group = request.groups; group != nullptr && *group != nullptr; ++group) {
    subject.groups.emplace_back(*group);
  }
  Attributes attributes;
  attributes.verb = view(request.verb);
  attributes.api_group = view(request.api_group);
  attributes.resource = view(request.resource);
  attributes.subresource = view(request.subresource);
  attributes.namespace_ = view(request.namespace_);
  attributes.name = view(request.name);
  attributes.path = view(request.path);
  attributes.resource_request = !attributes.resource.empty();
  attributes.field_selector = parse_field_selector(view(request.field_selector));
  if (subject.name.empty()) return input_error("request.user", "there is none", "give the name of a user");
  if (attributes.verb.empty()) return input_error("request.verb", "there is none", "give a verb, such as get");
  if (!attributes.resource_request && attributes.path.empty()) {
    return input_error("request", "it has neither a resource nor a path", "give one of them");
  }
  return std::pair(std::move(subject), std::move(attributes));
}

nodebound_outcome outcome_of(Decision::Outcome outcome) {
  switch (outcome) {
    case Decision::Outcome::allow:
      return NODEBOUND_ALLOW;
    case Decision::Outcome::deny:
      return NODEBOUND_DENY;
    case Decision::Outcome::no_opinion:
      break;
  }
  return NODEBOUND_NO_OPINION;
}

nodebound_reference::Key key_of(const ObjectKey& key) {
  return {key.group, key.resource, key.namespace_, key.name};
}

reviewer::FollowedCollection collection_of(const ObjectKey& key) {
  return {key.group, key.resource, ""};
}

Result<long> put(nodebound_reference& reference, std::string_view text) {
  Result<std::vector<ClusterObject>> read = read_cluster_objects(text, "objects");
  if (!read) return tl::unexpected<Error>(read.error());
  const std::unique_lock lock(reference.mutex);
  for (ClusterObject& entry : *read) {
    Object object = entry.object;
    if (!entry.key.namespace_.empty()) object["metadata"]["namespace"] = entry.key.namespace_;
    reference.cluster.put(collection_of(entry.key), std::move(object));
    reference.objects.insert_or_assign(key_of(entry.key), std::move(entry));
  }
  return static_cast<long>(read->size());
}

Result<long> erase(nodebound_reference& reference, std::string_view text) {
  const Result<std::vector<ClusterObject>> read = read_cluster_objects(text, "objects");
  if (!read) return tl::unexpected<Error>(read.error());
  const std::unique_lock lock(reference.mutex);
  long count = 0;
  for (const ClusterObject& entry : *read) {
    const auto found = reference.objects.find(key_of(entry.key));
    if (found == reference.objects.end()) continue;
    Object object = found->second.object;
    if (!entry.key.namespace_.empty()) object["metadata"]["namespace"] = entry.key.namespace_;
    reference.cluster.erase(collection_of(entry.key), object);
    reference.objects.erase(found);
    ++count;
  }
  return count;
}

Result<std::string> explained(const nodebound_reference& reference, const explain::QuestionText& asked,
                              std::string_view body_text) {
  std::optional<Object> body;
  if (!body_text.empty()) {
    Result<Object> read = read_body(body_text, "body");
    if (!read) return tl::unexpected<Error>(read.error());
    body = std::move(*read);
  }
  Result<explain::Question> question = explain::understand(asked, std::move(body), "body");
  if (!question) return tl::unexpected<Error>(question.error());
  std::vector<ClusterObject> objects;
  {
    const std::shared_lock lock(reference.mutex);
    for (const auto& [key, object] : reference.objects) objects.push_back(object);
  }
  question->set_cluster(std::move(objects));
  const Result<explain::Explanation> explanation =
      explain::explain(Catalogue::built_in(), reference.rules.release(), reference.gates, *question);
  if (!explanation) return tl::unexpected<Error>(explanation.error());
  return to_json(*explanation, *question);
}

Json rule_json(const RuleSet& rules, Rule rule) {
  const RuleEntry& entry = rules.catalogue()[rule];
  Json out = {{"id", entry.id},
              {"statement", entry.statement},
              {"layer", to_string(entry.layer)},
              {"effect", to_string(entry.effect)},
              {"inForce", rules.in_force(rule)}};
  if (const std::string refusal = rules.refusal(rule).pattern(); !refusal.empty()) out["refusal"] = refusal;
  out["sources"] = entry.source;
  out["links"] = Json::array();
  const Version at = read_at(entry, rules.release().version);
  for (const std::string& source : entry.source) out["links"].push_back(link_of(source, at));
  return out;
}

Result<char*> given(const Json& json) {
  return copy_of(json.dump());
}

}  // namespace

const char* nodebound_version() {
  return NODEBOUND_VERSION;
}

nodebound_reference* nodebound_open(const char* release, const char* feature_gates, const char* authorization_modes,
                                    char** error) {
  return guarded<nodebound_reference*>(error, nullptr, [&]() -> Result<nodebound_reference*> {
    const std::string_view modes = authorization_modes == nullptr ? "Node,RBAC" : authorization_modes;
    Result<Opened> opened = read_opened(view(release), view(feature_gates), modes);
    if (!opened) return tl::unexpected<Error>(opened.error());
    return new nodebound_reference(std::move(*opened));
  });
}

void nodebound_close(nodebound_reference* reference) {
  delete reference;
}

long nodebound_put(nodebound_reference* reference, const char* objects, size_t length, char** error) {
  return guarded<long>(error, -1, [&] { return put(*reference, {objects, length}); });
}

long nodebound_remove(nodebound_reference* reference, const char* objects, size_t length, char** error) {
  return guarded<long>(error, -1, [&] { return erase(*reference, {objects, length}); });
}

int nodebound_decide(const nodebound_reference* reference, const nodebound_request* request,
                     nodebound_decision* decision, char** error) {
  return guarded<int>(error, -1, [&]() -> Result<int> {
    const auto asked = read_asked(*request);
    if (!asked) return tl::unexpected<Error>(asked.error());
    const Decision made = reference->answers.decide(asked->first, asked->second);
    decision->outcome = outcome_of(made.outcome);
    decision->rule = made.rule ? Catalogue::built_in()[*made.rule].id.c_str() : nullptr;
    return 0;
  });
}

char* nodebound_reason(const nodebound_reference* reference, const nodebound_request* request, char** error) {
  return guarded<char*>(error, nullptr, [&]() -> Result<char*> {
    const auto asked = read_asked(*request);
    if (!asked) return tl::unexpected<Error>(asked.error());
    return copy_of(reference->answers.decide(asked->first, asked->second).reason);
  });
}

char* nodebound_review(const nodebound_reference* reference, const char* review, size_t length, char** error) {
  return guarded<char*>(error, nullptr, [&]() -> Result<char*> {
    const HttpResponse answer = reference->answers.answer({review, length});
    if (answer.status == 200) return copy_of(answer.body);
    return input_error("review", answer.body.substr(0, answer.body.find('\n')));
  });
}

char* nodebound_explain(const nodebound_reference* reference, const char* as, const char* verb, const char* target,
                        const char* namespace_, const char* body, char** error) {
  return guarded<char*>(error, nullptr, [&]() -> Result<char*> {
    explain::QuestionText asked;
    asked.as = view(as);
    asked.words = {std::string(view(verb)), std::string(view(target))};
    asked.namespace_ = view(namespace_);
    const Result<std::string> json = explained(*reference, asked, view(body));
    if (!json) return tl::unexpected<Error>(json.error());
    return copy_of(*json);
  });
}

char* nodebound_rule(const nodebound_reference* reference, const char* id, char** error) {
  return guarded<char*>(error, nullptr, [&]() -> Result<char*> {
    const std::optional<Rule> rule = Catalogue::built_in().find(view(id));
    if (!rule) return input_error("id", "there is no rule \"" + std::string(view(id)) + "\"");
    return given(rule_json(reference->rules, *rule));
  });
}

char* nodebound_rules(const nodebound_reference* reference, char** error) {
  return guarded<char*>(error, nullptr, [&] {
    Json out = Json::array();
    for (std::size_t i = 0; i < rule_count; ++i) out.push_back(rule_json(reference->rules, static_cast<Rule>(i)));
    return given(out);
  });
}

void nodebound_string_free(char* string) {
  std::free(string);
}
