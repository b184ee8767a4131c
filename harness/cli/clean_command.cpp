#include <filesystem>
#include <iostream>

#include "harness/cli/commands.h"
#include "harness/cli/target.h"
#include "harness/endpoint/signals.h"
#include "harness/run/administrator.h"

namespace nodebound {
namespace {

struct CleanFlags {
  TargetFlags target;
  std::string out = "out";
};

int clean(const CleanFlags& flags) {
  const std::filesystem::path journal = std::filesystem::path(flags.out) / "journal.txt";
  if (!std::filesystem::exists(journal)) {
    std::cout << "Nothing to clean: " << journal.string() << " does not exist, as after a run that cleaned up\n";
    return conforms;
  }
  Result<std::vector<std::string>> paths = Journal::read(journal);
  if (!paths) return fail(paths.error());
  install_signal_handlers();
  Result<Target> target = open_target(flags.target, Catalogue::built_in());
  if (!target) return fail(target.error());
  const std::unique_ptr<Session> session = target->endpoint->open_session();
  std::size_t left = 0;
  for (const std::string& path : *paths) {
    if (Result<void> removed = delete_object(*session, target->endpoint->administrator(), path); !removed) {
      std::cerr << "nodebound: " << removed.error().text() << '\n';
      ++left;
    }
  }
  if (left > 0) return could_not_tell;
  std::filesystem::remove(journal);
  std::cout << "Removed what the run had made: " << paths->size() << " objects\n";
  return conforms;
}

}  // namespace

void add_clean_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CleanFlags>();
  flags->target.target = "kubeconfig";
  CLI::App* command = app.add_subcommand("clean", "Remove what a run that was killed left on a cluster");
  flags->target.add_to(*command);
  command->add_option("--out", flags->out, "Folder of that run's reports, with its journal")->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = clean(*flags); });
}

}  // namespace nodebound
