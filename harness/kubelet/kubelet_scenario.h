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

/// A request to a kubelet, what its reviews are told, and what must come of it.
struct KubeletStep {
  enum class Expect {
    allowed,       ///< it reaches what answers the path
    unauthorized,  ///< 401
    forbidden,     ///< 403
    error,         ///< 500 of the authorization
    status         ///< `status`
  };

  std::string name;
  std::string where;  ///< `file:line`
  std::string as;     ///< `nobody`, `certificate NAME`, `token NAME`, …
  std::string method;
  std::string target;
  std::size_t pad = 0;  ///< so many `x` follow the target
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> grants;  ///< `get pods`; `*` is any verb or subresource
  std::vector<std::string> denies;
  std::map<std::string, int> fails;  ///< the HTTP status that a review of it is answered with
  Expect expect = Expect::allowed;
  int status = 0;
  std::string location;
  std::string body;                                        ///< whole, of a status; empty: any
  std::vector<Rule> rules;                                 ///< that it is about, the one that decides first
  std::optional<std::vector<std::string>> access_reviews;  ///< all that are sent, in their order
  std::optional<std::size_t> token_reviews;
  std::chrono::milliseconds wait{0};  ///< before it
  VersionRange holds;
};

/// What a TokenReview says of a token.
struct ReviewedToken {
  TokenVerdict verdict;
  int status = 0;  ///< of the review's answer; 0: it succeeds
};

struct KubeletScenario {
  std::string id;  ///< of its file
  std::string title;
  std::string profile;
  VersionRange holds;
  GateSettings gates;
  Object config = Object::object();  ///< of the KubeletConfiguration, beside what every kubelet here has
  bool flags_only = false;           ///< no configuration file at all
  bool any_configuration = false;    ///< a kubelet that runs already is held to it whatever its configuration
  std::vector<std::string> flags;
  std::map<std::string, ReviewedToken> tokens;  ///< by name
  std::vector<KubeletStep> steps;
};

Result<KubeletScenario> parse_kubelet_scenario(std::string_view text, const std::string& file, const std::string& id,
                                               const Catalogue& catalogue);

/// Every `*.kubelet.toml` below the folder, in the order of their paths. The error tells the first mistake.
Result<std::vector<KubeletScenario>> load_kubelet_scenarios(const std::filesystem::path& folder,
                                                            const Catalogue& catalogue);

}  // namespace nodebound
