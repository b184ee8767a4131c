#include "reports/findings/finding.h"

#include <array>
#include <cstdint>

namespace nodebound {
namespace {

// FNV-1a, 64 bits. A fingerprint need only differ from those of the other findings of a report.
void mix(std::uint64_t& hash, const std::string& text) {
  constexpr std::uint64_t prime = 1'099'511'628'211U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  hash = (hash ^ 0xffU) * prime;
}

}  // namespace

std::string Finding::Place::text() const {
  if (file.empty()) return object;
  return line == 0 ? file : file + ":" + std::to_string(line);
}

const char* to_string(Finding::Level level) {
  switch (level) {
    case Finding::Level::error:
      return "error";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::note:
      break;
  }
  return "note";
}

std::string issue_url(const std::string& issue) {
  const std::size_t slash = issue.find('/');
  const std::size_t hash = issue.find('#');
  if (slash == std::string::npos || hash == std::string::npos || slash > hash) return {};
  return "https://github.com/" + issue.substr(0, hash) + "/issues/" + issue.substr(hash + 1);
}

std::string fingerprint_of(const Finding& finding) {
  constexpr std::array<char, 17> digits = {"0123456789abcdef"};
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  for (const std::string* part : {&finding.id, &finding.who, &finding.what, &finding.place.object}) mix(hash, *part);
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += digits[(hash >> static_cast<unsigned>(shift)) & 0xfU];
  return out;
}

}  // namespace nodebound
