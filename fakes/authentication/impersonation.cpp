#include "fakes/authentication/impersonation.h"

#include <algorithm>
#include <array>

#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/status.h"
#include "reference/cluster/names.h"

namespace nodebound::authentication {
namespace {

constexpr std::string_view kExtraPrefix = "impersonate-extra-";
constexpr std::size_t kManyChecks = 4;  ///< with this many checks or more, one check for `*` comes first
constexpr std::size_t kMostRemembered = 10'000;

std::optional<std::string> node_name(std::string_view user) {
  constexpr std::string_view kPrefix = "system:node:";
  if (!user.starts_with(kPrefix) || !wrong_dns_subdomain(user.substr(kPrefix.size())).empty()) return std::nullopt;
  return std::string(user.substr(kPrefix.size()));
}

struct ServiceAccountName {
  std::string namespace_;
  std::string name;
};

std::optional<ServiceAccountName> service_account_name(std::string_view user) {
  constexpr std::string_view kPrefix = "system:serviceaccount:";
  if (!user.starts_with(kPrefix)) return std::nullopt;
  user.remove_prefix(kPrefix.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = user.substr(colon + 1);
  if (!wrong_dns_label(user.substr(0, colon)).empty() || !wrong_dns_subdomain(name).empty()) return std::nullopt;
  return ServiceAccountName{std::string(user.substr(0, colon)), std::string(name)};
}

/// Go keeps an extra's key unchanged if an escape in it is broken.
std::string extra_key(std::string_view escaped) {
  for (std::size_t i = escaped.find('%'); i != std::string_view::npos; i = escaped.find('%', i + 1)) {
    const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (i + 2 >= escaped.size() || !is_hex(escaped[i + 1]) || !is_hex(escaped[i + 2])) return std::string(escaped);
  }
  return percent_decoded(escaped, false);
}

Subject wanted_by(const IncomingRequest& request) {
  Subject wanted{
      std::string(request.header("impersonate-user")), {}, std::string(request.header("impersonate-uid")), {}};
  for (const auto& [name, value] : request.headers) {
    if (name == "impersonate-group") wanted.groups.push_back(value);
    if (name.starts_with(kExtraPrefix)) wanted.extra[extra_key(name.substr(kExtraPrefix.size()))].push_back(value);
  }
  return wanted;
}

std::string go_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& each : texts) out += (out.empty() ? "" : ", ") + go_quoted(each);
  return "{" + out + "}";
}

/// As Go prints a user.DefaultInfo with %#v.
std::string go_syntax(const Subject& subject) {
  std::string out = "&user.DefaultInfo{Name:" + go_quoted(subject.name) + ", UID:" + go_quoted(subject.uid);
  out += ", Groups:[]string" + (subject.groups.empty() ? "(nil)" : go_list(subject.groups));
  out += ", Extra:map[string][]string";
  if (subject.extra.empty()) return out + "(nil)}";
  std::string extra;
  for (const auto& [key, values] : subject.extra) {
    extra += (extra.empty() ? "" : ", ") + go_quoted(key) + ":[]string" + go_list(values);
  }
  return out + "{" + extra + "}}";
}

/// The object references that the older impersonation filter made of the headers, as Go prints them.
std::string go_references(const Subject& wanted) {
  std::string out;
  const auto add = [&](const std::string& reference) { out += (out.empty() ? "{" : " {") + reference + "}"; };
  for (const std::string& group : wanted.groups) add("Group  " + group + "    ");
  for (const auto& [key, values] : wanted.extra) {
    for (const std::string& value : values) {
      std::string reference = "UserExtra  ";
      add(reference.append(value).append("  authentication.k8s.io/v1  ").append(key));
    }
  }
  if (!wanted.uid.empty()) add("UID  " + wanted.uid + "  authentication.k8s.io/v1  ");
  return "[" + out + "]";
}

/// What is wrong with an extra in the constrained modes; empty if nothing is.
std::string bad_extra(const std::map<std::string, std::vector<std::string>>& extra) {
  for (const auto& [key, values] : extra) {
    if (key.empty()) return "impersonating the empty string key in extra is not allowed";
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == key.size()) {
      return "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: " + go_quoted(key) +
             ": must be a domain-prefixed path (such as \"acme.io/foo\")";
    }
    const std::string domain = key.substr(0, slash);
    if (const auto wrong = wrong_dns_subdomain(domain); !wrong.empty()) {
      return "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: " + go_quoted(domain) +
             ": " + wrong.front();
    }
    if (std::find(values.begin(), values.end(), "") != values.end()) {
      return "impersonating the empty string value in extra is not allowed";
    }
  }
  return {};
}

