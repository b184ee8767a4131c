#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/request_flags.h"
#include "harness/cli/webhook_target.h"
#include "harness/endpoint/cluster_endpoint.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound::cli {

/// Flags that say what is under test, the same for every subcommand with a target.
struct TargetFlags {
  std::string target = "reference";
  std::string release;
  std::string feature_gates;
  std::string identity = "impersonate";
  std::string ca_certificate;
  std::string ca_key;
  std::vector<std::string> disabled_plugins;
  std::vector<std::string> apiserver_flags;
  std::vector<std::string> may_write_to;  ///< contexts of clusters on which others have workloads
  RequestFlags requests;
  WebhookTargetFlags webhook;

  void add_to(CLI::App& command);
  /// The flags that say how to start or reach a target of any kind.
  void add_access_to(CLI::App& command);
  /// Those of them that were given, as a shell reads them: ` --identity csr`.
  [[nodiscard]] std::string access_words() const;

  std::vector<const CLI::Option*> access;  ///< the options of those flags
};

/// `impersonate`, `ca` or `csr`.
IdentityMode identity_mode(const std::string& text);

/// An open target, and the rules by which it is judged.
struct Target {
  std::unique_ptr<RuleSet> rules;
  std::unique_ptr<RuleSet> own_rules;       ///< the rules of the reference, if it is judged by others
  bool is_reference = false;                ///< the endpoint is the one in this program
  std::unique_ptr<WatchedCluster> watched;  ///< by a webhook; otherwise null
  std::unique_ptr<Endpoint> endpoint;
};

/// Starts or connects the target. Without --release it is judged as the release that was observed.
Result<Target> open_target(const TargetFlags& flags, const Catalogue& catalogue);

/// `1.36` or `1.36.3`. An error names the flag with the text.
Result<Version> parse_version(const std::string& flag, const std::string& text);

/// The release that `--release` and `--feature-gates` name.
Result<Release> named_release(const Catalogue& catalogue, const std::string& version, const std::string& feature_gates);

/// `A=true,B=false`
Result<GateSettings> parse_feature_gates(const std::string& text);

/// The newest release that the embedded reference implements completely: its default.
inline constexpr const char* reference_release = "1.36.3";

}  // namespace nodebound::cli
