#pragma once

#include <string>
#include <string_view>

#include "fakes/apiserver/api_server.h"
#include "fakes/test/whole_pod.h"
#include "reference/test/support.h"

namespace nodebound {

inline const Subject admin{"admin", {"system:masters"}, "", {}};
inline const Subject node_a{"system:node:a", {"system:nodes"}, "", {}};

struct Answer {
  int status;
  Object body;
};

// An API server as `nodebound serve` starts it.
struct WholeCluster {
  explicit WholeCluster(std::string_view version = "1.36.3")
      : rules(test::rules_of(version, {})), server(rules, options()) {}

  static apiserver::ApiServer::Options options() {
    apiserver::ApiServer::Options out;
    out.namespaces_first = true;
    return out;
  }

  Answer call(const Subject& subject, const char* method, const std::string& target, const std::string& body = {},
              const std::string& type = "application/json") {
    const HttpResponse response = server.handle(subject, {method, target, type, whole_pod(method, target, body)});
    return {response.status, Object::parse(response.body, nullptr, false)};
  }
  Object get(const std::string& target) { return call(admin, "GET", target).body; }
  Answer post(const std::string& target, const std::string& body) { return call(admin, "POST", target, body); }
  std::string message(const Answer& answer) { return std::string(text(answer.body, "message")); }

  void make_shop() {
    post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
    post("/api/v1/namespaces/shop/serviceaccounts", R"({"metadata":{"name":"default"}})");
  }
  Answer make_pod(const std::string& spec) { return post(pods, R"({"metadata":{"name":"p"},"spec":)" + spec + "}"); }

  const std::string pods = "/api/v1/namespaces/shop/pods";
  RuleSet rules;
  apiserver::ApiServer server;
};

}  // namespace nodebound
