#include "harness/cli/compare/compare_sides.h"

#include <optional>

#include "harness/cli/compare/compare_rules.h"

namespace nodebound::cli {
namespace {

/// A side as the user named it, before it is opened.
struct NamedSide {
  const char* label;
  std::string text;
  bool release = false;
  std::optional<Version> version;  ///< if it is known before anything starts
  GateSettings gates;
  std::vector<std::string> notes;
};

NamedSide named(const char* label, const std::string& text) {
  NamedSide side{label, text, false, Version::parse(text), {}, {}};
  side.release = side.version.has_value();
  if (text == "reference") side.version = Version::parse(reference_release);
  if (text.starts_with("reference:")) side.version = Version::parse(text.substr(10));
  return side;
}

// If the version of a side is not known yet, its gates are checked when it starts.
Result<void> accepts(const NamedSide& side, const GateSettings& gate, const Catalogue& catalogue) {
  const Version version = side.version.value_or(*Version::parse(reference_release));
  if (!Release::taken(catalogue, version, gate).empty()) return {};
  const Result<Release> release = Release::make(catalogue, version, gate);
  if (release || (!side.version && catalogue.find_gate(gate.begin()->first) != nullptr)) return {};
  return tl::unexpected<Error>(release.error());
}

Result<void> share_gates(const std::string& text, NamedSide& a, NamedSide& b, const Catalogue& catalogue) {
  const Result<GateSettings> gates = parse_feature_gates(text);
  if (!gates) return tl::unexpected<Error>(gates.error());
  for (const auto& [name, on] : *gates) {
    const Result<void> in_a = accepts(a, {{name, on}}, catalogue);
    const Result<void> in_b = accepts(b, {{name, on}}, catalogue);
    if (!in_a && !in_b) return tl::unexpected<Error>(in_b.error());
    const std::string given = to_flag({{name, on}});
    if (in_a) {
      a.gates[name] = on;
    } else {
      a.notes.push_back("without " + given + ", which is set in B only: " + in_a.error().what);
    }
    if (in_b) {
      b.gates[name] = on;
    } else {
      b.notes.push_back("without " + given + ", which is set in A only: " + in_b.error().what);
    }
  }
  return {};
}

Result<void> add_gates(const std::string& flag, const std::string& text, NamedSide& side) {
  const Result<GateSettings> gates = parse_feature_gates(text);
  if (!gates) {
    Error error = gates.error();
    error.where = flag;
    return tl::unexpected<Error>(error);
  }
  for (const auto& [name, on] : *gates) side.gates[name] = on;
  return {};
}

Result<OpenSide> open(NamedSide side, const SideFlags& flags, const Catalogue& catalogue) {
  TargetFlags target_flags = flags.access;
  target_flags.target = side.release ? "reference:" + side.text : side.text;
  target_flags.feature_gates = to_flag(side.gates);
  Result<Target> target = open_target(target_flags, catalogue);
  if (!target) {
    Error error = target.error();
    if (error.where == "--target") {
      error.where = side.label;
      error.hint =
          "expected a release like 1.31 or 1.32.5, or a target: reference[:VERSION], binary:DIR, "
          "kubeconfig[:FILE][#CONTEXT] or exec:COMMAND";
    } else {
      error.where = std::string(side.label) + ": " + error.where;
    }
    return tl::unexpected<Error>(error);
  }
  const Version& version = target->rules->release().version;
  std::string name = target->endpoint->name();
  if (name == "reference") name = (side.release ? "Kubernetes " : "reference:") + version.text();
  return OpenSide{std::move(name), target_flags.target, std::move(*target), std::move(side.notes)};
}

}  // namespace

void SideFlags::add_to(CLI::App& command) {
  command
      .add_option("A", a,
                  "Before: a release like 1.31 or 1.32.5, reference[:VERSION], binary:DIR, "
                  "kubeconfig[:FILE][#CONTEXT] or exec:COMMAND")
      ->required();
  command.add_option("B", b, "After: the same")->required();
  command.add_option("--feature-gates", feature_gates,
                     "Gates set apart from the defaults where a side has them: X=true,Y=false");
  command.add_option("--feature-gates-a", feature_gates_a, "Gates set in A, over --feature-gates");
  command.add_option("--feature-gates-b", feature_gates_b, "Gates set in B, over --feature-gates");
  access.add_access_to(command);
}

Result<OpenSides> open_sides(const SideFlags& flags, const Catalogue& catalogue) {
  NamedSide a = named("A", flags.a);
  NamedSide b = named("B", flags.b);
  if (Result<void> done = share_gates(flags.feature_gates, a, b, catalogue); !done) {
    return tl::unexpected<Error>(done.error());
  }
  if (Result<void> done = add_gates("--feature-gates-a", flags.feature_gates_a, a); !done) {
    return tl::unexpected<Error>(done.error());
  }
  if (Result<void> done = add_gates("--feature-gates-b", flags.feature_gates_b, b); !done) {
    return tl::unexpected<Error>(done.error());
  }
  const bool releases = a.release && b.release;
  Result<OpenSide> opened_a = open(std::move(a), flags, catalogue);
  if (!opened_a) return tl::unexpected<Error>(opened_a.error());
  Result<OpenSide> opened_b = open(std::move(b), flags, catalogue);
  if (!opened_b) return tl::unexpected<Error>(opened_b.error());
  return OpenSides{std::move(*opened_a), std::move(*opened_b), releases};
}

}  // namespace nodebound::cli
