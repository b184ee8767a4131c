#include "harness/check/probe.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "harness/guest/unrunnable.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

bool is_write(const std::string& verb) {
  static constexpr std::array<std::string_view, 7> writes = {"create", "update", "patch",           "apply",
                                                             "change", "delete", "deletecollection"};
  return std::find(writes.begin(), writes.end(), verb) != writes.end();
}

std::string query_of(const RequestText& request, bool dry_run) {
  std::string query;
  const auto add = [&](const std::string& name, const std::string& value) {
    query += (query.empty() ? "?" : "&") + name + "=" + percent_encoded(value);
  };
  if (request.verb == "watch") {
    add("watch", "true");
    add("timeoutSeconds", "5");
  }
  if (!request.field_selector.empty()) add("fieldSelector", request.field_selector);
  if (!request.label_selector.empty()) add("labelSelector", request.label_selector);
  if (dry_run) add("dryRun", "All");
  return query;
}

void remove_at(Object& object, const std::string& pointer) {
  const Object::json_pointer at(pointer);
  if (object.contains(at)) object[at.parent_pointer()].erase(at.back());
}

// The change as a merge patch: what it removes is null.
Object merge_patch_of(const Object& body, const std::vector<std::string>& removed) {
  Object patch = body.is_null() ? Object::object() : body;
  for (const std::string& pointer : removed) patch[Object::json_pointer(pointer)] = nullptr;
  return patch;
}

struct Written {
  std::string method;
  std::string content_type;
  Object body;
};

Written written(Way way, const Object& before, const Object& body, const std::vector<std::string>& removed,
                const Object& identity) {
  Object after = before;
  if (!body.is_null()) after.merge_patch(body);
  for (const std::string& pointer : removed) remove_at(after, pointer);
  switch (way) {
    case Way::put:
      return {"PUT", "application/json", after};
    case Way::merge:
      return {"PATCH", "application/merge-patch+json", merge_patch_of(body, removed)};
    case Way::strategic:
      return {"PATCH", "application/strategic-merge-patch+json", merge_patch_of(body, removed)};
    case Way::json:
      return {"PATCH", "application/json-patch+json", Object::diff(before, after)};
    case Way::apply:
      break;
  }
  Object applied = identity;
  applied.merge_patch(body);
  return {"PATCH", "application/apply-patch+yaml", applied};
}

std::string query_of_change(const RequestText& request, Way way, bool keep) {
  std::string query = query_of(request, !keep);
  if (way == Way::apply) query += std::string(keep ? "?" : "&") + "fieldManager=nodebound&force=true";
  return query;
}

HttpRequest change_without_body(const RequestText& request, Way way, bool keep, const Names& names) {
  HttpRequest out;
  out.method = way == Way::put ? "PUT" : "PATCH";
  out.target = names.path(request) + query_of_change(request, way, keep);
  return out;
}

Result<HttpRequest> build_change(const Check& check, Way way, const Object& body, const Names& names,
                                 Administrator& administrator) {
  RequestText target = check.request;
  target.verb = "get";
  target.subresource.clear();
  Result<Object> before = administrator.get(target);
  if (!before) return tl::unexpected<Error>(before.error());
  Result<std::vector<std::string>> removed = std::vector<std::string>();
  for (const std::string& pointer : check.remove) {
    Result<std::string> resolved = administrator.resolve(pointer);
    if (!resolved) return tl::unexpected<Error>(resolved.error());
    removed->push_back(*resolved);
  }
  Object identity = names.envelope(target);
  identity["metadata"]["name"] = names.object_name(target);
  const Written change = written(way, *before, body, *removed, identity);
  HttpRequest request;
  request.method = change.method;
  request.content_type = change.content_type;
  request.body = change.body.dump();
  request.target = names.path(check.request) + query_of_change(check.request, way, check.keep);
  return request;
}

Expectation decided_by(Rule rule, bool allow, const RuleSet& rules) {
  Expectation expectation;
  expectation.allow = allow;
  expectation.rule = rule;
  const RuleEntry& entry = rules.catalogue()[rule];
  expectation.layer = entry.layer;
  expectation.status = entry.status;
  expectation.text = &rules.refusal(rule);
  if (entry.layer == Layer::authorizer && rules.in_force(Rule::reason_names_authorizer)) {
    expectation.speaker = entry.authorizer + ": ";
  }
  return expectation;
}

// The rule of a way may not be in force yet. Then the authorizers refuse such a patch, or admission sees only a part of
// it.
Expectation expectation_of_way(const Check& check, std::optional<Way> way, bool authorizers_pass,
                               const RuleSet& rules) {
  const auto found = way ? check.way_rules.find(*way) : check.way_rules.end();
  if (found == check.way_rules.end() || rules.in_force(found->second)) return expectation_of(check, rules);
  const RuleEntry& entry = rules.catalogue()[found->second];
  if (entry.layer == Layer::authorizer && authorizers_pass) return expectation_of(check, rules);
  return decided_by(found->second, entry.effect == Effect::restriction, rules);
}

}  // namespace

