#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// The namespace of a scenario's objects where none is named.
inline constexpr std::string_view default_namespace = "shop";

/// A request as people write it, much as kubectl does: `get secrets/db -n shop`, `list po -A --field-selector
/// spec.nodeName={a}`, `create pods/web/eviction`, `get pods/web --subresource log`, `get /healthz`. What authorizers
/// are asked about no object in particular is written as RBAC writes it: `create
/// certificatesigningrequests/nodeclient`; and what there are no requests for as everything else: `approve
/// signers/kubernetes.io/kubelet-serving`. Names are still the scenario's own.
struct RequestText {
  std::string verb;
  bool resource_request = true;
  std::string path;  ///< of a request for no resource
  std::string group;
  std::string version;  ///< the newest that any release has
  std::string resource;
  std::string kind;
  bool namespaced = false;
  std::string name;
  std::string subresource;
  std::string namespace_;  ///< empty at cluster scope, and for all namespaces
  std::string field_selector;
  std::string label_selector;

  bool operator==(const RequestText&) const = default;

  /// Whether there is no such request: authorizers are only asked about it, in reviews.
  [[nodiscard]] bool only_reviewed() const;
};

/// The verbs of requests for resources: get, list, watch, create, update, patch, apply, delete, deletecollection.
const std::vector<std::string>& request_verbs();

/// Whether the verb is one of requests, or one that authorizers are asked for that resource; `more` are known, too.
Result<void> check_verb(const RequestText& request, const std::vector<std::string>& more = {});

/// What stands between blanks.
std::vector<std::string> words_of(std::string_view line);

/// Reads such a line. An error says what was expected; the caller knows the place.
Result<RequestText> parse_request(std::string_view line);

/// The same of a line that is in words already, which may hold blanks; `namespace_` is where it is without -n and -A.
Result<RequestText> parse_request(const std::vector<std::string>& words, std::string_view namespace_);

/// What `parse_request` reads back as the same request: `get secrets/db -n other`.
std::string to_text(const RequestText& request);

/// What stands behind verb and object, with a blank before each word; the namespace that is understood is left out.
std::string flags_of(const RequestText& request, std::string_view understood = default_namespace);

}  // namespace nodebound
