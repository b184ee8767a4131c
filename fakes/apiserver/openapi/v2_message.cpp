#include "fakes/apiserver/openapi/v2_message.h"

#include <string_view>

#include "fakes/apiserver/openapi/openapi_v2.pb.h"

namespace nodebound::apiserver {
namespace {

std::string text_of(const Object& object, const char* name) {
  return std::string(text(object, name));
}

// JSON is YAML, too.
template <typename Message>
void add_extensions(const Object& object, Message& out) {
  for (const auto& [name, value] : object.items()) {
    if (!name.starts_with("x-")) continue;
    openapi_v2::NamedAny& extension = *out.add_vendor_extension();
    extension.set_name(name);
    extension.mutable_value()->set_yaml(value.dump() + "\n");
  }
}

void fill_schema(const Object& schema, openapi_v2::Schema& out);

template <typename Message>
void add_schemas(const Object& schemas, Message& out) {
  for (const auto& [name, schema] : schemas.items()) {
    openapi_v2::NamedSchema& named = *out.add_additional_properties();
    named.set_name(name);
    fill_schema(schema, *named.mutable_value());
  }
}

void fill_schema(const Object& schema, openapi_v2::Schema& out) {
  out.set_ref(text_of(schema, "$ref"));
  out.set_format(text_of(schema, "format"));
  if (schema.contains("type")) out.mutable_type()->add_value(text_of(schema, "type"));
  for (const std::string& name : strings_of(member(schema, "required"))) out.add_required(name);
  for (const std::string& value : strings_of(member(schema, "enum"))) out.add_enum_()->set_yaml(Object(value).dump());
  if (const Object& items = member(schema, "items"); !items.is_null()) {
    fill_schema(items, *out.mutable_items()->add_schema());
  }
  if (const Object& others = member(schema, "additionalProperties"); others.is_boolean()) {
    out.mutable_additional_properties()->set_boolean(others.get<bool>());
  } else if (others.is_object()) {
    fill_schema(others, *out.mutable_additional_properties()->mutable_schema());
  }
  if (schema.contains("properties")) add_schemas(schema["properties"], *out.mutable_properties());
  add_extensions(schema, out);
}

template <typename Message>
void fill_simple(const Object& parameter, Message& out) {
  out.set_name(text_of(parameter, "name"));
  out.set_in(text_of(parameter, "in"));
  out.set_type(text_of(parameter, "type"));
  out.set_unique_items(is_true(parameter, "uniqueItems"));
}

void fill_parameter(const Object& parameter, openapi_v2::Parameter& out) {
  const std::string_view in = text(parameter, "in");
  if (in == "body") {
    openapi_v2::BodyParameter& body = *out.mutable_body();
    body.set_name(text_of(parameter, "name"));
    body.set_in("body");
    body.set_required(is_true(parameter, "required"));
    fill_schema(parameter["schema"], *body.mutable_schema());
  } else if (in == "query") {
    fill_simple(parameter, *out.mutable_non_body()->mutable_query());
  } else {
    openapi_v2::PathParameter& path = *out.mutable_non_body()->mutable_path();
    fill_simple(parameter, path);
    path.set_required(true);
  }
}

template <typename Message>
void add_parameters(const Object& owner, Message& out) {
  for (const Object& parameter : member(owner, "parameters")) {
    fill_parameter(parameter, *out.add_parameters()->mutable_parameter());
  }
}

void fill_operation(const Object& operation, openapi_v2::Operation& out) {
  out.set_operation_id(text_of(operation, "operationId"));
  add_parameters(operation, out);
  for (const auto& [code, response] : operation["responses"].items()) {
    openapi_v2::NamedResponseValue& named = *out.mutable_responses()->add_response_code();
    named.set_name(code);
    openapi_v2::Response& own = *named.mutable_value()->mutable_response();
    own.set_description(text_of(response, "description"));
    fill_schema(response["schema"], *own.mutable_schema()->mutable_schema());
  }
  add_extensions(operation, out);
}

void fill_item(const Object& item, openapi_v2::PathItem& out) {
  if (item.contains("get")) fill_operation(item["get"], *out.mutable_get());
  if (item.contains("put")) fill_operation(item["put"], *out.mutable_put());
  if (item.contains("post")) fill_operation(item["post"], *out.mutable_post());
  if (item.contains("delete")) fill_operation(item["delete"], *out.mutable_delete_());
  if (item.contains("patch")) fill_operation(item["patch"], *out.mutable_patch());
  add_parameters(item, out);
}

}  // namespace

std::string v2_message_of(const Object& document) {
  openapi_v2::Document out;
  out.set_swagger(text_of(document, "swagger"));
  out.mutable_info()->set_title(std::string(text(document, "info", "title")));
  out.mutable_info()->set_version(std::string(text(document, "info", "version")));
  for (const auto& [path, item] : document["paths"].items()) {
    openapi_v2::NamedPathItem& named = *out.mutable_paths()->add_path();
    named.set_name(path);
    fill_item(item, *named.mutable_value());
  }
  add_schemas(document["definitions"], *out.mutable_definitions());
  return out.SerializeAsString();
}

}  // namespace nodebound::apiserver
