#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/cli/deviation_flags.h"
#include "harness/cli/target.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/run/selection.h"

namespace nodebound::cli {

/// Flags of `nodebound run` for a kubelet that is running already.
struct RunningKubeletFlags {
  std::string files;          ///< folder; empty: a folder inside that of the reports
  std::string configuration;  ///< file
  std::string cluster;        ///< a target; empty: the suite answers the reviews
  std::string node;
  std::string authority;  ///< file
  std::string fingerprint;

  void add_to(CLI::App& command);
};

/// `nodebound run --target kubelet:…`: the flags of `run` that apply to it.
struct KubeletRunFlags {
  TargetFlags target;
  RunningKubeletFlags running;
  std::string scenarios;  ///< folder
  Selection selection;
  std::uint64_t seed = 1;
  std::string out;  ///< folder
  bool fail_fast = false;
  bool dry_run = false;
  bool verbose = false;
  bool quiet = false;   ///< shows no progress
  bool github = false;  ///< adds to the summary of the GitHub job
  DeviationFlags deviations = {};
};

inline constexpr std::string_view kubelet_target = "kubelet:";

/// The release that kubelets are judged by. They do not say it themselves.
Result<Release> release_of_kubelets(const TargetFlags& target, const Catalogue& catalogue);

/// Runs scenarios that were narrowed to the release of `rules`, shows the progress, and describes the run, but not its
/// times. The error is that of an exception.
Result<Report> run_kubelets(const std::vector<kubelet_conformance::KubeletScenario>& scenarios,
                            kubelet_conformance::KubeletSource& kubelets, kubelet_conformance::KubeletCluster& cluster,
                            const RuleSet& rules, const KubeletRunFlags& flags);

/// Asks a running kubelet at a URL, or starts one for each scenario by a command. Prints what conforms and writes the
/// reports. Returns the exit code.
int run_against_kubelet(const KubeletRunFlags& flags);

}  // namespace nodebound::cli
