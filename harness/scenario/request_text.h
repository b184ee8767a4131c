#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// The namespace of a scenario's objects unless another is named.
inline constexpr std::string_view default_namespace = "shop";

/// A request as people write it, similar to kubectl: `get secrets/db -n shop`, `list po -A --field-selector
/// spec.nodeName={a}`, `create pods/web/eviction`, `get pods/web --subresource log`, `get /healthz`. Reviews of no
/// particular object are written as in RBAC: `create certificatesigningrequests/nodeclient`. Reviews of what no request
/// can do look like requests: `approve signers/kubernetes.io/kubelet-serving`. Names are still the scenario's own.
struct RequestText {
  std::string verb;
  bool resource_request = true;
  std::string path;  ///< of a non-resource request
  std::string group;
  std::string version;  ///< the newest of any release
  std::string resource;
  std::string kind;
  bool namespaced = false;
  std::string name;
  std::string subresource;
  std::string namespace_;  ///< empty at cluster scope, and for all namespaces
  std::string field_selector;
  std::string label_selector;

  bool operator==(const RequestText&) const = default;

  /// Whether no such request exists: it can only be asked in reviews.
  [[nodiscard]] bool only_reviewed() const;
  /// Whether it opens a connection, as exec does: it has no body, and cannot be a dry run.
  [[nodiscard]] bool connects() const;
};

/// The verbs of requests for resources: get, list, watch, create, update, patch, apply, delete, deletecollection.
const std::vector<std::string>& request_verbs();

/// Whether the verb belongs to requests, or to reviews of that resource; verbs in `more` are accepted too.
Result<void> check_verb(const RequestText& request, const std::vector<std::string>& more = {});

/// The words of a text, separated by blanks.
std::vector<std::string> words_of(std::string_view line);

/// Parses such a line. An error says what was expected; the caller adds the place.
Result<RequestText> parse_request(std::string_view line);

/// The same for a line that is split into words already, which may contain blanks. `namespace_` is the namespace if
/// neither -n nor -A is given.
Result<RequestText> parse_request(const std::vector<std::string>& words, std::string_view namespace_);

/// The text from which `parse_request` makes the same request: `get secrets/db -n other`.
std::string to_text(const RequestText& request);

/// The words after verb and object, each preceded by a blank. The default namespace is left out.
std::string flags_of(const RequestText& request, std::string_view understood = default_namespace);

}  // namespace nodebound
