#include "harness/findings/acceptances.h"

#include <algorithm>

#include "harness/objects/input_file.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

bool is_day(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
  }
  return true;
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      after_star = at;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

Result<Acceptances> Acceptances::read(std::string_view text, const std::string& file, std::string today) {
  Acceptances out;
  out.today_ = std::move(today);
  try {
    const toml::table table = parse_toml(text, file);
    TomlReader in(table);
    in.tables("accept", [&](const toml::table& one) {
      TomlReader entry(one);
      Entry read{entry.text("finding", true), entry.text("who"), entry.text("reason", true), entry.text("until", true),
                 file + ":" + std::to_string(one.source().begin.line)};
      entry.done();
      if (read.reason.empty()) throw TomlMistake(*one.get("reason"), "expected a reason");
      if (!is_day(read.until)) throw TomlMistake(*one.get("until"), "expected a day like \"2027-01-31\"");
      out.entries_.push_back(std::move(read));
    });
    in.done();
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
  return out;
}

Result<Acceptances> Acceptances::of_file(const std::string& file, std::string today) {
  if (file.empty()) return Acceptances();
  const Result<std::string> text = read_input(file, input_limit::configuration);
  if (!text) return tl::unexpected<Error>(text.error());
  return read(*text, file, std::move(today));
}

std::string Acceptances::reason_for(const Finding& finding) {
  for (Entry& entry : entries_) {
    const bool by_rule = std::find(finding.rules.begin(), finding.rules.end(), entry.finding) != finding.rules.end();
    if (entry.finding != finding.id && !by_rule) continue;
    if (!entry.who.empty() && !matches_pattern(entry.who, finding.who)) continue;
    entry.needed = true;
    if (!is_over(entry)) return entry.reason + " (until " + entry.until + ")";
  }
  return {};
}

std::vector<std::string> Acceptances::notes() const {
  std::vector<std::string> out;
  for (const Entry& entry : entries_) {
    if (!entry.needed) {
      out.push_back("no finding needs the acceptance at " + entry.where);
    } else if (is_over(entry)) {
      out.push_back("the acceptance at " + entry.where + " ended with " + entry.until);
    }
  }
  return out;
}

}  // namespace nodebound
