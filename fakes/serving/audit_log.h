#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fakes/files/private_file.h"
#include "fakes/http/handler.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// One request, as the audit log reports it.
struct AuditEvent {
  using Time = std::chrono::system_clock::time_point;

  std::string id;
  std::string target;
  Attributes attributes;
  std::optional<Subject> subject;  ///< nothing if authentication failed
  std::optional<Subject> impersonated;
  std::string constraint;  ///< of the impersonation
  std::vector<std::string> source_addresses;
  std::string user_agent;
  Object object_metadata;  ///< of the submitted object: fills in what the target does not name
  int status = 0;
  Object status_object;  ///< set if the answer was a Status
  Time received;
  std::map<std::string, std::string> annotations;
};

/// One line of JSON: an Event of audit.k8s.io/v1 at level Metadata. `stage` is ResponseStarted or ResponseComplete.
std::string to_json_line(const AuditEvent& event, std::string_view stage, AuditEvent::Time now);

/// Writes audit events. Thread-safe.
class AuditLog {
 public:
  /// Appends to the file, which only this user may read; `-` is standard output.
  static Result<std::unique_ptr<AuditLog>> open(const std::string& path);

  void write(const AuditEvent& event, std::string_view stage);

 private:
  std::mutex mutex_;
  Descriptor file_;  ///< not open: standard output
};

/// The client addresses of a request: forwarding headers and the connection's address (apimachinery's net.SourceIPs).
std::vector<std::string> source_addresses(const IncomingRequest& request);

}  // namespace nodebound
