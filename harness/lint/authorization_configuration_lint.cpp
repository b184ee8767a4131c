#include "harness/lint/authorization_configuration_lint.h"

#include <algorithm>

#include "fakes/authorization/authorization_configuration.h"

namespace nodebound::lint {
namespace {

using Answer = cel::Match::Answer;

cel::SubjectAccessReviewSpec read_of_secret(std::string user, std::vector<std::string> groups) {
  cel::SubjectAccessReviewSpec out;
  out.user = std::move(user);
  out.groups = std::move(groups);
  out.resource_attributes = cel::ResourceAttributes{.namespace_ = "kube-system",
                                                    .verb = "get",
                                                    .group = "",
                                                    .version = "v1",
                                                    .resource = "secrets",
                                                    .subresource = "",
                                                    .name = "other",
                                                    .field_selector = {},
                                                    .label_selector = {}};
  return out;
}

/// Judges a configuration that kube-apiserver takes.
class ChainLint {
 public:
  ChainLint(const authorization::AuthorizationConfiguration& configuration, std::string_view text,
            const std::string& file)
      : all_(configuration.authorizers), text_(text), file_(file) {}

  Remarks remarks() && {
    const auto node = std::ranges::find(all_, "Node", &authorization::ConfiguredAuthorizer::type);
    if (node == all_.end()) {
      add(Remark::Kind::unsafe, file_,
          "there is no Node authorizer, so a node gets what the others grant the group system:nodes: all Secrets, or "
          "none",
          "add an authorizer of type Node, named node, first");
    }
    for (auto one = all_.begin(); one != all_.end(); ++one) {
      if (one->type == "AlwaysAllow") {
        add(Remark::Kind::unsafe, place(*one), "AlwaysAllow lets everybody do what no authorizer before it denies",
            "remove it");
      }
      if (one->webhook) webhook(*one, one < node);
    }
    return std::move(out_);
  }

 private:
  void add(Remark::Kind kind, std::string where, std::string what, std::string advice) {
    out_.push_back({kind, std::move(where), std::move(what), std::move(advice)});
  }
  [[nodiscard]] std::string place(const authorization::ConfiguredAuthorizer& one) const {
    return place_of("name: " + one.name, text_, file_);
  }

  void webhook(const authorization::ConfiguredAuthorizer& one, bool before_node) {
    const authorization::ConfiguredAuthorizer::Webhook& webhook = *one.webhook;
    for (const auto& [field, ttl, otherwise] : {std::tuple{"authorizedTTL", webhook.authorized_ttl, "5m"},
                                                {"unauthorizedTTL", webhook.unauthorized_ttl, "30s"}}) {
      if (!ttl || ttl->count() != 0) continue;
      add(Remark::Kind::ignored, place_of(std::string(field) + ": 0", text_, file_),
          std::string(field) + " of 0 is taken for the default, " + otherwise,
          "to cache nothing, set cacheAuthorizedRequests or cacheUnauthorizedRequests to false (since 1.34)");
    }
    for (const std::string& condition : webhook.unsupported) {
      add(Remark::Kind::unknown, place(one), condition, "what the webhook is asked about is not known here");
    }
    if (before_node && webhook.unsupported.empty()) about_nodes(one);
  }

  // A webhook before Node is asked about the requests of nodes, unless its conditions leave them out.
  void about_nodes(const authorization::ConfiguredAuthorizer& one) {
    const authorization::ConfiguredAuthorizer::Webhook& webhook = *one.webhook;
    const auto asked = [&](std::string user, std::vector<std::string> groups) {
      return cel::evaluate_all(webhook.conditions, read_of_secret(std::move(user), std::move(groups))).answer;
    };
    const Answer node = asked("system:node:a", {"system:nodes", "system:authenticated"});
    const std::string fix = "let Node stand first, or add the match condition !('system:nodes' in request.groups)";
    if (node == Answer::yes) {
      add(Remark::Kind::unsafe, place(one),
          "the webhook stands before Node and is asked about nodes: what it allows a node is allowed, and a node that "
          "it denies" +
              std::string(webhook.deny_on_failure ? ", or does not answer for," : "") + " does not work",
          fix);
    } else if (node == Answer::error && webhook.deny_on_failure) {
      add(Remark::Kind::unsafe, place(one),
          "the match conditions fail for requests of nodes, and failurePolicy Deny refuses those", fix);
    }
    if (node != Answer::no) return;
    if (asked("system:node:a", {"system:authenticated"}) == Answer::no &&
        asked("somebody", {"system:authenticated"}) == Answer::yes) {
      add(Remark::Kind::unsafe, place(one),
          "whoever is named system:node:… passes the webhook by, also without the group system:nodes",
          "ask for the group: !('system:nodes' in request.groups)");
    }
  }

  const std::vector<authorization::ConfiguredAuthorizer>& all_;
  std::string_view text_;
  const std::string& file_;
  Remarks out_;
};

}  // namespace

Remarks lint_authorization_configuration(std::string_view text, const std::string& file, const Release& release) {
  const authorization::AuthorizationConfiguration read = authorization::read_authorization_configuration(text, release);
  Remarks out;
  for (const std::string& mistake : read.mistakes) out.push_back({Remark::Kind::refused, file, mistake, ""});
  return read.mistakes.empty() ? ChainLint(read, text, file).remarks() : out;
}

}  // namespace nodebound::lint
