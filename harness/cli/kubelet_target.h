#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/cli/target.h"
#include "harness/run/selection.h"

namespace nodebound {

/// Flags of `nodebound run` that are about a kubelet that runs already.
struct RunningKubeletFlags {
  std::string files;          ///< folder; empty: below that of the reports
  std::string configuration;  ///< file
  std::string cluster;        ///< a target; empty: the suite answers the reviews
  std::string node;
  std::string authority;  ///< file
  std::string fingerprint;

  void add_to(CLI::App& command);
};

/// `nodebound run --target kubelet:…`: what the flags of `run` say of it.
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
};

inline constexpr std::string_view kubelet_target = "kubelet:";

/// Asks a kubelet that runs already, at an URL, or starts one for each scenario, by a command; says what conforms, and
/// writes the reports. Returns the exit code.
int run_against_kubelet(const KubeletRunFlags& flags);

}  // namespace nodebound
