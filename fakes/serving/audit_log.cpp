#include "fakes/serving/audit_log.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "fakes/authentication/request_authenticator.h"
#include "fakes/wire/timestamp.h"

namespace nodebound::serving {
namespace {

/// Keeps the fields in the order of the API type, as a real log does.
using Ordered = nlohmann::ordered_json;

constexpr std::size_t kLongestUserAgent = 1024;

Ordered user(const Subject& subject) {
  Ordered out{{"username", subject.name}};
  if (!subject.uid.empty()) out["uid"] = subject.uid;
  if (!subject.groups.empty()) out["groups"] = subject.groups;
  if (!subject.extra.empty()) out["extra"] = subject.extra;
  return out;
}

void add(Ordered& out, const char* name, std::string_view value) {
  if (!value.empty()) out[name] = value;
}

Ordered object_reference(const AuditEvent& event) {
  const Attributes& attributes = event.attributes;
  Ordered out = Ordered::object();
  add(out, "resource", attributes.resource);
  add(out, "namespace", attributes.namespace_);
  add(out, "name", attributes.name.empty() ? text(event.object_metadata, "name") : attributes.name);
  add(out, "uid", text(event.object_metadata, "uid"));
  add(out, "apiGroup", attributes.api_group);
  add(out, "apiVersion", attributes.api_version);
  add(out, "resourceVersion", text(event.object_metadata, "resourceVersion"));
  add(out, "subresource", attributes.subresource);
  return out;
}

Ordered response_status(const AuditEvent& event) {
  Ordered out{{"metadata", Ordered::object()}};
  for (const char* name : {"status", "message", "reason"}) add(out, name, text(event.status_object, name));
  if (const Object& details = member(event.status_object, "details"); !details.is_null()) out["details"] = details;
  out["code"] = event.status;
  return out;
}

}  // namespace

std::string to_json_line(const AuditEvent& event, std::string_view stage, AuditEvent::Time now) {
  Ordered out{
      {"kind", "Event"}, {"apiVersion", "audit.k8s.io/v1"}, {"level", "Metadata"},          {"auditID", event.id},
      {"stage", stage},  {"requestURI", event.target},      {"verb", event.attributes.verb}};
  out["user"] = event.subject ? user(*event.subject) : Ordered::object();
  if (event.impersonated) out["impersonatedUser"] = user(*event.impersonated);
  if (!event.constraint.empty()) out["authenticationMetadata"] = {{"impersonationConstraint", event.constraint}};
  if (!event.source_addresses.empty()) out["sourceIPs"] = event.source_addresses;
  std::string agent = event.user_agent;
  if (agent.size() > kLongestUserAgent) agent = agent.substr(0, kLongestUserAgent) + "...TRUNCATED";
  add(out, "userAgent", agent);
  if (event.attributes.resource_request) out["objectRef"] = object_reference(event);
  out["responseStatus"] = response_status(event);
  out["requestReceivedTimestamp"] = micro_timestamp_of(event.received);
  out["stageTimestamp"] = micro_timestamp_of(now);
  if (!event.annotations.empty()) out["annotations"] = event.annotations;
  return out.dump(-1, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const std::string& path) {
  auto log = std::make_unique<AuditLog>();
  if (path == "-") return log;
  auto file = open_to_append("--audit-log-path", path);
  if (!file) return tl::unexpected(file.error());
  log->path_ = path;
  log->file_ = std::move(*file);
  return log;
}

// Writes line by line, so that readers of the file see whole events.
bool AuditLog::put(std::string_view line) {
  if (file_.is_open()) return write_all(file_.get(), line);
  return static_cast<bool>(std::cout << line << std::flush);
}

void AuditLog::write(const AuditEvent& event, std::string_view stage) {
  const std::string line = to_json_line(event, stage, std::chrono::system_clock::now());
  const std::lock_guard lock(mutex_);
  if (put(line) || reported_) return;
  *reports_ << "--audit-log-path: " << path_ << ": " << std::strerror(errno) << "; audit events are lost" << std::endl;
  reported_ = true;
}

std::vector<std::string> source_addresses(const IncomingRequest& request) {
  std::vector<std::string> out;
  const std::string_view forwarded = request.header("x-forwarded-for");
  for (std::size_t begin = 0; begin < forwarded.size();) {
    const std::size_t end = std::min(forwarded.find(',', begin), forwarded.size());
    std::string_view address = forwarded.substr(begin, end - begin);
    while (address.starts_with(' ')) address.remove_prefix(1);
    while (address.ends_with(' ')) address.remove_suffix(1);
    if (!address.empty()) out.emplace_back(address);
    begin = end + 1;
  }
  const std::string_view real = request.header("x-real-ip");
  if (!real.empty() && (out.empty() || out.back() != real)) out.emplace_back(real);
  const std::string own = request.peer ? request.peer->address : std::string();
  if (!own.empty() && (out.empty() || out.back() != own)) out.push_back(own);
  return out;
}

}  // namespace nodebound::serving
