#include "fakes/wire/media_type.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

constexpr std::array<std::pair<MediaType, std::string_view>, 3> media_type_names = {
    {{MediaType::json, "application/json"},
     {MediaType::yaml, "application/yaml"},
     {MediaType::protobuf, "application/vnd.kubernetes.protobuf"}}};

constexpr std::string_view blanks = " \t";

// Each parameter is `name=value`; like Go's mime package, it accepts a semicolon at the end.
bool are_parameters(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view parameter = trimmed(text.substr(0, end), blanks);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (parameter.empty() && text.empty()) return true;
    const std::size_t equals = parameter.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == parameter.size()) return false;
  }
  return true;
}

}  // namespace

std::string_view name_of(MediaType type) {
  const auto* const found = std::find_if(media_type_names.begin(), media_type_names.end(),
                                         [&](const auto& own) { return own.first == type; });
  return found->second;
}

std::optional<MediaType> media_type_of(std::string_view content_type) {
  if (content_type.empty()) return MediaType::json;
  const std::size_t end = std::min(content_type.find(';'), content_type.size());
  const std::string_view type = trimmed(content_type.substr(0, end), blanks);
  const auto same = [&](const auto& own) {
    return std::equal(type.begin(), type.end(), own.second.begin(), own.second.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  };
  const auto* const found = std::find_if(media_type_names.begin(), media_type_names.end(), same);
  if (found == media_type_names.end()) return std::nullopt;
  if (end < content_type.size() && !are_parameters(content_type.substr(end + 1))) return std::nullopt;
  return found->first;
}

std::optional<GroupVersionKind> parse_group_version(std::string_view group_version) {
  if (group_version.empty() || group_version == "/") return GroupVersionKind();
  const std::size_t slash = group_version.find('/');
  if (slash == std::string_view::npos) return GroupVersionKind{"", std::string(group_version), ""};
  const std::string_view version = group_version.substr(slash + 1);
  if (version.find('/') != std::string_view::npos) return std::nullopt;
  return GroupVersionKind{std::string(group_version.substr(0, slash)), std::string(version), ""};
}

}  // namespace nodebound
