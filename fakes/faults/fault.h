#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound::faults {

/// One fault: what goes wrong, for which requests, and how often.
///
/// Written as `latency=200ms;path=/api/v1/secrets*;p=0.1;seed=7`, or as a JSON object with the same names.
struct Fault {
  enum class Kind { latency, status, reset, drop_watch, expired, stale, lag };
  enum class Reset { before, after, body };

  /// A range with both bounds included; times are in milliseconds.
  struct Range {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
  };

  Kind kind = Kind::latency;
  Range amount;                   ///< time, versions or events, depending on the kind
  bool amount_is_time = false;    ///< of drop_watch, which also takes events
  int status = 0;                 ///< 429 or 500
  std::uint64_t retry_after = 1;  ///< seconds, of 429
  Reset reset = Reset::before;

  std::string path;      ///< `*` stands for any text; empty: any
  std::string user;      ///< likewise
  std::string verb;      ///< likewise
  std::string resource;  ///< likewise, as in `leases.coordination.k8s.io`

  double probability = 1;
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> times;  ///< at most this often

  Object source;  ///< as it was given, in JSON

  static Result<Fault> parse(std::string_view text);
  static Result<Fault> from_json(const Object& object);

  /// Whether the seed lets the nth matching request be hit, counted from 0.
  [[nodiscard]] bool hits(std::uint64_t n) const;
  /// The amount for the nth request.
  [[nodiscard]] std::uint64_t amount_of(std::uint64_t n) const;
  /// Where to cut something of that size for the nth request; never at its end.
  [[nodiscard]] std::size_t cut_of(std::uint64_t n, std::size_t size) const;
};

/// Whether `text` matches `pattern`, in which `*` stands for any text; an empty pattern matches everything.
bool fits_pattern(std::string_view pattern, std::string_view text);

}  // namespace nodebound::faults
