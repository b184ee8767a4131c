#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/objects/cluster_file.h"
#include "reference/authorizer/attributes.h"
#include "reference/identity/subject.h"

namespace nodebound::explain {

/// A request as a person writes it, before it is parsed.
struct QuestionText {
  std::string as;                  ///< `node:a`, `user:NAME,GROUP`, `admin`, `anonymous`, `system:node:a`
  std::vector<std::string> words;  ///< verb and target: `get`, `secrets/db`
  std::string subresource;         ///< if the target does not name it: `log`
  std::string namespace_;
  bool all_namespaces = false;
  std::string field_selector;
  std::string label_selector;
};

/// What the given objects include, as far as a gap matters. Covers all of them, before any are left out.
struct GivenObjects {
  std::size_t count = 0;
  std::set<std::string> namespaces_of_pods;
  std::vector<std::string> claims_without_volume;  ///< of pods on the asking node: `shop/data`
  std::string claim_namespace_of_asked_volume;
  bool bindings = false;
};

/// A request of a subject in a cluster.
struct Question {
  Subject subject;
  std::string line;       ///< as a person writes it: `get secrets/db -n shop`
  std::string method;     ///< as it is sent; empty if it can only be reviewed
  std::string target;     ///< likewise
  bool reviewed = false;  ///< no such request exists: only SubjectAccessReviews ask about it
  Attributes attributes;
  /// For a create or update the object, for a patch the patch.
  std::optional<Object> body;
  std::string body_file;
  std::vector<ClusterObject> objects;
  GivenObjects given;
  std::set<std::string> enabled_plugins = {};  ///< admission plugins that are on, of those that are off by default

  /// Gives the question the cluster's objects, except pods that cannot matter.
  void set_cluster(std::vector<ClusterObject> all);
};

/// The caller. Adds the groups that a server adds by itself.
Result<Subject> parse_subject(std::string_view as);

/// Parses a request. The body determines the namespace if nothing else does, and gets the name and namespace of the
/// request if it has none.
Result<Question> understand(const QuestionText& asked, std::optional<Object> body, const std::string& body_file);

}  // namespace nodebound::explain
