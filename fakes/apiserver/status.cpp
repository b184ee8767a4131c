#include "fakes/apiserver/status.h"

#include <charconv>
#include <cstdint>
#include <vector>

#include "fakes/store/change.h"
#include "reference/cluster/names.h"
#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {

HttpResponse json_response(int status, std::string body) {
  HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(body);
  return response;
}

HttpResponse object_response(int status, const Object& object) {
  return json_response(status, json_text(object));
}

HttpResponse failure(int code, std::string_view reason, const std::string& message, const Object& details) {
  // Written as text for speed: a server that refuses a flood of requests makes thousands of these a second.
  std::string status = R"({"apiVersion":"v1","code":)" + std::to_string(code);
  if (details.is_object()) status.append(R"(,"details":)").append(json_text(details));
  status.append(R"(,"kind":"Status","message":)").append(json_text(message)).append(R"(,"metadata":{})");
  if (!reason.empty()) status.append(R"(,"reason":")").append(reason).append("\"");
  return json_response(code, status += R"(,"status":"Failure"})");
}

HttpResponse bad_request(const std::string& message) {
  return failure(400, "BadRequest", message);
}

HttpResponse internal_error(const std::string& why) {
  return failure(500, "InternalError", "Internal error occurred: " + why,
                 {{"causes", Object::array({{{"message", why}}})}});
}

Object status_details(std::string_view group, std::string_view kind, std::string_view name) {
  Object details = Object::object();
  if (!name.empty()) details["name"] = name;
  if (!group.empty()) details["group"] = group;
  if (!kind.empty()) details["kind"] = kind;
  return details;
}

HttpResponse invalid(const Release& release, std::string_view group, std::string_view kind, std::string_view name,
                     const validation::FieldMistakes& mistakes) {
  std::vector<std::string> all;
  Object details = status_details(group, kind, name);
  for (const validation::FieldMistake& newest : mistakes) {
    const validation::FieldMistake mistake = validation::as_told_by(release, newest);
    const std::string message = message_of(mistake, release);
    all.push_back(mistake.field + ": " + message);
    details["causes"].push_back({{"reason", mistake.reason}, {"message", message}, {"field", mistake.field}});
  }
  return failure(422, "Invalid",
                 qualified_resource(group, kind) + " " + go_quoted(name) + " is invalid: " + go_aggregate(all),
                 details);
}

std::optional<validation::FieldMistake> mistake_of_dry_run(const Object& directives) {
  const bool known = std::all_of(directives.begin(), directives.end(), [](const Object& one) { return one == "All"; });
  if (known) return std::nullopt;
  return validation::unsupported_field("dryRun", directives, {"All"});
}

Object served_as(const ApiResource& resource, Object object) {
  object["apiVersion"] = resource.group_version;
  object["kind"] = resource.kind;
  return object;
}

std::string qualified_resource(std::string_view group, std::string_view resource) {
  return group.empty() ? std::string(resource) : std::string(resource) + "." + std::string(group);
}

HttpResponse not_found(std::string_view group, std::string_view resource, std::string_view name) {
  return failure(404, "NotFound", qualified_resource(group, resource) + " " + go_quoted(name) + " not found",
                 status_details(group, resource, name));
}

HttpResponse conflict(std::string_view group, std::string_view resource, std::string_view name,
                      const std::string& why) {
  return failure(409, "Conflict",
                 "Operation cannot be fulfilled on " + qualified_resource(group, resource) + " \"" + std::string(name) +
                     "\": " + why,
                 status_details(group, resource, name));
}

std::optional<HttpResponse> impossible_name(std::string_view name) {
  std::string why;
  for (const std::string& each : wrong_path_segment(name, false)) why += (why.empty() ? "" : ";") + each;
  if (why.empty()) return std::nullopt;
  return bad_request("Name parameter invalid: " + go_quoted(name) + ": " + why);
}

std::optional<HttpResponse> other_namespace(const Object& object, std::string_view namespace_) {
  const std::string_view named = text(object, "metadata", "namespace");
  // What has no namespace may name the one that clients fill in by default.
  if (named.empty() || named == namespace_ || (namespace_.empty() && named == "default")) return std::nullopt;
  return bad_request("the namespace of the provided object does not match the namespace sent on the request");
}

std::optional<HttpResponse> wrong_version(std::string_view version) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(version.data(), version.data() + version.size(), number);
  if (version.empty() || (problem == std::errc() && end == version.data() + version.size())) return std::nullopt;
  const bool too_large = problem == std::errc::result_out_of_range && end == version.data() + version.size();
  return failure(500, "",
                 "strconv.ParseUint: parsing " + go_quoted(version) + ": " +
                     (too_large ? "value out of range" : "invalid syntax"));
}

HttpResponse other_name(std::string_view name, const std::string& expected) {
  if (name.empty()) {
    return bad_request("the name of the object (" + expected +
                       " based on URL) was undeterminable: name must be provided");
  }
  return bad_request("the name of the object (" + std::string(name) + ") does not match the name on the URL (" +
                     expected + ")");
}

}  // namespace nodebound::apiserver
