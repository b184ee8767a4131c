#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "fakes/http/memory_connection.h"
#include "fakes/kubelet_api/kubelet_handler.h"
#include "reference/test/support.h"

namespace nodebound::test {

/// A token is its user's name. A user's rights are a set of `verb subresource`; `*` means everything. Reviews of users
/// in `unreviewed` fail.
class ScriptedReviewer final : public Reviewer {
 public:
  std::optional<TokenVerdict> review_token(const std::string& token) override {
    if (token == "bad") return TokenVerdict{std::nullopt, "no such token"};
    return TokenVerdict{Subject{token, {}, "", {}}, ""};
  }
  std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) override {
    if (subject.name == "unreviewed") return std::nullopt;
    const auto& may = rights[subject.name];
    return AccessVerdict{may.contains("*") || may.contains(attributes.verb + " " + attributes.subresource), false};
  }

  std::map<std::string, std::set<std::string>> rights = {
      {"admin", {"*"}}, {"fine", {"get pods"}}, {"proxy", {"get proxy"}}};
};

/// A kubelet of a release with an empty configuration file.
struct ServedKubelet {
  explicit ServedKubelet(const std::string& version, KubeletRoutes::Port port = KubeletRoutes::Port::main,
                         const std::function<void(kubelet_api::KubeletConfiguration&)>& change = {},
                         const GateSettings& gates = {})
      : rules(rules_of(version, gates)), configuration(kubelet_api::KubeletConfiguration::of_file({}, rules)) {
    if (change) change(configuration);
    answers = std::make_unique<kubelet_api::KubeletAnswers>(rules, configuration, "node-a",
                                                            kubelet_api::KubeletAnswers::Flags{},
                                                            [] { return std::int64_t{1'700'000'000}; });
    std::unique_ptr<kubelet_api::KubeletHandler::Guard> guard;
    if (port == KubeletRoutes::Port::main) {
      guard = std::make_unique<kubelet_api::KubeletHandler::Guard>(kubelet_api::KubeletHandler::Guard{
          KubeletFilter(rules, configuration.settings, "node-a"), reviewer, [] { return nullptr; }});
    }
    handler = std::make_unique<kubelet_api::KubeletHandler>(rules, KubeletRoutes(rules, configuration.settings, port),
                                                            *answers, std::move(guard));
  }

  /// All bytes of the answer; `who` is empty for an anonymous request.
  std::string ask(const std::string& who, const std::string& method, const std::string& target,
                  const std::string& more = {}, const std::string& body = {}) {
    MemoryConnection connection(*handler);
    std::string request = method + " " + target + " HTTP/1.1\r\nHost: node-a\r\n" + more;
    if (!who.empty()) request += "Authorization: Bearer " + who + "\r\n";
    if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return connection.send(request + "\r\n" + body);
  }

  RuleSet rules;
  kubelet_api::KubeletConfiguration configuration;
  ScriptedReviewer reviewer;
  std::unique_ptr<kubelet_api::KubeletAnswers> answers;
  std::unique_ptr<kubelet_api::KubeletHandler> handler;
};

inline int status_of(const std::string& answer) {
  return std::stoi(answer.substr(answer.find(' ') + 1, 3));
}

inline std::string body_of(const std::string& answer) {
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

inline bool has_header(const std::string& answer, const std::string& line) {
  return answer.substr(0, answer.find("\r\n\r\n") + 2).find("\r\n" + line + "\r\n") != std::string::npos;
}

}  // namespace nodebound::test
