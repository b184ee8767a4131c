#include "fakes/apiserver/read/representation.h"

#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/status.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::apiserver {
namespace {

using Form = Representation::Form;
using Include = Representation::Include;

// The representation that a clause asks for; nothing if it is not available.
std::optional<Representation> representation_of(const AcceptClause& clause,
                                                const Representation::Available& available) {
  const std::optional<MediaType> type = media_type_of(clause);
  if (!type || !clause.parameter("sv").empty()) return std::nullopt;
  if (type == MediaType::protobuf && !available.protobuf) return std::nullopt;
  Representation out;
  out.protobuf = type == MediaType::protobuf;
  const std::string_view as = clause.parameter("as");
  if (!clause.parameter("v").empty()) out.version = clause.parameter("v");
  if (as.empty()) return out;
  const bool table = as == "Table";
  if (!table && as != "PartialObjectMetadata" && as != "PartialObjectMetadataList") return std::nullopt;
  out.form = table ? Form::table : Form::metadata;
  out.of_list = as == "PartialObjectMetadataList";
  const bool known = clause.parameter("g") == "meta.k8s.io" && (out.version == "v1" || out.version == "v1beta1");
  if (!known || (table && (out.protobuf || !available.table))) return std::nullopt;
  return out;
}

// The Go type of the objects in kube-apiserver. Events of both groups have one.
std::string internal_type(const ApiResource& resource) {
  if (resource.definition) return "*unstructured.Unstructured";
  const bool core = resource.group.empty() || resource.group == "events.k8s.io";
  return "*" + (core ? "core" : resource.group.substr(0, resource.group.find('.'))) + "." + resource.kind;
}

Object metadata_of(const Object& object, const Representation& as) {
  return {{"kind", "PartialObjectMetadata"},
          {"apiVersion", "meta.k8s.io/" + as.version},
          {"metadata", member(object, "metadata")}};
}

Object row_object(const ApiResource& resource, const Representation& as, const Object& object) {
  if (as.include == Include::none) return nullptr;
  if (as.include == Include::metadata) return metadata_of(object, as);
  Object whole = object;
  whole["kind"] = resource.kind;
  whole["apiVersion"] = resource.group_version;
  return whole;
}

Object table_of(const ApiResource& resource, const Representation& as, std::span<const Store::Listed> objects,
                const Object& metadata, const Timestamp& now) {
  const TableColumns columns = as.columns.of(*resource.release);
  Object rows = Object::array();
  for (const Store::Listed& listed : objects) {
    const ObjectPtr object = listed.object.open();
    Object row = {{"cells", columns.cells(*object, now)}};
    Object own = row_object(resource, as, *object);
    if (!own.is_null()) row["object"] = std::move(own);
    rows.push_back(std::move(row));
  }
  return {{"kind", "Table"},
          {"apiVersion", "meta.k8s.io/" + as.version},
          {"metadata", metadata},
          {"columnDefinitions", columns.definitions()},
          {"rows", std::move(rows)}};
}

}  // namespace

tl::expected<Representation, HttpResponse> Representation::of(std::string_view accept, std::string_view target,
                                                              const Available& available) {
  if (!is_acceptable(accept)) return tl::unexpected(not_acceptable(available.watch));
  for (const AcceptClause& clause : accepted(accept)) {
    std::optional<Representation> found = representation_of(clause, available);
    if (!found) continue;
    const std::string include = query_parameter(target, "includeObject");
    if (include == "None") found->include = Include::none;
    if (include == "Object") found->include = Include::whole;
    const bool known = include.empty() || include == "Metadata" || include == "None" || include == "Object";
    if (found->form == Form::table && !known) found->wrong_include = include;
    return *found;
  }
  const std::string_view protobuf = name_of(MediaType::protobuf);
  const bool told_of = available.protobuf || accept.find(protobuf) == std::string_view::npos;
  return tl::unexpected(failure(406, "NotAcceptable",
                                "only the following media types are accepted: application/json, application/yaml" +
                                    (told_of ? ", " + std::string(protobuf) : std::string())));
}

std::optional<HttpResponse> wrong_metadata_form(const ApiResource& resource, const Representation& as, bool is_list) {
  if (as.form != Form::metadata || as.of_list == is_list) return std::nullopt;
  const std::string type = internal_type(resource) + (is_list ? "List" : "");
  return failure(
      406, "NotAcceptable",
      is_list ? "you requested PartialObjectMetadata, but the requested object is a list (" + type + ")"
              : "you requested PartialObjectMetadataList, but the requested object is not a list (" + type + ")");
}

void append_with_type(std::string& out, std::string_view kind, std::string_view group_version, std::string_view json) {
  out.append(R"({"kind":")").append(kind).append(R"(","apiVersion":")").append(group_version).append("\"");
  if (json.size() > 2) out += ',';
  out.append(json.substr(1));
}

std::string represented(const ApiResource& resource, const Representation& as, const Object& object,
                        const Timestamp& now) {
  if (as.form == Form::table) {
    const Object metadata = {{"resourceVersion", text(object, "metadata", "resourceVersion")}};
    const Store::Listed one{"", "", std::make_shared<const Object>(object)};
    return json_text(table_of(resource, as, {&one, 1}, metadata, now));
  }
  if (as.form == Form::metadata) return json_text(metadata_of(object, as));
  if (object.contains("kind")) return json_text(object);
  std::string out;
  append_with_type(out, resource.kind, resource.group_version, json_text(object));
  return out;
}

std::string represented_in_protobuf(const ApiResource& resource, const Representation& as, const Object& object) {
  if (as.form == Form::metadata) return write_protobuf(metadata_of(object, as)).value_or("");
  GroupVersionKind kind = parse_group_version(resource.group_version).value_or(GroupVersionKind());
  kind.kind = resource.kind;
  return write_protobuf(kind, object).value_or("");
}

std::string represented_list(const ApiResource& resource, const Representation& as,
                             std::span<const Store::Listed> objects, const Object& metadata, const Timestamp& now) {
  if (as.form == Form::table) return json_text(table_of(resource, as, objects, metadata, now));
  const bool whole = as.form == Form::whole;
  // A list of metadata alone starts without items.
  const bool without_items = !whole && objects.empty();
  std::string out = R"({"kind":")" + (whole ? resource.kind + "List" : "PartialObjectMetadataList") +
                    R"(","apiVersion":")" + (whole ? resource.group_version : "meta.k8s.io/" + as.version) +
                    R"(","metadata":)" + json_text(metadata) + R"(,"items":)";
  if (without_items) return out += "null}";
  out += '[';
  for (const Store::Listed& listed : objects) {
    if (out.back() != '[') out += ',';
    if (whole) {
      listed.object.append_json(out);
    } else {
      out += json_text(metadata_of(*listed.object.open(), as));
    }
  }
  return out += "]}";
}

}  // namespace nodebound::apiserver
