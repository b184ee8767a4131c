#include "harness/cli/compare/compare_random.h"

#include <filesystem>
#include <iostream>
#include <map>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/explore/random_comparison.h"
#include "reports/files.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

constexpr std::size_t shown_of_each_sort = 20;

Result<void> check_sides(const RandomFlags& flags, const OpenSides& sides) {
  for (const OpenSide* side : {&sides.a, &sides.b}) {
    if (const auto lack = side->target.endpoint->capabilities().lacks(Capability::request)) {
      return input_error("--random", side->name + " cannot be asked at random: " + *lack,
                         "`nodebound explore` asks authorizers alone at random");
    }
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
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_flag("--disposable", disposable, "For --random: targets given by kubeconfig may be spoilt, too");
  static const std::map<std::string, explore::Agreement> differences = {
      {"decision", explore::Agreement::other_decision},
      {"status", explore::Agreement::other_status},
      {"message", explore::Agreement::other_message},
      {"object", explore::Agreement::other_object},
      {"warning", explore::Agreement::other_warnings}};
  command
      .add_option("--fail-on", fail_on,
                  "For --random: the least difference that ends with 1: decision, status, message, object or warning, "
                  "each with those before it (default: status)")
      ->transform(CLI::CheckedTransformer(differences))
      ->option_text("WHAT");
}

int compare_by_chance(const RandomFlags& flags, OpenSides& sides, std::uint64_t seed, const ComparisonOutput& output) {
  if (Result<void> done = check_sides(flags, sides); !done) return fail(done.error());
  const std::string folder = output.out.empty() ? "out" : output.out;
  Endpoint& a = *sides.a.target.endpoint;
  Endpoint& b = *sides.b.target.endpoint;
  const std::string run_of_a = make_run_id(a, seed);
  const std::string run_of_b = make_run_id(b, seed);
  const Result<SideJournal> of_a = side_journal(a, folder, "a", run_of_a, sides.a.target_text);
  if (!of_a) return fail(of_a.error());
  const Result<SideJournal> of_b = side_journal(b, folder, "b", run_of_b, sides.b.target_text);
  if (!of_b) return fail(of_b.error());
  explore::ComparedServer asked_a{a, *of_a->journal, run_of_a};
  explore::ComparedServer asked_b{b, *of_b->journal, run_of_b};
  const ApiResources resources(sides.b.target.rules->release(), RuntimeConfig::defaults);
  ProgressBar progress(std::cerr, flags.requests, progress_style(output.quiet));
  explore::RandomComparisonOptions options;
  options.seed = seed;
  options.requests = flags.requests;
  options.asked = [&] { progress.advance(Verdict::pass, ""); };
  const Result<explore::RandomComparison> comparison = explore::compare_at_random(asked_a, asked_b, resources, options);
  progress.finish();
  const int left_a = report_clean_up(asked_a.left, *of_a, sides.a.target_text);
  const int left_b = report_clean_up(asked_b.left, *of_b, sides.b.target_text);
  if (!comparison) return fail(comparison.error());
  if (!output.out.empty()) {
    const std::filesystem::path file = std::filesystem::path(output.out) / "random.json";
    if (Result<void> written = write_file(file, printable_json(to_json(*comparison))); !written)
      return fail(written.error());
  }
  std::cout << (output.format == "json"
                    ? printable_json(to_json(*comparison))
                    : printable_page(to_terminal(*comparison, output.verbose ? 0 : shown_of_each_sort)));
  if (interrupted() || left_a != conforms || left_b != conforms) return could_not_tell;
  return comparison->differs_in(flags.fail_on) ? does_not_conform : conforms;
}

}  // namespace nodebound::cli
