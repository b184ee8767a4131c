#include "reference/identity/bearer_token.h"

#include <algorithm>
#include <array>

namespace nodebound {
namespace {

/// Unicode's white space in UTF-8, all of which strings.TrimSpace removes.
constexpr std::array<std::string_view, 25> kSpaces{" ",
                                                   "\t",
                                                   "\n",
                                                   "\v",
                                                   "\f",
                                                   "\r",
                                                   "\xc2\x85",
                                                   "\xc2\xa0",
                                                   "\xe1\x9a\x80",
                                                   "\xe2\x80\x80",
                                                   "\xe2\x80\x81",
                                                   "\xe2\x80\x82",
                                                   "\xe2\x80\x83",
                                                   "\xe2\x80\x84",
                                                   "\xe2\x80\x85",
                                                   "\xe2\x80\x86",
                                                   "\xe2\x80\x87",
                                                   "\xe2\x80\x88",
                                                   "\xe2\x80\x89",
                                                   "\xe2\x80\x8a",
                                                   "\xe2\x80\xa8",
                                                   "\xe2\x80\xa9",
                                                   "\xe2\x80\xaf",
                                                   "\xe2\x81\x9f",
                                                   "\xe3\x80\x80"};

std::string_view without_space(std::string_view text) {
  const auto begins = [&](std::string_view space) { return text.starts_with(space); };
  const auto ends = [&](std::string_view space) { return text.ends_with(space); };
  for (const auto* found = std::find_if(kSpaces.begin(), kSpaces.end(), begins); found != kSpaces.end();
       found = std::find_if(kSpaces.begin(), kSpaces.end(), begins)) {
    text.remove_prefix(found->size());
  }
  for (const auto* found = std::find_if(kSpaces.begin(), kSpaces.end(), ends); found != kSpaces.end();
       found = std::find_if(kSpaces.begin(), kSpaces.end(), ends)) {
    text.remove_suffix(found->size());
  }
  return text;
}

// What follows "Bearer" and one blank.
std::string_view credentials(std::string_view header) {
  header = without_space(header);
  const std::size_t blank = header.find(' ');
  if (blank == std::string_view::npos) return {};
  constexpr std::string_view scheme = "bearer";
  const std::string_view own = header.substr(0, blank);
  const bool is_bearer = std::equal(own.begin(), own.end(), scheme.begin(), scheme.end(),
                                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  return is_bearer ? header.substr(blank + 1) : std::string_view();
}

}  // namespace

std::string_view bearer_token(std::string_view header) {
  const std::string_view shown = credentials(header);
  return shown.substr(0, shown.find(' '));
}

bool hides_token(std::string_view header) {
  return credentials(header).starts_with(' ');
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
