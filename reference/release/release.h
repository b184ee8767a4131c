#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reference/release/version.h"
#include "reference/result.h"

namespace nodebound {

class Catalogue;

// behaviour_ids.h and kubelet_trait_ids.h have their values. Only code that names one includes them, and is rebuilt
// when a data file gets another.
enum class Behaviour : std::uint16_t;
enum class KubeletTrait : std::uint16_t;

/// Feature gates by name, on or off.
using GateSettings = std::map<std::string, bool>;

/// The settings as a flag writes them: `A=true,B=false`.
std::string to_flag(const GateSettings& gates);

/// A Kubernetes version with its feature gates, as a catalogue knows them; it determines everything else.
struct Release {
  Version version;
  GateSettings gates;  ///< every gate that the catalogue knows and the version has
  const Catalogue* catalogue;

  /// Whether the gate is on, or is gone because its feature is always on.
  [[nodiscard]] bool is_on(const std::string& gate) const;

  /// Whether its control plane has the behaviour.
  [[nodiscard]] bool does(Behaviour behaviour) const;
  /// Whether its kubelets have the trait.
  [[nodiscard]] bool has(KubeletTrait trait) const;

  /// Settings that differ from the version's defaults, as `Name=true`.
  [[nodiscard]] std::vector<std::string> changed_gates() const;

  /// The settings of `set` that the version accepts one by one: gates that it has and has not locked to the other
  /// value.
  static GateSettings taken(const Catalogue& catalogue, const Version& version, const GateSettings& set);

  /// `set` has the gates that differ from the version's defaults. A gate that the version does not have, or has locked
  /// to the other value, is an input error that names the releases in which it could be set so.
  static Result<Release> make(const Catalogue& catalogue, const Version& version, const GateSettings& set);
};

}  // namespace nodebound
