#include "fakes/authentication/bootstrap_tokens.h"

#include <algorithm>
#include <ctime>
#include <openssl/crypto.h>
#include <set>

#include "reference/encoding/base64.h"

namespace nodebound::authentication {
namespace {

constexpr std::size_t kIdSize = 6;
constexpr std::size_t kSecretSize = 16;
constexpr std::string_view kGroupPrefix = "system:bootstrappers:";

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool has_form_of_token(std::string_view token) {
  if (token.size() != kIdSize + 1 + kSecretSize || token[kIdSize] != '.') return false;
  return std::count_if(token.begin(), token.end(), is_lower_or_digit) == kIdSize + kSecretSize;
}

bool is_bootstrap_group(std::string_view group) {
  if (!group.starts_with(kGroupPrefix)) return false;
  const std::string_view rest = group.substr(kGroupPrefix.size());
  if (rest.empty() || rest.size() > 256 || !is_lower_or_digit(rest.back())) return false;
  return std::all_of(rest.begin(), rest.end(), [](char c) { return is_lower_or_digit(c) || c == ':' || c == '-'; });
}

std::string datum(const Object& secret, std::string_view name) {
  return base64_decode(text(secret, "data", name)).value_or(std::string());
}

bool is_expired(const std::string& expiration, std::int64_t now) {
  if (expiration.empty()) return false;
  std::tm parts{};
  const char* rest = strptime(expiration.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) return true;
  std::int64_t offset = 0;
  if (*rest == '+' || *rest == '-') {
    int hours = 0;
    int minutes = 0;
    if (std::sscanf(rest + 1, "%2d:%2d", &hours, &minutes) != 2) return true;
    offset = (*rest == '+' ? 1 : -1) * std::int64_t{60} * (hours * 60 + minutes);
  } else if (*rest != 'Z' && *rest != '.') {
    return true;
  }
  return now >= timegm(&parts) - offset;
}

/// The secret's groups; nothing if a bootstrap token may not give one of them.
std::optional<std::set<std::string>> groups_of(const Object& secret) {
  std::set<std::string> groups{"system:bootstrappers"};
  const std::string extra = datum(secret, "auth-extra-groups");
  for (std::size_t begin = 0; !extra.empty() && begin <= extra.size();) {
    const std::size_t end = std::min(extra.find(',', begin), extra.size());
    const std::string group = extra.substr(begin, end - begin);
    if (!is_bootstrap_group(group)) return std::nullopt;
    groups.insert(group);
    begin = end + 1;
  }
  return groups;
}

}  // namespace

Authentication BootstrapTokens::authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                             const apiserver::FindObject& find) const {
  Authentication none = Authentication::no_opinion();
  std::vector<std::string> audiences = in_common(audiences_, wanted);
  if (!has_form_of_token(token) || audiences.empty()) return none;
  const std::string id(token.substr(0, kIdSize));
  const std::string_view given = token.substr(kIdSize + 1);
  const std::optional<Object> secret = find({"", "secrets", "kube-system", "bootstrap-token-" + id});
  if (!secret || !member(*secret, "metadata", "deletionTimestamp").is_null()) return none;
  if (text(*secret, "type") != "bootstrap.kubernetes.io/token") return none;
  const std::string expected = datum(*secret, "token-secret");
  if (expected.size() != given.size() || CRYPTO_memcmp(expected.data(), given.data(), given.size()) != 0) return none;
  if (datum(*secret, "token-id") != id || is_expired(datum(*secret, "expiration"), clock_())) return none;
  if (datum(*secret, "usage-bootstrap-authentication") != "true") return none;
  const auto groups = groups_of(*secret);
  if (!groups) return none;
  return {Subject{"system:bootstrap:" + id, {groups->begin(), groups->end()}, "", {}}, std::move(audiences), {}};
}

}  // namespace nodebound::authentication
