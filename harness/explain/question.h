#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/objects/cluster_file.h"
#include "reference/authorizer/attributes.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// A request as a person asks about it, before it is understood.
struct QuestionText {
  std::string as;                  ///< `node:a`, `user:NAME,GROUP`, `admin`, `anonymous`
  std::vector<std::string> words;  ///< verb and target: `get`, `secrets/db`
  std::string namespace_;
  bool all_namespaces = false;
  std::string field_selector;
  std::string label_selector;
};

/// A request of a subject in a cluster.
struct Question {
  Subject subject;
  std::string line;    ///< as a person writes it: `get secrets/db -n shop`
  std::string method;  ///< as it is sent
  std::string target;
  Attributes attributes;
  /// Of a create or update the object, of a patch what is merged.
  std::optional<Object> body;
  std::string body_file;
  std::vector<ClusterObject> objects;
  std::size_t objects_given = 0;

  /// Gives it the cluster's objects, but for pods that cannot matter: in a large cluster those are most of all objects,
  /// and what remains is judged at every release.
  void set_cluster(std::vector<ClusterObject> given);
};

/// Who asks. Groups that a server adds by itself are added.
Result<Subject> parse_subject(std::string_view as);

/// Understands a request. A body decides the namespace where nothing else does, and is given the name and namespace of
/// the request where it has none.
Result<Question> understand(const QuestionText& asked, std::optional<Object> body, const std::string& body_file);

}  // namespace nodebound
