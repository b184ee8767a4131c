#pragma once

#include <string>

#include "harness/run/runner.h"

namespace nodebound {

/// `nodebound run --target kubelet:COMMAND`: what the flags of `run` say of it.
struct KubeletRunFlags {
  std::string command;
  std::string release;
  std::string feature_gates;
  std::string scenarios;  ///< folder
  Selection selection;
  std::string out;  ///< folder
  bool dry_run = false;
  bool verbose = false;
};

/// Starts the kubelet once for each scenario, says what conforms, and writes the reports. Returns the exit code.
int run_against_kubelet(const KubeletRunFlags& flags);

}  // namespace nodebound
