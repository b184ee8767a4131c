#include "harness/cli/shell/command_line.h"

#include <algorithm>

namespace nodebound::cli {
namespace {

// A value that must be one of several has the type `TEXT:{table,json,markdown}`.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

DescribedOption described_option(const CLI::Option& option) {
  DescribedOption out;
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  if (out.names.empty()) out.names.push_back(option.get_name(true));
  out.text = option.get_description();
  out.has_value = option.get_items_expected_max() > 0;
  out.choices = choices_of(option.get_type_name());
  out.value = option.get_type_name().substr(0, option.get_type_name().find(':'));
  out.default_value = option.get_default_str();
  return out;
}

DescribedCommand described_below(const CLI::App& app, const std::string& path) {
  DescribedCommand out{path, path.empty() ? "nodebound" : app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) out.options.push_back(described_option(*option));
  }
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_group().empty()) continue;
    out.commands.push_back(described_below(*each, path.empty() ? each->get_name() : path + " " + each->get_name()));
  }
  return out;
}

}  // namespace

DescribedCommand described(const CLI::App& app) {
  return described_below(app, "");
}

const DescribedCommand& command_of(const DescribedCommand& program, const std::vector<std::string>& words) {
  const DescribedCommand* out = &program;
  for (const std::string& word : words) {
    const auto below = std::find_if(out->commands.begin(), out->commands.end(),
                                    [&](const DescribedCommand& each) { return each.name == word; });
    if (below == out->commands.end()) {
      if (out == &program && word.starts_with('-')) continue;
      break;
    }
    out = &*below;
  }
  return *out;
}

const DescribedOption* find_option(const DescribedCommand& command, const std::string& name) {
  for (const DescribedOption& option : command.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

}  // namespace nodebound::cli
