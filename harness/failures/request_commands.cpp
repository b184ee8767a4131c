#include "harness/failures/request_commands.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/answer.h"
#include "reports/text.h"

namespace nodebound::failures {
namespace {

constexpr std::string_view exec_prefix = "exec:";
constexpr std::string_view webhook_prefix = "authz-webhook:";
constexpr const char* next_line = " \\\n  ";

/// `POST /api/v1/…` with what is sent and as whom.
struct Asked {
  std::string method;
  std::string path;
  std::string query;  ///< with its `?`
  std::string type;
  std::string body;
  bool is_review = false;
  std::string user;  ///< of a review, nobody: the administrator asks
  std::vector<std::string> groups;

  [[nodiscard]] std::string target() const { return path + query; }
};

// `system:node:a [system:nodes, system:authenticated]`
void read_subject(const std::string& text, Asked& out) {
  const std::size_t open = text.rfind(" [");
  out.user = text.substr(0, open);
  if (open == std::string::npos || !text.ends_with(']')) return;
  std::string_view rest = std::string_view(text).substr(open + 2);
  rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    out.groups.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
}

std::optional<Asked> asked_by(const CheckResult& check) {
  const std::string& request = check.evidence.request;
  const std::size_t space = request.find(' ');
  if (space == std::string::npos || !request.substr(space).starts_with(" /")) return std::nullopt;
  Asked out;
  out.method = request.substr(0, space);
  out.path = request.substr(space + 1);
  const std::size_t query = std::min(out.path.find('?'), out.path.size());
  out.query = out.path.substr(query);
  out.path.resize(query);
  out.type = check.evidence.type.empty() ? "application/json" : check.evidence.type;
  out.body = printable_json(check.evidence.body);
  out.is_review = out.path == access_review_path && check.layer == "authorizer";
  if (!out.is_review) {
    read_subject(check.evidence.subject, out);
    return out;
  }
  out.body = R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)" + out.body + "}";
  return out;
}

std::string curl_of(const Asked& asked, const std::string& target) {
  const bool of_webhook = asked.is_review && target.starts_with(webhook_prefix);
  std::string out = "curl --cacert ca.crt";
  if (!of_webhook) out += " -H \"Authorization: Bearer $TOKEN\"";
  out += " -X " + asked.method + next_line +
         (of_webhook ? shell_word(target.substr(webhook_prefix.size())) : "\"$SERVER\"" + shell_word(asked.target()));
  if (!asked.user.empty()) out += next_line + std::string("-H ") + shell_word("Impersonate-User: " + asked.user);
  for (const std::string& group : asked.groups) {
    out += next_line + std::string("-H ") + shell_word("Impersonate-Group: " + group);
  }
  if (!asked.body.empty()) {
    out += next_line + std::string("-H ") + shell_word("Content-Type: " + asked.type) + next_line + "--data " +
           shell_word(asked.body);
  }
  return out;
}

std::string impersonation(const Asked& asked) {
  std::string out;
  if (!asked.user.empty()) out += " --as " + shell_word(asked.user);
  for (const std::string& group : asked.groups) out += " --as-group " + shell_word(group);
  return out;
}

/// The parts of the path of an object.
struct ObjectPath {
  std::string resource;  ///< `pods`, `certificatesigningrequests.v1.certificates.k8s.io`
  std::string space;
  std::string name;
  std::string subresource;
};

std::optional<ObjectPath> object_path(std::string_view path) {
  std::vector<std::string> parts;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::size_t slash = std::min(path.find('/'), path.size());
    parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(slash);
  }
  const bool core = !parts.empty() && parts[0] == "api";
  std::size_t at = core ? 2 : 3;
  ObjectPath out;
  if (parts.size() > at + 2 && parts[at] == "namespaces") {
    out.space = parts[at + 1];
    at += 2;
  }
  if (parts.size() < at + 2 || parts.size() > at + 3) return std::nullopt;
  out.resource = core ? parts[at] : parts[at] + "." + parts[2] + "." + parts[1];
  out.name = parts[at + 1];
  if (parts.size() == at + 3) out.subresource = parts[at + 2];
  return out;
}

// kubectl has no raw PATCH.
std::string patch_command(const Asked& asked) {
  const auto of = object_path(asked.path);
  if (!of) return {};
  const bool dry = asked.query.find("dryRun=All") != std::string::npos;
  std::string common = (of->space.empty() ? "" : " -n " + shell_word(of->space)) +
                       (of->subresource.empty() ? "" : " --subresource " + shell_word(of->subresource)) +
                       (dry ? " --dry-run=server" : "") + impersonation(asked);
  for (const auto& [type, name] : {std::pair("application/merge-patch+json", "merge"),
                                   {"application/strategic-merge-patch+json", "strategic"},
                                   {"application/json-patch+json", "json"}}) {
    if (asked.type != type) continue;
    return "kubectl patch " + shell_word(of->resource) + " " + shell_word(of->name) + common + " --type " + name +
           next_line + "-p " + shell_word(asked.body);
  }
  return "echo " + shell_word(asked.body) + " |" + next_line +
         "kubectl apply --server-side --force-conflicts --field-manager nodebound -f -" + common;
}

std::string kubectl_of(const Asked& asked, const std::string& target) {
  if (asked.is_review && target.starts_with(webhook_prefix)) return {};
  if (asked.method == "PATCH") return patch_command(asked);
  const char* const verb = asked.method == "GET"      ? "get"
                           : asked.method == "POST"   ? "create"
                           : asked.method == "PUT"    ? "replace"
                           : asked.method == "DELETE" ? "delete"
                                                      : nullptr;
  if (verb == nullptr) return {};
  const std::string command =
      std::string("kubectl ") + verb + " --raw " + shell_word(asked.target()) + impersonation(asked);
  const bool takes_body = asked.method == "POST" || asked.method == "PUT";
  return takes_body ? "echo " + shell_word(asked.body) + " |" + next_line + command + " -f -" : command;
}

std::string pipe_of(const CheckResult& check, const std::string& target) {
  return std::string("printf '%s\\n' ") + shell_word(R"({"protocol":"nodebound.dev/exec","versions":[1]})") +
         next_line + shell_word(R"({"id":1,"spec":)" + printable_json(check.evidence.body) + "}") + " |" + next_line +
         target.substr(exec_prefix.size());
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=@%+,").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

RequestCommands commands_of(const CheckResult& check, const std::string& target) {
  const auto asked = asked_by(check);
  if (!asked) return {};
  if (asked->is_review && target.starts_with(exec_prefix))
    return {.curl = {}, .kubectl = {}, .pipe = pipe_of(check, target)};
  return {.curl = curl_of(*asked, target), .kubectl = kubectl_of(*asked, target), .pipe = {}};
}

}  // namespace nodebound::failures
