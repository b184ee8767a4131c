#include "harness/explore/normal_forms.h"

#include <algorithm>
#include <re2/re2.h>
#include <stdexcept>

#include "reference/release/toml_reader.h"

namespace nodebound::data {

std::string_view normal_forms_text();

}  // namespace nodebound::data

namespace nodebound::explore {
namespace {

constexpr std::string_view normal_file = "harness/explore/normal.toml";

std::string sorted_parts(std::string_view list, std::string_view divider) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(list.find(divider), list.size());
    parts.emplace_back(list.substr(0, end));
    if (end == list.size()) break;
    list.remove_prefix(end + divider.size());
  }
  std::sort(parts.begin(), parts.end());
  std::string out;
  for (const std::string& part : parts) out.append(out.empty() ? "" : divider).append(part);
  return out;
}

// Sorts the list that the first group of the form finds.
void sort_list(std::string& text, const re2::RE2& form, std::string_view divider) {
  re2::StringPiece list;
  if (!re2::RE2::PartialMatch(text, form, &list)) return;
  const auto at = static_cast<std::size_t>(list.data() - text.data());
  const std::string sorted = sorted_parts({list.data(), list.size()}, divider);
  text.replace(at, list.size(), sorted);
}

}  // namespace

Result<NormalForms> NormalForms::parse(std::string_view text) {
  try {
    NormalForms out;
    const toml::table file = parse_toml(text, normal_file);
    TomlReader in(file);
    in.tables("normal", [&](const toml::table& table) {
      TomlReader entry(table);
      Form form;
      const std::string name = entry.text("name", true);
      re2::RE2::Options options(re2::RE2::Quiet);
      options.set_dot_nl(true);
      form.form = std::make_shared<const re2::RE2>(entry.text("form", true), options);
      form.by = entry.find("by") == nullptr ? "{" + name + "}" : entry.text("by");
      form.divider = entry.text("sorted");
      form.objects = entry.flag("objects");
      entry.text("reason", true);
      entry.done();
      std::string wrong = form.form->error();
      if (wrong.empty() && form.divider.empty()) form.form->CheckRewriteString(form.by, &wrong);
      if (wrong.empty() && !form.divider.empty() && form.form->NumberOfCapturingGroups() != 1)
        wrong = "what is sorted must have one group";
      if (!wrong.empty()) throw TomlMistake(table, "the form of \"" + name + "\" is wrong: " + wrong);
      out.forms_.push_back(std::move(form));
    });
    in.done();
    return out;
  } catch (const toml::parse_error& error) {
    return toml_error(normal_file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(normal_file, mistake);
  }
}

const NormalForms& NormalForms::built_in() {
  static const NormalForms forms = [] {
    Result<NormalForms> parsed = parse(data::normal_forms_text());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return forms;
}

std::string NormalForms::normal(std::string text, bool is_object) const {
  for (const Form& form : forms_) {
    if (form.objects && !is_object) continue;
    if (form.divider.empty()) {
      re2::RE2::GlobalReplace(&text, *form.form, form.by);
    } else {
      sort_list(text, *form.form, form.divider);
    }
  }
  return text;
}

}  // namespace nodebound::explore
