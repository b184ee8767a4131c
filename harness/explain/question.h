#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/objects/cluster_file.h"
#include "reference/authorizer/attributes.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// A request as a person asks about it, before it is understood.
struct QuestionText {
  std::string as;                  ///< `node:a`, `user:NAME,GROUP`, `admin`, `anonymous`, `system:node:a`
  std::vector<std::string> words;  ///< verb and target: `get`, `secrets/db`
  std::string subresource;         ///< where the target does not have it: `log`
  std::string namespace_;
  bool all_namespaces = false;
  std::string field_selector;
  std::string label_selector;
};

/// What the given objects have, as far as what they do not have matters. Of all of them, before any are left out.
struct GivenObjects {
  std::size_t count = 0;
  std::set<std::string> namespaces_of_pods;
  std::vector<std::string> claims_without_volume;  ///< of pods on the node that asks: `shop/data`
  std::string claim_namespace_of_asked_volume;
  bool bindings = false;
};

/// A request of a subject in a cluster.
struct Question {
  Subject subject;
  std::string line;       ///< as a person writes it: `get secrets/db -n shop`
  std::string method;     ///< as it is sent; empty for what is only reviewed
  std::string target;     ///< likewise
  bool reviewed = false;  ///< there is no such request: authorizers are asked in a SubjectAccessReview
  Attributes attributes;
  /// Of a create or update the object, of a patch what is merged.
  std::optional<Object> body;
  std::string body_file;
  std::vector<ClusterObject> objects;
  GivenObjects given;

  /// Gives it the cluster's objects, but for pods that cannot matter.
  void set_cluster(std::vector<ClusterObject> all);
};

/// Who asks. Groups that a server adds by itself are added.
Result<Subject> parse_subject(std::string_view as);

/// Understands a request. A body decides the namespace where nothing else does, and is given the name and namespace of
/// the request where it has none.
Result<Question> understand(const QuestionText& asked, std::optional<Object> body, const std::string& body_file);

}  // namespace nodebound
