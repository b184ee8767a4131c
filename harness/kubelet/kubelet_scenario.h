#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/kubelet/caller_text.h"
#include "reference/cluster/object.h"
#include "reference/kubelet/reviews.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound::kubelet_conformance {

enum class KubeletPort { main, read_only, healthz };

/// The releases at which something holds: a range, rules that are in force, and rules that are not.
struct KubeletHolds {
  ReleaseRange releases;
  std::vector<Rule> where;
  std::vector<Rule> unless;

  [[nodiscard]] bool at(const RuleSet& rules) const;
};

/// How the answer to an access review fails.
struct FailedReview {
  int status = 0;           ///< HTTP status; 0: the connection is reset
  std::string retry_after;  ///< the header; empty: none
  int times = 0;            ///< how many failures precede the success; 0: always fails

  bool operator==(const FailedReview&) const = default;
};

/// A request to a kubelet, the answers to its reviews, and the required result.
struct KubeletStep {
  enum class Expect {
    allowed,       ///< reaches the handler of the path
    unauthorized,  ///< 401
    forbidden,     ///< 403
    error,         ///< 500, because authorization failed
    closed,        ///< nobody listens at the port
    status         ///< `status`
  };

  std::string name;
  std::string where;  ///< `file:line`
  CallerText as;
  KubeletPort port = KubeletPort::main;
  std::string method;
  std::string target;
  std::size_t pad = 0;  ///< appends this many `x` to the target
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> grants;  ///< `get pods`; `*` is any verb or subresource
  std::vector<std::string> denies;
  std::map<std::string, std::vector<std::string>> group_grants;  ///< by group, for its members
  std::map<std::string, FailedReview> fails;                     ///< by review
  std::string client_ca;              ///< `other`: from now on the file of client CAs has only that one
  std::size_t crowd = 0;              ///< so many others, each with its own token, send the request before it
  std::size_t at_once = 1;            ///< so many identical requests are sent concurrently; all must have the result
  std::chrono::milliseconds wait{0};  ///< before the step
  Expect expect = Expect::allowed;
  int status = 0;
  std::string location;
  std::string body;                                        ///< the whole body of a status; empty: any
  std::map<std::string, std::string> answered;             ///< required headers of the answer; empty value: absent
  std::vector<Rule> rules;                                 ///< the exercised rules, the deciding one first
  std::optional<std::vector<std::string>> access_reviews;  ///< all that are sent, in order
  std::optional<std::size_t> token_reviews;
  KubeletHolds holds;
};

/// A configuration with which a kubelet starts, or fails to.
struct KubeletStart {
  std::string name;
  std::string where;
  Object config = Object::object();  ///< overrides the scenario's
  std::vector<std::string> flags;
  bool kubeconfig = true;
  std::string error;  ///< the error it ends with; empty: it starts
  std::vector<Rule> rules;
  KubeletHolds holds;
};

/// The result of a token's TokenReview.
struct ReviewedToken {
  TokenVerdict verdict;
  int status = 0;        ///< of the answer to the review; 0: success
  std::size_t hold = 0;  ///< the answer waits until this many reviews of the token have come, or one second
};

struct KubeletScenario {
  std::string id;  ///< of its file
  std::string title;
  std::string profile;
  KubeletHolds holds;
  GateSettings gates;
  Object config = Object::object();  ///< of the KubeletConfiguration, besides the common settings
  bool flags_only = false;           ///< without a configuration file
  bool any_configuration = false;    ///< a running kubelet is tested whatever its configuration is
  std::vector<std::string> flags;
  std::map<std::string, ReviewedToken> tokens;  ///< by name
  std::vector<KubeletStart> starts;
  std::vector<KubeletStep> steps;

  /// Whether a step asks at that port.
  [[nodiscard]] bool uses(KubeletPort port) const;
};

Result<KubeletScenario> parse_kubelet_scenario(std::string_view text, const std::string& file, const std::string& id,
                                               const Catalogue& catalogue);

/// Reads every `*.kubelet.toml` below the folder, in the order of their ids. The error reports the first mistake.
Result<std::vector<KubeletScenario>> load_kubelet_scenarios(const std::filesystem::path& folder,
                                                            const Catalogue& catalogue);

}  // namespace nodebound::kubelet_conformance
