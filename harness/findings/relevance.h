#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/release/release.h"
#include "reference/release/release_range.h"

namespace nodebound {

/// When something matters on the way from one release to another.
struct Relevance {
  bool before = false;                  ///< at the release one comes from
  bool then = false;                    ///< at the release one is going to
  std::string since;                    ///< the first release of those up to there; empty: all of them
  std::vector<std::string> put_off_by;  ///< gates that make it matter no more there: `Name=false`
};

/// An upgrade: what matters in it.
class Upgrade {
 public:
  /// Without `from`, nothing mattered before. `gates` were set by the user. The catalogue must outlive it.
  Upgrade(const Catalogue& catalogue, std::optional<Release> from, Release to, GateSettings gates)
      : catalogue_(catalogue), from_(std::move(from)), to_(std::move(to)), gates_(std::move(gates)) {}

  /// Of what matters where one of the ranges holds; without ranges, in every release.
  [[nodiscard]] Relevance relevance(const std::vector<ReleaseRange>& ranges) const;

  [[nodiscard]] const std::optional<Release>& from() const { return from_; }
  [[nodiscard]] const Release& to() const { return to_; }
  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }

 private:
  [[nodiscard]] std::string since(const std::vector<ReleaseRange>& ranges) const;
  [[nodiscard]] std::vector<std::string> put_off_by(const std::vector<ReleaseRange>& ranges) const;

  const Catalogue& catalogue_;
  std::optional<Release> from_;
  Release to_;
  GateSettings gates_;
};

}  // namespace nodebound
