#include "harness/cli/request_flags.h"

#include <limits>

#include "fakes/wire/go/go_duration.h"

namespace nodebound::cli {
namespace {

using std::chrono::milliseconds;

/// Sizes as Kubernetes writes quantities: `8Mi`, `512Ki`, or bytes.
std::size_t read_size(const std::string& text) {
  constexpr std::size_t least = 64 * 1024;
  constexpr std::size_t most = std::size_t{4} * 1024 * 1024 * 1024;
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string unit = text.substr(end);
  const std::size_t scale = unit.empty() ? 1 : unit == "Ki" ? 1024 : unit == "Mi" ? 1024 * 1024 : 0;
  const std::size_t size = end == 0 || end > 10 ? 0 : std::stoul(text.substr(0, end)) * scale;
  if (size >= least && size <= most) return size;
  throw CLI::ValidationError("\"" + text + "\" is not such a size: expected one like 8Mi, from 64Ki to 4096Mi");
}

}  // namespace

milliseconds read_time(const std::string& text, milliseconds least) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const auto time = parse_go_duration(text);
  const std::int64_t found = time ? *time / 1'000'000 : -1;
  if (time && found >= least.count() && found <= most) return milliseconds(found);
  throw CLI::ValidationError("\"" + text + "\" is not such a time: expected one like 90s or 1m30s, from " +
                             go_duration(least.count()) + " to " + go_duration(most));
}

void RequestFlags::add_to(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--request-timeout",
          [this](const std::string& text) {
            limits.answer = read_time(text, milliseconds(1));
            limits.connect = std::min(limits.connect, limits.answer);
          },
          "How long one request may take, its whole answer included")
      ->default_str("60s");
  command
      .add_option_function<std::string>(
          "--timeout", [this](const std::string& text) { run_time = read_time(text, milliseconds(0)); },
          "How long all may take; then what was made is removed, and the rest is inconclusive. 0s: as long as it takes")
      ->default_str("2h");
  command
      .add_option_function<std::string>(
          "--list-limit", [this](const std::string& text) { limits.list = read_size(text); },
          "How long a list may be that the target answers with")
      ->default_str("8Mi");
}

}  // namespace nodebound::cli
