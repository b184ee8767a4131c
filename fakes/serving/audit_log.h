#pragma once

#include <chrono>
#include <iostream>
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

namespace nodebound::serving {

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

  /// As in kube-apiserver's default mode, `blocking`, a request does not fail because its event cannot be written.
  void write(const AuditEvent& event, std::string_view stage);

  /// Where the first failed write is reported; standard error by default. It must outlive the log.
  void report_to(std::ostream& reports) { reports_ = &reports; }

 private:
  [[nodiscard]] bool put(std::string_view line);

  std::mutex mutex_;
  std::string path_ = "-";
  Descriptor file_;  ///< not open: standard output
  std::ostream* reports_ = &std::cerr;
  bool reported_ = false;
};

/// The client addresses of a request: forwarding headers and the connection's address (apimachinery's net.SourceIPs).
std::vector<std::string> source_addresses(const IncomingRequest& request);

}  // namespace nodebound::serving
