#pragma once

#include <string>

#include "fakes/apiserver/api_server.h"
#include "fakes/test/whole_pod.h"
#include "reference/test/support.h"

namespace nodebound::test {

inline const Subject admin{"admin", {"system:masters"}, "", {}};
inline const std::string json = "application/json";

struct Answer {
  int status;
  Object body;

  std::string message() const { return std::string(text(body, "message")); }
  std::string reason() const { return std::string(text(body, "reason")); }
};

struct World {
  explicit World(std::string_view version = "1.36.3", const GateSettings& gates = {},
                 const apiserver::ApiServer::Options& options = {})
      : rules(rules_of(version, gates)), server(rules, options) {}

  Answer call(const Subject& subject, const char* method, const std::string& target, const std::string& body = {},
              const std::string& type = json) {
    const HttpResponse response = server.handle(subject, {method, target, type, whole_pod(method, target, body)});
    return {response.status, Object::parse(response.body, nullptr, false)};
  }
  Answer get(const std::string& target) { return call(admin, "GET", target); }
  Answer post(const std::string& target, const std::string& body) { return call(admin, "POST", target, body); }
  Answer put(const std::string& target, const Object& body) { return call(admin, "PUT", target, body.dump()); }

  // A pod of node n1 with a Secret, as an administrator would create it.
  Object pod(const std::string& name = "p", const std::string& node_name = "n1") {
    return post("/api/v1/namespaces/ns/pods",
                R"({"metadata":{"name":")" + name + R"("},"spec":{"nodeName":")" + node_name +
                    R"(","serviceAccountName":"sa","volumes":[{"name":"v","secret":{"secretName":"s"}},
                    {"name":"t","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]}})")
        .body;
  }

  RuleSet rules;
  apiserver::ApiServer server;
  const Subject node = node_named("n1");
};

inline const std::string pods = "/api/v1/namespaces/ns/pods";

}  // namespace nodebound::test