void ensure_group(Subject& subject, const std::string& group) {
  if (!subject.in_group(group)) subject.groups.push_back(group);
}

}  // namespace

struct Impersonation::Attempt {
  const Subject& requester;
  const Subject& wanted;
  const Attributes& request;
  Subject actual;
  std::string verb;  ///< the verb of the checks of user, groups, uid and extra

  [[nodiscard]] bool only_name() const { return wanted.uid.empty() && wanted.groups.empty() && wanted.extra.empty(); }
  /// The resource request that asks whether the identity may be impersonated. In the legacy mode, users and groups are
  /// in the core group.
  [[nodiscard]] Attributes identity(Mode mode, std::string resource, std::string name, bool always_own_group) const {
    Attributes attributes;
    attributes.resource_request = true;
    attributes.verb = verb;
    attributes.api_version = "v1";
    if (mode != Mode::legacy || always_own_group) attributes.api_group = "authentication.k8s.io";
    attributes.resource = std::move(resource);
    attributes.name = std::move(name);
    return attributes;
  }
};

Impersonated Impersonation::apply(const Subject& requester, const IncomingRequest& request,
                                  const Attributes& attributes) {
  const bool asked = std::any_of(request.headers.begin(), request.headers.end(),
                                 [](const auto& header) { return header.first.starts_with("impersonate-"); });
  if (!asked) return {};
  const Subject wanted = wanted_by(request);
  if (wanted.name.empty()) {
    if (wanted == Subject{}) return {};
    const std::string message = constrained_ ? "requested " + go_syntax(wanted) + " without impersonating a user name"
                                             : "requested " + go_references(wanted) + " without impersonating a user";
    if (!needs_user_) return {std::nullopt, {}, apiserver::undecided(request.target, message)};
    return {std::nullopt, {}, apiserver::failure(400, "BadRequest", message)};
  }

  std::vector<Mode> modes{Mode::legacy};
  if (constrained_) {
    modes = {Mode::associated_node, Mode::arbitrary_node, Mode::service_account, Mode::user_info, Mode::legacy};
    const std::lock_guard lock(mutex_);
    if (const auto last = last_.find(requester.name); last != last_.end()) {
      std::stable_partition(modes.begin(), modes.end(), [&](Mode mode) { return mode == last->second; });
    }
  }
  Impersonated out;
  for (const Mode mode : modes) {
    Attempt attempt{requester, wanted, attributes, wanted, "impersonate"};
    if (!fits(mode, attempt)) continue;
    std::optional<HttpResponse> refusal = try_mode(mode, attempt);
    if (!refusal) {
      const std::lock_guard lock(mutex_);
      if (last_.size() >= kMostRemembered) last_.clear();
      last_[requester.name] = mode;
      return {std::move(attempt.actual), mode == Mode::legacy ? std::string() : attempt.verb, std::nullopt};
    }
    if (!out.refusal) out.refusal = std::move(refusal);
  }
  return out;
}

bool Impersonation::fits(Mode mode, const Attempt& attempt) {
  const std::optional<std::string> node = node_name(attempt.wanted.name);
  const bool account = service_account_name(attempt.wanted.name).has_value();
  switch (mode) {
    case Mode::associated_node: {
      const auto own = attempt.requester.extra.find("authentication.kubernetes.io/node-name");
      return attempt.only_name() && node && service_account_name(attempt.requester.name) &&
             own != attempt.requester.extra.end() && own->second == std::vector<std::string>{*node};
    }
    case Mode::arbitrary_node:
      return attempt.only_name() && node;
    case Mode::service_account:
      return attempt.only_name() && account;
    case Mode::user_info:
      return !node && !account;
    case Mode::legacy:
      return true;
  }
  return false;
}