Expectation expectation_of(const Check& check, const RuleSet& rules) {
  const Catalogue& catalogue = rules.catalogue();
  Rule decider = check.rules.front();
  // A rule decides if its effect is the one that the check expects. Then the check holds only while the rule is in
  // force. A check without such a rule is a twin: it always holds.
  const Effect decided = check.allow ? Effect::grant : Effect::restriction;
  bool in_force = true;
  bool decides = false;
  for (const Rule rule : check.rules) {
    if (catalogue[rule].effect != decided) continue;
    decides = true;
    if (!rules.in_force(rule)) {
      in_force = false;
      decider = rule;
    }
  }
  // A grant is an exception to a restriction. If the check also names that restriction and it is not in force, there is
  // nothing to except, so the request is allowed.
  const bool unrestricted = check.allow && std::any_of(check.rules.begin(), check.rules.end(), [&](Rule rule) {
                              return catalogue[rule].effect == Effect::restriction && !rules.in_force(rule);
                            });
  in_force = in_force || unrestricted;
  return decided_by(decider, !decides || in_force ? check.allow : !check.allow, rules);
}

std::vector<Probe> probes_of(const Check& check, const std::string& id, const RuleSet& rules) {
  const Expectation whole = expectation_of(check, rules);
  if (check.review) return {{Probe::Kind::authorizer, std::nullopt, id, whole}};
  if (check.complete || check.lists) {
    std::vector<Probe> probes = {{Probe::Kind::rules_review, std::nullopt, id, whole}};
    // No release names the authorizer that cannot list all rules.
    probes.front().expectation.speaker.clear();
    return probes;
  }
  std::vector<std::optional<Way>> ways(check.ways.begin(), check.ways.end());
  if (ways.empty()) ways.emplace_back();
  if (!rules.in_force(Rule::server_side_apply)) std::erase(ways, std::optional(Way::apply));

  const bool asks_authorizer =
      check.subject.kind != SubjectText::Kind::administrator && check.subject.kind != SubjectText::Kind::widened_node;
  // If no rule refuses it, the API server may refuse it as invalid, which tests no rule.
  const bool unsent = (check.invalid && whole.allow != check.allow) ||
                      (check.request.verb == "apply" && !rules.in_force(Rule::server_side_apply));
  std::vector<Probe> probes;
  for (const std::optional<Way>& way : ways) {
    const std::string name = way ? id + "[" + std::string(to_string(*way)) + "]" : id;
    const Expectation expectation = expectation_of_way(check, way, false, rules);
    const bool by_authorizer = !expectation.allow && expectation.layer == Layer::authorizer;
    // To an authorizer all kinds of patches are the same request; only PUT differs.
    if (asks_authorizer && probes.empty()) {
      probes.push_back({Probe::Kind::authorizer, way, id + "@authorizer", expectation});
      probes.back().expectation.allow = !by_authorizer;
    }
    if (unsent) break;
    probes.push_back({Probe::Kind::request, way, name, expectation});
    const Expectation admitted = expectation_of_way(check, way, true, rules);
    const bool refused_before = !admitted.allow && admitted.layer == Layer::authorizer;
    const bool by_node = check.subject.kind == SubjectText::Kind::node;
    const bool writes = is_write(check.request.verb) && !check.request.connects();
    if (by_node && writes && !refused_before && !check.keep) {
      probes.push_back({Probe::Kind::admission, way, name + "@admission", admitted});
    }
  }
  return probes;
}

std::vector<Probe> probes_of_both(const Check& check, const std::string& id, const RuleSet& rules,
                                  const RuleSet& others) {
  std::vector<Probe> own = probes_of(check, id, rules);
  std::vector<Probe> all;
  for (Probe& other : probes_of(check, id, others)) {
    const auto same = std::find_if(own.begin(), own.end(), [&](const Probe& probe) { return probe.id == other.id; });
    if (same != own.end()) {
      all.push_back(std::move(*same));
      own.erase(same);
      continue;
    }
    if (other.way == Way::apply && !rules.in_force(Rule::server_side_apply)) {
      other.not_asked = "the release has no server-side apply";
    } else if (check.invalid && expectation_of(check, rules).allow != check.allow) {
      const std::string& rule = rules.catalogue()[expectation_of(check, rules).rule].id;
      other.not_asked = "what is sent is not valid while " + rule + " is not in force";
    }
    all.push_back(std::move(other));
  }
  std::move(own.begin(), own.end(), std::back_inserter(all));
  // Both sides are asked in the same order: the authorizers first, then way by way.
  const auto place = [&](const Probe& probe) {
    const auto way = probe.way ? std::find(check.ways.begin(), check.ways.end(), *probe.way) : check.ways.begin();
    return std::tuple(probe.kind != Probe::Kind::authorizer, way - check.ways.begin(), probe.kind);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Probe& a, const Probe& b) { return place(a) < place(b); });
  return all;
}

