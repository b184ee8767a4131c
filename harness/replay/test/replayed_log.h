#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "harness/replay/replay.h"
#include "reference/test/support.h"

namespace nodebound::test {

/// An event as kube-apiserver writes it, at second `second` of an hour.
struct WrittenEvent {
  std::string verb = "list";
  std::string uri = "/api/v1/nodes";
  std::string user = "system:node:a";
  std::vector<std::string> groups = {"system:nodes", "system:authenticated"};
  int code = 200;
  int second = 0;
  std::string decision = "allow";
  std::string reason = {};
  Object request = {};
  Object response = {};
  std::string stage = "ResponseComplete";
  std::string id = {};
  std::string message = {};  ///< of an error

  [[nodiscard]] Object json() const {
    const std::string clock = (second / 60 < 10 ? "0" : "") + std::to_string(second / 60) + ":" +
                              (second % 60 < 10 ? "0" : "") + std::to_string(second % 60);
    Object out = {
        {"kind", "Event"},
        {"apiVersion", "audit.k8s.io/v1"},
        {"level", "Metadata"},
        {"auditID", id.empty() ? verb + uri + user + std::to_string(second) : id},
        {"stage", stage},
        {"requestURI", uri},
        {"verb", verb},
        {"user", {{"username", user}, {"groups", groups}}},
        {"userAgent", "agent/v1 (linux)"},
        {"requestReceivedTimestamp", "2026-12-01T09:" + clock + ".000000Z"},
        {"stageTimestamp", "2026-12-01T09:" + clock + ".005000Z"},
        {"annotations", {{"authorization.k8s.io/decision", decision}, {"authorization.k8s.io/reason", reason}}}};
    if (code != 0) out["responseStatus"] = {{"code", code}};
    if (!message.empty()) out["responseStatus"]["message"] = message;
    if (!request.is_null()) out["requestObject"] = request;
    if (!response.is_null()) out["responseObject"] = response;
    return out;
  }
  [[nodiscard]] std::string line() const { return json().dump() + "\n"; }
};

/// An administrator's create at RequestResponse level.
inline WrittenEvent created(const std::string& uri, Object object, int second) {
  WrittenEvent out;
  out.verb = "create";
  out.uri = uri;
  out.user = "admin";
  out.groups = {"system:masters"};
  out.code = 201;
  out.second = second;
  out.response = std::move(object);
  return out;
}

inline Object pod_with_secret(const std::string& name, const std::string& node, const std::string& secret) {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", name}, {"namespace", "shop"}}},
          {"spec", {{"nodeName", node}, {"volumes", {{{"name", "s"}, {"secret", {{"secretName", secret}}}}}}}}};
}

/// A file with that content for the length of a test.
class LogFile {
 public:
  explicit LogFile(std::string_view content, const std::string& name = "audit.log")
      : path_(std::filesystem::temp_directory_path() / ("replay-test-" + std::to_string(getpid()) + "-" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { std::filesystem::remove(path_); }

  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Asked {
  std::string from = "1.31.0";
  std::string to = "1.36.3";
  bool whole_state = false;
  bool default_rbac = true;
  std::vector<ClusterObject> cluster = {};
  replay::ServerSetting from_setting = {};
  replay::ServerSetting to_setting = {};
};

inline Replay replayed(const std::vector<std::string>& logs, const Asked& asked = {}) {
  const RuleSet from = rules_of(asked.from);
  const RuleSet to = rules_of(asked.to);
  replay::ReplayQuestion question;
  question.logs = logs;
  question.from = &from;
  question.to = &to;
  question.whole_state = asked.whole_state;
  question.default_rbac = asked.default_rbac;
  question.cluster = asked.cluster;
  question.from_setting = asked.from_setting;
  question.to_setting = asked.to_setting;
  return replay::replay(question).value();
}

inline Replay replayed_text(std::string_view log, const Asked& asked = {}) {
  const LogFile file(log);
  return replayed({file.path()}, asked);
}

}  // namespace nodebound::test