std::optional<HttpResponse> Impersonation::try_mode(Mode mode, Attempt& attempt) const {
  constexpr std::array<std::string_view, 4> kNames{"associated-node", "arbitrary-node", "serviceaccount", "user-info"};
  if (mode != Mode::legacy) {
    const std::string name(kNames.at(static_cast<std::size_t>(mode)));
    attempt.verb = "impersonate:" + name;
    Attributes on = attempt.request;
    on.verb = "impersonate-on:" + name + ":" + on.verb;
    if (auto refusal = check(attempt, mode, on)) return refusal;
  }
  if (auto refusal = check_name(mode, attempt)) return refusal;
  if (!attempt.wanted.uid.empty()) {
    if (auto refusal = check(attempt, mode, attempt.identity(mode, "uids", attempt.wanted.uid, true))) return refusal;
  }
  if (auto refusal = check_groups(mode, attempt)) return refusal;
  if (auto refusal = check_extra(mode, attempt)) return refusal;
  Subject& actual = attempt.actual;
  if (actual.name == "system:anonymous") {
    ensure_group(actual, "system:unauthenticated");
  } else if (!actual.in_group("system:unauthenticated")) {
    ensure_group(actual, "system:authenticated");
  }
  return std::nullopt;
}

std::optional<HttpResponse> Impersonation::check_name(Mode mode, Attempt& attempt) const {
  Attributes attributes = attempt.identity(mode, "users", attempt.wanted.name, false);
  const std::optional<std::string> node = node_name(attempt.wanted.name);
  if (mode != Mode::legacy && node) {
    attributes.resource = "nodes";
    // The cached decision for an associated node holds for all nodes, so the permission is asked for all of them, too.
    attributes.name = mode == Mode::associated_node ? "*" : *node;
    attempt.actual.groups = {"system:nodes"};
  }
  if (const auto account = service_account_name(attempt.wanted.name)) {
    attributes.resource = "serviceaccounts";
    attributes.namespace_ = account->namespace_;
    attributes.name = account->name;
    if (attempt.wanted.groups.empty()) {
      attempt.actual.groups = {"system:serviceaccounts", "system:serviceaccounts:" + account->namespace_};
    }
  }
  return check(attempt, mode, attributes);
}

std::optional<HttpResponse> Impersonation::check_groups(Mode mode, const Attempt& attempt) const {
  const std::vector<std::string>& groups = attempt.wanted.groups;
  Attributes attributes = attempt.identity(mode, "groups", "", false);
  if (mode != Mode::legacy) {
    if (attempt.wanted.in_group("")) {
      return refuse(attempt, attributes, "impersonating the empty string group is not allowed");
    }
    if (attempt.wanted.in_group("system:masters")) {
      attributes.name = "system:masters";
      return refuse(attempt, attributes, "impersonating the system:masters group is not allowed");
    }
    attributes.name = "*";
    if (groups.size() >= kManyChecks && !check(attempt, mode, attributes)) return std::nullopt;
  }
  for (const std::string& group : groups) {
    attributes.name = group;
    if (auto refusal = check(attempt, mode, attributes)) return refusal;
  }
  return std::nullopt;
}

std::optional<HttpResponse> Impersonation::check_extra(Mode mode, const Attempt& attempt) const {
  const auto& extra = attempt.wanted.extra;
  Attributes attributes = attempt.identity(mode, "userextras", "", true);
  if (mode != Mode::legacy) {
    if (std::string why = bad_extra(extra); !why.empty()) return refuse(attempt, attributes, std::move(why));
    std::size_t values = 0;
    for (const auto& [key, of_key] : extra) values += of_key.size();
    attributes.subresource = attributes.name = "*";
    if (values >= kManyChecks && !check(attempt, mode, attributes)) return std::nullopt;
  }
  for (const auto& [key, values] : extra) {
    attributes.subresource = key;
    for (const std::string& value : values) {
      attributes.name = value;
      if (auto refusal = check(attempt, mode, attributes)) return refusal;
    }
  }
  return std::nullopt;
}

std::optional<HttpResponse> Impersonation::check(const Attempt& attempt, Mode mode,
                                                 const Attributes& attributes) const {
  Subject requester = attempt.requester;
  if (mode == Mode::associated_node) {
    // One pod's token must not decide for another pod's, so the cache key includes only the keys of the extra.
    std::vector<std::string> keys;
    keys.reserve(requester.extra.size());
    for (const auto& [key, values] : requester.extra) keys.push_back(key);
    requester.extra = {{"authentication.kubernetes.io/associated-node-keys", std::move(keys)}};
  }
  const Decision decision = access_.authorize(requester, attributes);
  if (decision.allowed()) return std::nullopt;
  return access_.forbidden(attempt.requester, attributes, decision);
}

HttpResponse Impersonation::refuse(const Attempt& attempt, const Attributes& attributes, std::string reason) const {
  return access_.forbidden(attempt.requester, attributes, Decision::no_opinion(std::nullopt, std::move(reason)));
}

}  // namespace nodebound::authentication
