#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "harness/endpoint/https_client.h"

namespace nodebound {

/// Flags that bound what a target may cost, in kubectl's words.
struct RequestFlags {
  RequestLimits limits;
  std::chrono::milliseconds run_time = std::chrono::hours(2);

  void add_to(CLI::App& command);
};

}  // namespace nodebound
