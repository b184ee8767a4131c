#include "reference/identity/bearer_token.h"

#include <algorithm>

namespace nodebound {

std::string_view bearer_token(std::string_view header) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!header.empty() && is_blank(header.front())) header.remove_prefix(1);
  while (!header.empty() && is_blank(header.back())) header.remove_suffix(1);
  const std::size_t blank = header.find(' ');
  if (blank == std::string_view::npos) return {};
  constexpr std::string_view scheme = "bearer";
  const std::string_view own = header.substr(0, blank);
  const bool is_bearer = std::equal(own.begin(), own.end(), scheme.begin(), scheme.end(),
                                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  if (!is_bearer) return {};
  const std::string_view rest = header.substr(blank + 1);
  return rest.substr(0, rest.find(' '));
}

Subject authenticated(Subject subject) {
  const bool is_said = subject.name == "system:anonymous" || subject.in_group("system:authenticated") ||
                       subject.in_group("system:unauthenticated");
  if (!is_said) subject.groups.emplace_back("system:authenticated");
  return subject;
}

Subject anonymous_subject() {
  return {"system:anonymous", {"system:unauthenticated"}, "", {}};
}

}  // namespace nodebound
