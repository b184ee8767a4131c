#pragma once

#include <google/protobuf/descriptor.h>
#include <string>

#include "fakes/apiserver/openapi/schema_marks.h"
#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

enum class OpenApiVersion { v2, v3 };

/// The schemas of kinds and of what they hold, made from their messages (api_messages.txt) and the table
/// schema_marks.txt. Without descriptions.
class Schemas {
 public:
  /// `release` must outlive them.
  Schemas(OpenApiVersion version, const Release& release) : version_(version), release_(release) {}

  /// Adds the schema of a kind, and those that it refers to; a reference to it. A kind without a message may have any
  /// fields.
  Object refer_to(const GroupVersionKind& kind);

  /// Adds the schema of a custom resource, which its definition has.
  void define(const GroupVersionKind& kind, const Object& schema);

  /// By name, such as `io.k8s.api.core.v1.Pod`.
  [[nodiscard]] const Object& all() const { return all_; }

 private:
  std::string add(const google::protobuf::Descriptor& type);
  Object schema_of(const google::protobuf::Descriptor& type);
  /// `marks` are those of the whole message, also for the fields of a message that it inlines.
  void add_fields(const google::protobuf::Descriptor& type, const MessageMarks& marks, Object& properties,
                  Object& required);
  Object property_of(const google::protobuf::FieldDescriptor& field, const FieldMarks& marks);
  Object type_of(const google::protobuf::FieldDescriptor& field);
  [[nodiscard]] Object reference(const std::string& name) const;

  const OpenApiVersion version_;
  const Release& release_;
  Object all_ = Object::object();
};

}  // namespace nodebound::apiserver
