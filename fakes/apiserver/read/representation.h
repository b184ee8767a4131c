#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "fakes/apiserver/read/table.h"
#include "fakes/store/store.h"
#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"

namespace nodebound::apiserver {

/// The form in which objects are answered, according to the client's Accept header.
struct Representation {
  enum class Form { whole, table, metadata };
  enum class Include { none, metadata, whole };

  Form form = Form::whole;
  std::string version = "v1";           ///< of meta.k8s.io, for tables and metadata
  Include include = Include::metadata;  ///< the part of its object that each table row carries
  std::string wrong_include = {};       ///< what a client wants of them that there is not
  bool of_list = false;                 ///< the metadata of a list, which an object has not
  TableColumns columns = TableColumns::plain();
  bool protobuf = false;  ///< rather than JSON, which matters while it is written piece by piece

  /// What there is of an answer.
  struct Available {
    bool protobuf = true;
    bool table = true;
    bool watch = false;  ///< the collection can be watched, which an error tells
  };

  /// The error is the answer to a client that accepts none of the forms.
  static tl::expected<Representation, HttpResponse> of(std::string_view accept, std::string_view target,
                                                       const Available& available);
};

/// The refusal of the metadata of an object where there is a list, or of a list where there is an object; nothing if
/// they fit.
std::optional<HttpResponse> wrong_metadata_form(const ApiResource& resource, const Representation& as, bool is_list);

/// The time that ages in tables are relative to: `2026-01-01T00:00:00Z`.
using Timestamp = std::string;

/// One object, as the answer to a get or write. Stored objects have no apiVersion and kind: they get the resource's.
std::string represented(const ApiResource& resource, const Representation& as, const Object& object,
                        const Timestamp& now);

/// The same in protobuf: the whole object, or only its metadata.
std::string represented_in_protobuf(const ApiResource& resource, const Representation& as, const Object& object);

/// A list of objects with its `metadata`.
std::string represented_list(const ApiResource& resource, const Representation& as,
                             std::span<const Store::Listed> objects, const Object& metadata, const Timestamp& now);

/// Appends `{"kind":…,"apiVersion":…,` and then the members of a JSON object that has neither.
void append_with_type(std::string& out, std::string_view kind, std::string_view group_version, std::string_view json);

}  // namespace nodebound::apiserver
