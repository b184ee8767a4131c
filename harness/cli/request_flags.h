#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "harness/endpoint/https_client.h"

namespace nodebound::cli {

/// A duration as Go and kubectl read them: `90s`, `1m30s`, `500ms`. Throws what CLI11 shows for a bad flag.
std::chrono::milliseconds read_time(const std::string& text, std::chrono::milliseconds least);

/// Flags that limit the time and size of requests to a target, named as kubectl names them.
struct RequestFlags {
  RequestLimits limits;
  std::chrono::milliseconds run_time = std::chrono::hours(2);

  void add_to(CLI::App& command);
};

}  // namespace nodebound::cli
