#include "reference/kubelet/reviews.h"

namespace nodebound {
namespace {

constexpr std::size_t tokens_kept = 4096;  // 32 stripes of 128
constexpr std::size_t longest_kept = 10'000;

}  // namespace

TokenVerdict token_verdict(const Object& status) {
  if (!is_true(status, "authenticated")) return {std::nullopt, std::string(text(status, "error"))};
  Subject subject;
  subject.name = text(status, "user", "username");
  subject.uid = text(status, "user", "uid");
  subject.groups = strings_of(member(status, "user", "groups"));
  for (const auto& [key, values] : member(status, "user", "extra").items()) subject.extra[key] = strings_of(values);
  return {std::move(subject), {}};
}

AccessVerdict access_verdict(const Object& status) {
  return {is_true(status, "allowed"), is_true(status, "denied")};
}

Object access_review_spec(const Subject& subject, const Attributes& attributes, const RuleSet& rules) {
  Object asked = Object::object();
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) asked[key] = value;
  };
  put("verb", attributes.verb);
  put("version", attributes.api_version);
  put("resource", attributes.resource);
  put("subresource", attributes.subresource);
  if (rules.in_force(Rule::kubelet_review_node)) put("name", attributes.name);
  Object spec{{"resourceAttributes", std::move(asked)}};
  if (!subject.name.empty()) spec["user"] = subject.name;
  if (!subject.groups.empty()) spec["groups"] = subject.groups;
  if (!subject.extra.empty()) spec["extra"] = subject.extra;
  if (!subject.uid.empty() && rules.in_force(Rule::kubelet_review_uid)) spec["uid"] = subject.uid;
  return spec;
}

ReviewCache::ReviewCache(const KubeletSettings& settings, const RuleSet& rules)
    : rules_(rules),
      token_ttl_(rules.in_force(Rule::kubelet_token_cache) ? settings.token_ttl : 0),
      allowed_ttl_(rules.in_force(Rule::kubelet_access_cache) ? settings.allowed_ttl : 0),
      denied_ttl_(rules.in_force(Rule::kubelet_access_cache) ? settings.denied_ttl : 0),
      tokens_(tokens_kept),
      access_(rules.in_force(Rule::kubelet_access_cache_8192) ? 8192 : 1024) {}

void ReviewCache::put_token(const std::string& token, const TokenVerdict& verdict, std::int64_t now) {
  const bool bad = !verdict.subject && !verdict.error.empty();
  if (token_ttl_ <= 0 || (bad && rules_.in_force(Rule::kubelet_bad_token_asked_again))) return;
  tokens_.put(token, verdict, now + token_ttl_);
}

void ReviewCache::put_access(const std::string& spec, const Attributes& attributes, const AccessVerdict& verdict,
                             std::int64_t now) {
  const std::size_t length = attributes.namespace_.size() + attributes.verb.size() + attributes.api_group.size() +
                             attributes.api_version.size() + attributes.resource.size() +
                             attributes.subresource.size() + attributes.name.size() + attributes.path.size();
  if (length >= longest_kept && rules_.in_force(Rule::kubelet_long_request_not_cached)) return;
  const std::int64_t ttl = verdict.allowed ? allowed_ttl_ : denied_ttl_;
  if (ttl > 0) access_.put(spec, verdict, now + ttl);
}

bool ReviewRetries::again(const ReviewFailure& failure, const RuleSet& rules) {
  if (failure.reset) return rules.in_force(Rule::kubelet_retry_reset);
  if (failure.retry_after || failure.status == 500) return true;
  const bool overload = failure.status == 504 || failure.status == 429;
  return overload && rules.in_force(Rule::kubelet_retry_overload);
}

}  // namespace nodebound
