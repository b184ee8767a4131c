#pragma once

#include <string>
#include <string_view>

#include "fakes/wire/resources/api_resources.h"
#include "reference/admission/admission.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

struct Call;

/// A write as policies and webhooks see it.
struct ReviewedWrite {
  Operation operation = Operation::create;
  const Object& object;             ///< with apiVersion and kind; null for a delete
  const Object& old_object;         ///< null for a create or a connection
  const Object* options = nullptr;  ///< of a delete
  std::string name = {};            ///< of the object; of a deletecollection empty, as in its request
};

/// The same as rules and selectors match it.
struct MatchedWrite {
  Operation operation = Operation::create;
  const ApiResource& resource;
  std::string subresource;
  std::string namespace_;  ///< of a Namespace: its own name
  std::string name;
  const Object& object;  ///< null for a delete
  const Object& old_object;
};

MatchedWrite matched_write(const Call& call, const ReviewedWrite& write);

/// The resource, in the version that one of the rules names, as which the rules match a write; null if none does. With
/// the match policy `Exact` only in the version of the request.
const ApiResource* matched_by_rules(const Object& rules, std::string_view match_policy, const MatchedWrite& write,
                                    const ApiResources& resources);

enum class Selected { yes, no, no_namespace };

/// Whether the namespace of a write is selected, or there is none by that name.
Selected namespace_selected(const Object& selector, const MatchedWrite& write, const Cluster& cluster);

/// Whether the new object or the old one is selected.
bool object_selected(const Object& selector, const MatchedWrite& write);

}  // namespace nodebound::apiserver