Result<HttpRequest> build_request(const Check& check, const Probe& probe, const Names& names,
                                  Administrator& administrator) {
  const RequestText& text_request = check.request;
  // An authorizer sees only method and path, so the objects that the body names need not exist.
  const bool reviewed = probe.kind == Probe::Kind::authorizer;
  Result<Object> body = reviewed ? Object() : administrator.resolve(check.body);
  if (!body) return tl::unexpected<Error>(body.error());
  RequestText resolved = text_request;
  Result<std::string> selector = administrator.resolve(text_request.field_selector);
  if (!selector) return tl::unexpected<Error>(selector.error());
  resolved.field_selector = *selector;
  Result<std::string> label_selector = administrator.resolve(text_request.label_selector);
  if (!label_selector) return tl::unexpected<Error>(label_selector.error());
  resolved.label_selector = *label_selector;
  if (probe.way && !check.review) {
    if (reviewed) return change_without_body(resolved, *probe.way, check.keep, names);
    Check change = check;
    change.request = resolved;
    return build_change(change, *probe.way, *body, names, administrator);
  }
  HttpRequest request;
  const std::string& verb = resolved.verb;
  const bool create = verb == "create";
  if (resolved.connects()) {
    request.target = names.path(resolved);
    request.method = create ? "POST" : "GET";
    return request;
  }
  request.target = names.path(resolved, create) + query_of(resolved, is_write(verb) && !check.keep);
  request.watch = verb == "watch";
  request.method = create                                           ? "POST"
                   : verb == "update"                               ? "PUT"
                   : verb == "apply"                                ? "PATCH"
                   : verb == "delete" || verb == "deletecollection" ? "DELETE"
                                                                    : "GET";
  if (verb == "apply") request.target += std::string(check.keep ? "?" : "&") + "fieldManager=nodebound&force=true";
  if (create || verb == "update" || verb == "apply") {
    Object sent = names.envelope(resolved);
    if (body->is_object()) sent.merge_patch(*body);
    const Object& metadata = member(sent, "metadata");
    const bool names_itself = metadata.contains("generateName") || member(*body, "metadata").contains("name");
    if (!resolved.name.empty() && !names_itself) sent["metadata"]["name"] = names.object_name(resolved);
    const bool whole = resolved.group.empty() && (resolved.subresource.empty() || resolved.subresource == "status");
    if (administrator.is_guest() && whole) guest::make_unrunnable(resolved.resource, sent);
    request.content_type = verb == "apply" ? "application/apply-patch+yaml" : "application/json";
    request.body = sent.dump();
  } else if (request.method == "DELETE") {
    request.content_type = "application/json";
    // With options in the body, the API server ignores those of the query.
    Object options = {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"gracePeriodSeconds", 0}};
    if (!check.keep) options["dryRun"] = Object::array({"All"});
    request.body = options.dump();
  }
  return request;
}

Result<Object> access_review(const Subject& subject, const Check& check, const HttpRequest& request, const Names& names,
                             Administrator& administrator) {
  Attributes attributes = attributes_of(request.method, request.target);
  if (check.review) {
    // A request that is only reviewed may have a verb without an HTTP method.
    attributes.verb = check.request.verb;
    attributes.name = names.object_name(check.request);
    attributes.subresource = check.request.subresource;
  }
  Object spec = {{"user", subject.name}, {"groups", subject.groups}};
  const bool anonymous = subject.name == "system:anonymous";
  spec["groups"].push_back(anonymous ? "system:unauthenticated" : "system:authenticated");
  if (!attributes.resource_request) {
    spec["nonResourceAttributes"] = {{"verb", attributes.verb}, {"path", attributes.path}};
  } else {
    Object resource = {{"verb", attributes.verb},
                       {"group", attributes.api_group},
                       {"version", attributes.api_version},
                       {"resource", attributes.resource}};
    if (!attributes.subresource.empty()) resource["subresource"] = attributes.subresource;
    if (!attributes.namespace_.empty()) resource["namespace"] = attributes.namespace_;
    if (!attributes.name.empty()) resource["name"] = attributes.name;
    for (const FieldRequirement& term : attributes.field_selector) {
      resource["fieldSelector"]["requirements"].push_back(
          {{"key", term.field}, {"operator", term.op == "=" ? "In" : "NotIn"}, {"values", {term.value}}});
    }
    spec["resourceAttributes"] = resource;
  }
  Result<Object> attributes_of_check = administrator.resolve(check.attributes);
  if (!attributes_of_check) return tl::unexpected<Error>(attributes_of_check.error());
  if (attributes_of_check->is_object()) spec.merge_patch(*attributes_of_check);
  return Object{{"apiVersion", "authorization.k8s.io/v1"}, {"kind", "SubjectAccessReview"}, {"spec", spec}};
}

}  // namespace nodebound
