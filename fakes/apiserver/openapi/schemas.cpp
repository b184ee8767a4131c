#include "fakes/apiserver/openapi/schemas.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_kinds.h"
#include "fakes/wire/protobuf/messages.pb.h"

namespace nodebound::apiserver {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// The packages outside k8s.io/api.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> go_packages = {
    {{"meta.v1.", "io.k8s.apimachinery.pkg.apis."},
     {"api.resource.", "io.k8s.apimachinery.pkg."},
     {"util.intstr.", "io.k8s.apimachinery.pkg."},
     {"runtime.", "io.k8s.apimachinery.pkg."}}};

// The messages that are compiled in and referred to are those of meta/v1.
std::string message_name(const Descriptor& type) {
  const bool compiled_in = type.file() == encoding::Unknown::descriptor()->file();
  return compiled_in ? "meta.v1." + type.name() : type.full_name();
}

std::string schema_name_of(const std::string& message) {
  for (const auto& [package, path] : go_packages) {
    if (message.starts_with(package)) return std::string(path) + message;
  }
  return "io.k8s.api." + message;
}

Object scalar(const char* type, const char* format = nullptr) {
  Object out = {{"type", type}};
  if (format != nullptr) out["format"] = format;
  return out;
}

Object scalar_of(FieldDescriptor::Type type) {
  switch (type) {
    case FieldDescriptor::TYPE_BOOL:
      return scalar("boolean");
    case FieldDescriptor::TYPE_INT32:
      return scalar("integer", "int32");
    case FieldDescriptor::TYPE_INT64:
      return scalar("integer", "int64");
    case FieldDescriptor::TYPE_BYTES:
      return scalar("string", "byte");
    default:
      return scalar("string");
  }
}

// OpenAPI v2 cannot say that a value has one of several types.
Object one_of(const char* first, const char* second) {
  return Object::array({scalar(first), scalar(second)});
}

Object schema_of_form(encoding::Form form, OpenApiVersion version) {
  const bool v2 = version == OpenApiVersion::v2;
  switch (form) {
    case encoding::TIME:
    case encoding::MICRO_TIME:
      return scalar("string", "date-time");
    case encoding::QUANTITY:
      return v2 ? scalar("string") : Object{{"oneOf", one_of("string", "number")}};
    case encoding::INT_OR_STRING:
      return v2 ? scalar("string", "int-or-string")
                : Object{{"format", "int-or-string"}, {"oneOf", one_of("integer", "string")}};
    default:
      return scalar("object");
  }
}

Object type_meta() {
  return {{"apiVersion", scalar("string")}, {"kind", scalar("string")}};
}

Object described_kind(const GroupVersionKind& kind) {
  return {{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}};
}

// What no message describes: `com.example.v1.Widget`.
std::string plain_name(const GroupVersionKind& kind) {
  std::string out;
  std::string_view rest = kind.group;
  while (!rest.empty()) {
    const std::size_t dot = rest.rfind('.');
    out += std::string(rest.substr(dot == std::string_view::npos ? 0 : dot + 1)) + ".";
    rest = rest.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return out + kind.version + "." + kind.kind;
}

Object schema_of_any_fields() {
  return {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
}

const Descriptor* descriptor_of(const GroupVersionKind& kind, const Release& release) {
  const Descriptor* const found = api_message_of(kind, &release);
  return found != nullptr ? found : message_of(kind);
}

}  // namespace

Object Schemas::reference(const std::string& name) const {
  return {{"$ref", (version_ == OpenApiVersion::v2 ? "#/definitions/" : "#/components/schemas/") + name}};
}

Object Schemas::refer_to(const GroupVersionKind& kind) {
  const Descriptor* const type = descriptor_of(kind, release_);
  const std::string name = type == nullptr ? plain_name(kind) : add(*type);
  if (type == nullptr) all_.emplace(name, schema_of_any_fields());
  Object& kinds = all_[name]["x-kubernetes-group-version-kind"];
  const Object own = described_kind(kind);
  if (kinds.is_null() || std::find(kinds.begin(), kinds.end(), own) == kinds.end()) kinds.push_back(own);
  return reference(name);
}

void Schemas::define(const GroupVersionKind& kind, const Object& schema) {
  Object own = schema;
  own["properties"].update(type_meta());
  own["properties"]["metadata"] = reference(add(*encoding::ObjectMeta::descriptor()));
  all_.emplace(plain_name(kind), std::move(own));
  Object list = {{"type", "object"}, {"required", {"items"}}, {"properties", type_meta()}};
  list["properties"]["metadata"] = reference(add(*encoding::ListMeta::descriptor()));
  list["properties"]["items"] = {{"type", "array"}, {"items", reference(plain_name(kind))}};
  all_.emplace(plain_name({kind.group, kind.version, kind.kind + "List"}), std::move(list));
}

std::string Schemas::add(const Descriptor& type) {
  std::string name = schema_name_of(message_name(type));
  // A schema may refer to itself, so it is there before its fields are.
  if (all_.emplace(name, nullptr).second) {
    Object schema = schema_of(type);
    all_[name] = std::move(schema);
  }
  return name;
}

Object Schemas::schema_of(const Descriptor& type) {
  const encoding::Form form = type.options().GetExtension(encoding::form);
  if (form != encoding::OBJECT) return schema_of_form(form, version_);
  Object properties = type.options().GetExtension(encoding::typed) ? type_meta() : Object::object();
  Object required = Object::array();
  const MessageMarks& marks = marks_of(message_name(type));
  add_fields(type, marks, properties, required);
  Object out = scalar("object");
  if (!properties.empty()) out["properties"] = std::move(properties);
  if (!required.empty()) out["required"] = std::move(required);
  if (marks.atomic) out["x-kubernetes-map-type"] = "atomic";
  return out;
}

void Schemas::add_fields(const Descriptor& type, const MessageMarks& marks, Object& properties, Object& required) {
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.options().GetExtension(encoding::inlined)) {
      add_fields(*field.message_type(), marks, properties, required);
      continue;
    }
    if (marks.field(field.name()).required) required.push_back(field.name());
    properties[field.name()] = property_of(field, marks.field(field.name()));
  }
}

Object Schemas::property_of(const FieldDescriptor& field, const FieldMarks& marks) {
  Object out;
  if (field.is_map()) {
    out = {{"type", "object"},
           {"additionalProperties", property_of(*field.message_type()->map_value(), {.values = marks.values})}};
  } else {
    out = type_of(field);
    if (!marks.values.empty()) out["enum"] = marks.values;
    if (field.is_repeated()) out = {{"type", "array"}, {"items", std::move(out)}};
  }
  const bool has_default = !marks.otherwise.is_null() && version_ == OpenApiVersion::v3;
  // Beside a `$ref`, OpenAPI v3 ignores everything else.
  const bool wraps = version_ == OpenApiVersion::v3 && out.contains("$ref");
  if (wraps && (has_default || !marks.extensions.empty())) out = {{"allOf", Object::array({std::move(out)})}};
  if (has_default) out["default"] = marks.otherwise;
  out.update(marks.extensions);
  return out;
}

Object Schemas::type_of(const FieldDescriptor& field) {
  if (field.type() != FieldDescriptor::TYPE_MESSAGE) return scalar_of(field.type());
  const Descriptor& type = *field.message_type();
  // A list with a name of its own in Go has no schema of its own.
  if (type.options().GetExtension(encoding::form) == encoding::LIST) {
    return {{"type", "array"}, {"items", type_of(*type.field(0))}};
  }
  return reference(add(type));
}

}  // namespace nodebound::apiserver
