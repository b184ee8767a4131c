#include "harness/cli/compare_random.h"

#include <filesystem>
#include <iostream>

#include "harness/cli/commands.h"
#include "harness/cli/console.h"
#include "harness/endpoint/signals.h"
#include "harness/explore/random_comparison.h"
#include "reports/files.h"

namespace nodebound {
namespace {

constexpr std::size_t shown_of_each_sort = 20;

Result<void> check_disposable(const RandomFlags& flags, const OpenSides& sides) {
  for (const OpenSide* side : {&sides.a, &sides.b}) {
    if (side->target.endpoint->disposable() || flags.disposable) continue;
    return input_error("--random", side->name + " may be in use: objects of any name would be changed and deleted",
                       "with --disposable you say that it is for nothing else");
  }
  return {};
}

}  // namespace

void RandomFlags::add_to(CLI::App& command) {
  command
      .add_option("--random", requests,
                  "Ask this many requests of all kinds of users, drawn by --seed, in place of scenarios")
      ->check(CLI::PositiveNumber);
  command.add_flag("--disposable", disposable, "For --random: targets given by kubeconfig may be spoilt, too");
}

int compare_by_chance(const RandomFlags& flags, OpenSides& sides, std::uint64_t seed, const std::string& out,
                      const std::string& format, bool verbose) {
  if (Result<void> done = check_disposable(flags, sides); !done) return fail(done.error());
  const ApiResources resources(sides.b.target.rules->release(), RuntimeConfig::defaults);
  ProgressBar progress(std::cerr, flags.requests, progress_style());
  RandomComparisonOptions options;
  options.seed = seed;
  options.requests = flags.requests;
  options.asked = [&] { progress.advance(Verdict::pass, ""); };
  const Result<RandomComparison> comparison =
      compare_at_random(*sides.a.target.endpoint, *sides.b.target.endpoint, resources, options);
  progress.finish();
  if (!comparison) return fail(comparison.error());
  if (!out.empty()) {
    const std::filesystem::path file = std::filesystem::path(out) / "random.json";
    if (Result<void> written = write_file(file, to_json(*comparison)); !written) return fail(written.error());
  }
  std::cout << (format == "json" ? to_json(*comparison) : to_terminal(*comparison, verbose ? 0 : shown_of_each_sort));
  if (interrupted()) return could_not_tell;
  return comparison->other_decisions + comparison->other_statuses == 0 ? conforms : does_not_conform;
}

}  // namespace nodebound
