#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/kubelet/reviews.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound {

enum class KubeletPort { main, read_only, healthz };

/// At which releases something holds: between two, where rules are in force, and where others are not.
struct KubeletHolds {
  VersionRange releases;
  std::vector<Rule> where;
  std::vector<Rule> unless;

  [[nodiscard]] bool at(const RuleSet& rules) const;
};

/// How a review of access is answered that fails.
struct FailedReview {
  int status = 0;           ///< HTTP status; 0: the connection is reset
  std::string retry_after;  ///< the header; none if empty
  int times = 0;            ///< so often, and then it succeeds; 0: always

  bool operator==(const FailedReview&) const = default;
};

/// A request to a kubelet, what its reviews are told, and what must come of it.
struct KubeletStep {
  enum class Expect {
    allowed,       ///< it reaches what answers the path
    unauthorized,  ///< 401
    forbidden,     ///< 403
    error,         ///< 500 of the authorization
    closed,        ///< nobody listens at the port
    status         ///< `status`
  };

  std::string name;
  std::string where;  ///< `file:line`
  std::string as;     ///< `nobody`, `certificate NAME`, `token NAME`, …
  KubeletPort port = KubeletPort::main;
  std::string method;
  std::string target;
  std::size_t pad = 0;  ///< so many `x` follow the target
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> grants;  ///< `get pods`; `*` is any verb or subresource
  std::vector<std::string> denies;
  std::map<std::string, std::vector<std::string>> group_grants;  ///< to who is in the group
  std::map<std::string, FailedReview> fails;                     ///< by review
  std::string client_ca;              ///< `other`: from now on the file of client CAs has that one alone
  std::size_t crowd = 0;              ///< so many others, each with a token of their own, send the request before it
  std::size_t at_once = 1;            ///< so many of the same caller are sent together; all must come to the same
  std::chrono::milliseconds wait{0};  ///< before it
  Expect expect = Expect::allowed;
  int status = 0;
  std::string location;
  std::string body;                                        ///< whole, of a status; empty: any
  std::map<std::string, std::string> answered;             ///< headers that the answer has; empty: has not
  std::vector<Rule> rules;                                 ///< that it is about, the one that decides first
  std::optional<std::vector<std::string>> access_reviews;  ///< all that are sent, in their order
  std::optional<std::size_t> token_reviews;
  KubeletHolds holds;
};

/// A configuration with which a kubelet starts or does not.
struct KubeletStart {
  std::string name;
  std::string where;
  Object config = Object::object();  ///< over the scenario's
  std::vector<std::string> flags;
  bool kubeconfig = true;
  std::string error;  ///< that it ends with; empty: it starts
  std::vector<Rule> rules;
  KubeletHolds holds;
};

/// What a TokenReview says of a token.
struct ReviewedToken {
  TokenVerdict verdict;
  int status = 0;        ///< of the review's answer; 0: it succeeds
  std::size_t hold = 0;  ///< the answer waits until so many reviews of it have come, or a second
};

struct KubeletScenario {
  std::string id;  ///< of its file
  std::string title;
  std::string profile;
  KubeletHolds holds;
  GateSettings gates;
  Object config = Object::object();  ///< of the KubeletConfiguration, beside what every kubelet here has
  bool flags_only = false;           ///< no configuration file at all
  bool any_configuration = false;    ///< a kubelet that runs already is held to it whatever its configuration
  std::vector<std::string> flags;
  std::map<std::string, ReviewedToken> tokens;  ///< by name
  std::vector<KubeletStart> starts;
  std::vector<KubeletStep> steps;

  /// Whether a step asks at that port.
  [[nodiscard]] bool uses(KubeletPort port) const;
};

Result<KubeletScenario> parse_kubelet_scenario(std::string_view text, const std::string& file, const std::string& id,
                                               const Catalogue& catalogue);

/// Every `*.kubelet.toml` below the folder, in the order of their paths. The error tells the first mistake.
Result<std::vector<KubeletScenario>> load_kubelet_scenarios(const std::filesystem::path& folder,
                                                            const Catalogue& catalogue);

}  // namespace nodebound
