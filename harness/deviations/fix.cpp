#include "harness/deviations/fix.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "harness/deviations/matching.h"
#include "harness/scenario/toml_json.h"

namespace nodebound::deviations {
namespace {

constexpr std::chrono::days time_to_mend{90};

constexpr const char* head_of_new_file =
    "# What this implementation does otherwise than the rules require, until it is mended. See\n"
    "# harness/deviations/README.md of Nodebound.\n";

std::string_view trimmed(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view() : line.substr(at);
}

/// The lines of a file, and which of them each entry has: its comment above it, and what follows up to the next.
class Blocks {
 public:
  static Result<Blocks> of(const DeviationFile& file) {
    Blocks out;
    std::istringstream in(file.text);
    for (std::string line; std::getline(in, line);) out.lines_.push_back(line);
    std::size_t least = 0;
    for (const DeclaredEntry& entry : file.entries) {
      std::size_t at = entry.line - 1;
      if (at >= out.lines_.size() || !trimmed(out.lines_[at]).starts_with("[[")) {
        return input_error(file.name + ":" + std::to_string(entry.line), "--fix cannot rewrite this entry",
                           "expected it below a line [[deviation]] of its own");
      }
      while (at > least && is_comment(out.lines_[at - 1])) --at;
      out.begins_.push_back(at);
      least = entry.line;
    }
    return out;
  }

  [[nodiscard]] std::string head() const { return text(0, begins_.empty() ? lines_.size() : begins_.front()); }
  [[nodiscard]] std::string block(std::size_t entry) const {
    return text(begins_[entry], entry + 1 < begins_.size() ? begins_[entry + 1] : lines_.size());
  }

 private:
  static bool is_comment(std::string_view line) {
    line = trimmed(line);
    return line.starts_with('#') && !line.starts_with("#:");
  }

  [[nodiscard]] std::string text(std::size_t from, std::size_t to) const {
    std::string out;
    for (std::size_t i = from; i < to; ++i) out.append(lines_[i]).append("\n");
    return out;
  }

  std::vector<std::string> lines_;
  std::vector<std::size_t> begins_;
};

std::string text_of(const DeclaredDeviation& entry, const std::string& comment) {
  const auto line = [](const char* key, const std::string& text, const char* hint) {
    return std::string(key) + " = " + to_toml(Object(text)) + (text.empty() ? hint : "") + "\n";
  };
  return comment + "[[deviation]]\n" + line("checks", entry.checks, "") + line("observed", entry.observed, "") +
         line("reason", entry.reason, " # why, in a sentence") +
         line("issue", entry.issue, " # URL where its mending is followed") + "expires = " + entry.expires + "\n";
}

void append(std::string& out, const std::string& block) {
  if (!out.empty() && !out.ends_with("\n\n")) out += "\n";
  out += block;
}

}  // namespace

Result<FixedDeviations> fixed(const DeviationFile& file, const Report& report, std::chrono::sys_days today,
                              const KnownChecks& known) {
  const Result<Blocks> blocks = Blocks::of(file);
  if (!blocks) return tl::unexpected<Error>(blocks.error());
  const std::vector<EntryMatch> found = match(report, file);
  std::optional<std::vector<std::string>> all;
  const auto exists = [&](const std::string& pattern) {
    if (!all) all = known();
    return std::ranges::any_of(*all, [&](const std::string& id) { return matches(pattern, id); });
  };
  FixedDeviations out;
  out.text = file.text.empty() ? head_of_new_file : blocks->head();
  std::vector<bool> declared(report.checks.size());
  // What was said before of a check that now does something else.
  std::map<std::size_t, const DeclaredDeviation*> before;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const DeclaredDeviation& entry = file.entries[i].deviation;
    for (const std::size_t number : found[i].met) declared[number] = true;
    for (const std::size_t number : found[i].other) before[number] = &entry;
    const bool stays = found[i].empty() ? exists(entry.checks) : found[i].holds();
    if (stays) {
      append(out.text, blocks->block(i));
      continue;
    }
    ++(found[i].met.empty() ? out.removed : out.split);
    for (const std::size_t number : found[i].met) {
      DeclaredDeviation one = entry;
      one.checks = report.checks[number].id;
      append(out.text, text_of(one, ""));
    }
  }
  for (std::size_t number = 0; number < report.checks.size(); ++number) {
    const CheckResult& check = report.checks[number];
    if (check.verdict != Verdict::fail || declared[number]) continue;
    const auto was = before.find(number);
    const std::string comment =
        was == before.end() ? "" : "# Before: " + was->second->observed + ": " + was->second->reason + "\n";
    append(out.text, text_of({check.id, observed_of(check), "", "", text_of(today + time_to_mend)}, comment));
    ++out.added;
  }
  return out;
}

}  // namespace nodebound::deviations
