#include "reference/release/release_range.h"

#include <algorithm>

#include "reference/release/release.h"

namespace nodebound {
namespace {

std::vector<Version> read_since(TomlReader& in) {
  std::vector<Version> out;
  const toml::node* node = in.find("since");
  if (node == nullptr) return out;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& item : *array) out.push_back(TomlReader::version_of(item));
  } else {
    out.push_back(TomlReader::version_of(*node));
  }
  if (out.empty() || !std::is_sorted(out.begin(), out.end())) throw TomlMistake(*node, "expected the oldest first");
  return out;
}

// The word before the next blank, which it removes.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

}  // namespace

ReleaseRange ReleaseRange::read_versions(TomlReader& in) {
  ReleaseRange range{read_since(in), in.version("until"), {}, {}, {}};
  if (range.until && !range.since.empty() && *range.until <= range.since.back()) {
    throw TomlMistake(in.required("until"), "expected a later release than that of \"since\"");
  }
  return range;
}

ReleaseRange ReleaseRange::read(TomlReader& in) {
  ReleaseRange range = read_versions(in);
  range.gates = in.texts("gates");
  range.any_gate = in.texts("any_gate");
  range.unless_gates = in.texts("unless_gates");
  return range;
}

ReleaseRange ReleaseRange::read_within(TomlReader& in, const ReleaseRange& releases) {
  const std::string known =
      "; there are those from " + releases.since.front().text() + " to before " + releases.until->text();
  const auto check = [&](const char* key, bool is_known) {
    if (const toml::node* node = in.find(key); node != nullptr && !is_known) {
      throw TomlMistake(*node, "no release " + TomlReader::version_of(*node).text() + " is known" + known);
    }
  };
  const std::optional<Version> since = in.version("since");
  const std::optional<Version> until = in.version("until");
  check("since", since && releases.contains(*since));
  check("until", until && *until > releases.since.front() && *until <= *releases.until);
  return read_versions(in);
}

std::optional<ReleaseRange> ReleaseRange::parse(std::string_view text) {
  ReleaseRange range;
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    const std::optional<Version> version = Version::parse(take_word(text));
    if (!version || (word != "since" && word != "until")) return std::nullopt;
    if (word == "since") {
      range.since = {*version};
    } else {
      range.until = version;
    }
  }
  return range;
}

bool ReleaseRange::contains(const Version& version) const {
  if (ends_before(version)) return false;
  if (since.empty() || version >= since.back()) return true;
  return std::any_of(since.begin(), since.end(),
                     [&](const Version& first) { return first.same_minor(version) && version >= first; });
}

bool ReleaseRange::holds(const Release& release) const {
  const auto is_on = [&](const std::string& gate) { return release.is_on(gate); };
  return contains(release.version) && std::all_of(gates.begin(), gates.end(), is_on) &&
         (any_gate.empty() || std::any_of(any_gate.begin(), any_gate.end(), is_on)) &&
         std::none_of(unless_gates.begin(), unless_gates.end(), is_on);
}

std::vector<Version> ReleaseRange::versions() const {
  std::vector<Version> out = since;
  if (until) out.push_back(*until);
  return out;
}

ReleaseRange ReleaseRange::narrowed_to(const ReleaseRange& other) const {
  ReleaseRange out = *this;
  if (out.since < other.since) out.since = other.since;
  if (other.until && (!out.until || *other.until < *out.until)) out.until = other.until;
  return out;
}

std::string ReleaseRange::text() const {
  if (!since.empty() && until) return "from " + since.front().text() + " to before " + until->text();
  if (!since.empty()) return "from " + since.front().text() + " on";
  return until ? "before " + until->text() : std::string();
}

std::vector<ReleaseRange> read_ranges(TomlReader& in) {
  std::vector<ReleaseRange> ranges;
  in.tables("in_force", [&](const toml::table& table) {
    TomlReader range(table);
    ranges.push_back(ReleaseRange::read(range));
    range.done();
  });
  if (ranges.empty()) ranges.push_back(ReleaseRange::read(in));
  return ranges;
}

bool any_holds(const std::vector<ReleaseRange>& ranges, const Release& release) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const ReleaseRange& range) { return range.holds(release); });
}

}  // namespace nodebound
