#include "harness/deviations/deviation_file.h"

#include <charconv>
#include <set>

#include "reference/release/toml_reader.h"
#include "reports/text.h"

namespace nodebound::deviations {
namespace {

// An entry with a pattern is held against every check.
constexpr std::size_t most_entries = 10'000;
constexpr std::size_t longest_text = 2'000;

// Reports show these texts.
std::string plain_text(TomlReader& in, std::string_view key) {
  const toml::node& node = in.required(key);
  std::string out = TomlReader::string_of(node);
  if (out.size() > longest_text) {
    throw TomlMistake(node, "expected at most " + std::to_string(longest_text) + " bytes");
  }
  if (out != printable(out)) throw TomlMistake(node, "expected one line without control characters");
  return out;
}

std::string required_text(TomlReader& in, std::string_view key) {
  std::string out = plain_text(in, key);
  if (out.empty()) throw TomlMistake(in.required(key), "expected a text");
  return out;
}

std::string issue_of(TomlReader& in) {
  std::string out = plain_text(in, "issue");
  if (out.empty() || out.starts_with("https://") || out.starts_with("http://")) return out;
  throw TomlMistake(in.required("issue"), "expected the URL of an issue");
}

std::string last_day_of(TomlReader& in) {
  const toml::node& node = in.required("expires");
  const toml::value<toml::date>* date = node.as_date();
  if (date == nullptr) throw TomlMistake(node, "expected a day without quotes, like 2027-01-31");
  const toml::date& day = date->get();
  return text_of(std::chrono::sys_days(std::chrono::year_month_day(
      std::chrono::year(day.year), std::chrono::month(day.month), std::chrono::day(day.day))));
}

DeclaredEntry entry_of(const toml::table& table) {
  TomlReader in(table);
  DeclaredEntry out;
  out.line = table.source().begin.line;
  out.deviation.checks = required_text(in, "checks");
  out.deviation.observed = required_text(in, "observed");
  out.deviation.reason = plain_text(in, "reason");
  out.deviation.issue = issue_of(in);
  out.deviation.expires = last_day_of(in);
  in.done();
  return out;
}

}  // namespace

Result<DeviationFile> parse_deviations(std::string_view text, const std::string& name) {
  DeviationFile out{name, std::string(text), {}};
  try {
    const toml::table document = parse_toml(text, name);
    TomlReader in(document);
    std::set<std::string> checks;
    in.tables("deviation", [&](const toml::table& table) {
      out.entries.push_back(entry_of(table));
      if (!checks.insert(out.entries.back().deviation.checks).second) {
        throw TomlMistake(table, "there is an entry for \"" + out.entries.back().deviation.checks + "\" already");
      }
      if (checks.size() > most_entries) {
        throw TomlMistake(table, "expected at most " + std::to_string(most_entries) + " entries");
      }
    });
    in.done();
  } catch (const toml::parse_error& error) {
    return toml_error(name, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(name, mistake);
  }
  return out;
}

Result<void> require_filled_in(const DeviationFile& file) {
  for (const DeclaredEntry& entry : file.entries) {
    if (entry.is_filled_in()) continue;
    return input_error(file.name + ":" + std::to_string(entry.line),
                       std::string("the deviation has no ") + (entry.deviation.reason.empty() ? "reason" : "issue"),
                       "say why it deviates, and where its mending is followed");
  }
  return {};
}

std::optional<std::chrono::sys_days> day_of(std::string_view text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const auto number = [&](std::size_t at, std::size_t length, auto& value) {
    const char* const end = text.data() + at + length;
    return std::from_chars(text.data() + at, end, value) == std::from_chars_result{end, std::errc()};
  };
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (!number(0, 4, year) || !number(5, 2, month) || !number(8, 2, day)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

std::string text_of(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  const auto padded = [](auto number, std::size_t width) {
    std::string out = std::to_string(number);
    return std::string(width - std::min(width, out.size()), '0') + out;
  };
  return padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2);
}

}  // namespace nodebound::deviations
