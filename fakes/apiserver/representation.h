#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "fakes/store/change.h"

namespace nodebound {

/// In what form objects are answered, as a client's Accept header asks for it.
struct Representation {
  enum class Form { whole, table, metadata };
  enum class Include { none, metadata, whole };

  Form form = Form::whole;
  std::string version = "v1";           ///< of meta.k8s.io, where it is not whole
  Include include = Include::metadata;  ///< what the rows of a table carry of their objects
  bool protobuf = false;                ///< rather than JSON, which matters while it is written piece by piece

  /// The error is the answer to a client that takes none of what is served.
  static tl::expected<Representation, HttpResponse> of(std::string_view accept, std::string_view target,
                                                       bool with_protobuf);
};

/// What the times of tables are relative to: `2026-01-01T00:00:00Z`.
using Timestamp = std::string;

/// One object, as the answer to a get or write. What was stored has no apiVersion and kind: it gets the resource's.
std::string represented(const ApiResource& resource, const Representation& as, const Object& object,
                        const Timestamp& now);

/// The same in protobuf; whole or its metadata.
std::string represented_in_protobuf(const ApiResource& resource, const Representation& as, const Object& object);

/// A list of objects with its `metadata`.
std::string represented_list(const ApiResource& resource, const Representation& as, std::span<const ObjectPtr> objects,
                             const Object& metadata, const Timestamp& now);

/// `{"kind":…,"apiVersion":…,` and then the members of an object in JSON that has neither.
std::string with_type(std::string_view kind, std::string_view group_version, std::string_view json);

}  // namespace nodebound
