#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/read/field_selector.h"
#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/label_selector.h"

namespace nodebound {

/// The objects that a GET of the Kubernetes API selects.
struct SelectedObjects {
  Attributes attributes;
  const ApiResource* resource = nullptr;
  apiserver::FieldSelector fields;
  LabelSelector labels;

  /// Nothing if the answer to the request holds no objects, such as a log, or the selectors cannot be parsed.
  static std::optional<SelectedObjects> of(const HttpRequest& request, const ApiResources& resources);

  /// False for an object of another name, namespace or kind, or with other labels or fields.
  [[nodiscard]] bool contains(const Object& object) const;

  /// The objects of an answer: an object, a list, a Table or the events of a watch, in JSON; an object or a list in
  /// protobuf. Anything else holds none.
  [[nodiscard]] std::vector<Object> shown_in(const HttpResponse& response) const;

  /// `secrets "db" in namespace "shop"`; with its kind in place of the resource if it is of another kind.
  [[nodiscard]] std::string name_of(const Object& object) const;
};

}  // namespace nodebound
