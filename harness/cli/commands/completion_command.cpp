#include <iostream>
#include <memory>

#include "harness/cli/commands/commands.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/shell/completion.h"
#include "harness/cli/shell/manual.h"
#include "harness/scenario/loader.h"
#include "reference/release/minors.h"

namespace nodebound::cli {
namespace {

int print_profiles(const std::string& scenarios) {
  const Result<Profiles> profiles = profiles_of(scenarios);
  if (!profiles) return fail(profiles.error());
  const Result<Profiles> of_kubelets = kubelet_profiles_of(scenarios);
  if (!of_kubelets) return fail(of_kubelets.error());
  for (const Profiles& each : {*profiles, *of_kubelets}) {
    for (const auto& [name, profile] : each) std::cout << name << '\n';
  }
  return conforms;
}

int print_words(const std::string& kind, const std::string& scenarios) {
  if (kind == "profiles") return print_profiles(scenarios);
  const Catalogue& catalogue = Catalogue::built_in();
  if (kind == "rules") {
    for (const RuleEntry& rule : catalogue.rules()) std::cout << rule.id << '\n';
  } else {
    for (const Version& minor : minors_of(catalogue)) std::cout << minor.minor_text() << '\n';
  }
  return conforms;
}

}  // namespace

void add_completion_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("completion", "Print what completes commands and flags in a shell");
  command->require_subcommand(1);
  const auto add = [&](const char* shell, const char* text, std::string (*script)(const DescribedCommand&)) {
    command->add_subcommand(shell, text)->callback([&app, &exit_code, script] {
      std::cout << script(described(app));
      exit_code = conforms;
    });
  };
  add("bash", "For bash: source it, or write it to ~/.local/share/bash-completion/completions/nodebound",
      bash_completion);
  add("zsh", "For zsh: write it to _nodebound in a folder of $fpath", zsh_completion);
  add("fish", "For fish: write it to ~/.config/fish/completions/nodebound.fish", fish_completion);
  auto kind = std::make_shared<std::string>();
  auto scenarios = std::make_shared<std::string>();
  CLI::App* words = command->add_subcommand("words", "The profiles, releases or ids of rules, one a line");
  words->add_option("kind", *kind, "profiles, releases or rules")
      ->required()
      ->check(CLI::IsMember({"profiles", "releases", "rules"}));
  add_scenarios_option(*words, *scenarios);
  words->callback([kind, scenarios, &exit_code] { exit_code = print_words(*kind, *scenarios); });
}

void add_man_command(CLI::App& app, int& exit_code) {
  app.add_subcommand("man", "Print the manual page: nodebound man | man -l -")->callback([&app, &exit_code] {
    std::cout << manual_page(described(app), NODEBOUND_VERSION);
    exit_code = conforms;
  });
}

}  // namespace nodebound::cli
