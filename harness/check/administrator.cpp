#include "harness/check/administrator.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/signals.h"
#include "harness/scenario/substitute.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

std::vector<std::string> listed(const std::string& names_with_commas) {
  std::vector<std::string> out;
  std::istringstream in(names_with_commas);
  for (std::string name; std::getline(in, name, ',');) out.push_back(name);
  return out;
}

constexpr int most_attempts = 8;

bool worth_another_try(int status) {
  return status == 429 || status >= 500;
}

std::string why_not(const HttpResponse& response) {
  const Object body = Object::parse(response.body, nullptr, false);
  const std::string_view message = body.is_object() ? text(body, "message") : std::string_view();
  return message.empty() ? "HTTP " + std::to_string(response.status) : std::string(message);
}

// The part of PEM between its first and last line, without line breaks: DER in base64.
std::string pem_content(std::string_view pem) {
  std::string out;
  while (!pem.empty()) {
    const std::size_t end = std::min(pem.find('\n'), pem.size());
    if (!pem.starts_with('-')) out += pem.substr(0, end);
    pem.remove_prefix(std::min(end + 1, pem.size()));
  }
  return out;
}

HttpRequest json_request(const std::string& method, const std::string& target, const Object& body,
                         const std::string& content_type) {
  HttpRequest request;
  request.method = method;
  request.target = target;
  if (!body.is_null()) {
    request.content_type = content_type;
    request.body = body.dump();
  }
  return request;
}

}  // namespace

Result<HttpResponse> Administrator::send(const std::string& method, const std::string& target, const Object& body,
                                         const std::string& content_type) {
  const HttpRequest request = json_request(method, target, body, content_type);
  for (int attempt = 0;; ++attempt) {
    Result<HttpResponse> response = session_.send(endpoint_.administrator(), request);
    const bool again = response && worth_another_try(response->status) && attempt < most_attempts && !interrupted();
    if (!again) return response;
    circumstances_.pause(std::chrono::milliseconds(20 << attempt));
  }
}

Result<void> Administrator::expect_success(const Result<HttpResponse>& response, const std::string& doing) {
  if (!response) return tl::unexpected<Error>(response.error());
  if (response->status < 300) return {};
  return unreachable_error(doing, why_not(*response));
}

Result<std::string> Administrator::resolve(const std::string& text_with_placeholders) {
  std::optional<Error> failed;
  std::string out = substitute(text_with_placeholders, [&](std::string_view placeholder) -> std::optional<std::string> {
    const std::size_t blank = placeholder.find(' ');
    const std::string_view word = placeholder.substr(0, blank);
    const std::string rest(blank == std::string_view::npos ? "" : placeholder.substr(blank + 1));
    if (blank == std::string_view::npos) return names_.cluster_scoped(placeholder);
    if (word == "ns") return names_.namespace_name(rest);
    if (word == "csr") {
      Result<std::string> csr = circumstances_.draw([&] { return make_csr(rest, {"system:nodes"}); });
      if (csr) return base64_encode(*csr);
      failed = csr.error();
    } else if (word == "csr-of") {
      Result<std::string> csr = circumstances_.draw(
          [&] { return make_csr(rest.substr(rest.find(' ') + 1), listed(rest.substr(0, rest.find(' ')))); });
      if (csr) return base64_encode(*csr);
      failed = csr.error();
    } else if (word == "pkcs10") {
      Result<std::string> csr = circumstances_.draw([&] { return make_csr(rest, {}); });
      if (csr) return pem_content(*csr);
      failed = csr.error();
    } else if (word == "proof" || word == "proof-key") {
      const Result<std::string> proof = circumstances_.draw([&]() -> Result<std::string> {
        Result<Possession> possession = prove_possession(rest);
        if (!possession) return tl::unexpected<Error>(possession.error());
        return base64_encode(word == "proof" ? possession->signature : possession->public_key);
      });
      if (proof) return *proof;
      failed = proof.error();
    } else if (word == "base64") {
      return base64_encode(rest);
    } else if (word == "uid") {
      Result<RequestText> target = parse_request("get " + rest);
      Result<Object> object = target ? get(*target) : tl::unexpected<Error>(target.error());
      if (object) return std::string(text(*object, "metadata", "uid"));
      failed = object.error();
    } else if (word == "former-uid") {
      const Result<RequestText> target = parse_request("get " + rest);
      const auto known = target ? uids_.find(names_.path(*target)) : uids_.end();
      if (known != uids_.end() && known->second.size() > 1) return known->second[known->second.size() - 2];
      failed = Error{Error::Kind::input, "", rest + " was made only once, so it has no former UID", ""};
    } else {
      failed = Error{Error::Kind::input, "", "unknown placeholder {" + std::string(placeholder) + "}", ""};
    }
    return std::string();
  });
  if (failed) return tl::unexpected<Error>(*failed);
  return out;
}

std::vector<std::string> Administrator::made() const {
  std::vector<std::string> out;
  for (const auto& [path, uids] : uids_) out.push_back(path);
  return out;
}

Result<Object> Administrator::resolve(const Object& object) {
  std::optional<Error> failed;
  Object out = object;
  const std::function<void(Object&)> visit = [&](Object& value) {
    if (value.is_string()) {
      Result<std::string> resolved = resolve(value.get_ref<const std::string&>());
      if (resolved) {
        value = *resolved;
      } else {
        failed = resolved.error();
      }
    } else if (value.is_structured()) {
      for (Object& item : value) visit(item);
    }
  };
  visit(out);
  if (failed) return tl::unexpected<Error>(*failed);
  return out;
}

Result<Object> Administrator::get(const RequestText& target) {
  const std::string path = names_.path(target);
  Result<HttpResponse> response = send("GET", path, Object());
  if (Result<void> ok = expect_success(response, "GET " + path); !ok) return tl::unexpected<Error>(ok.error());
  return Object::parse(response->body, nullptr, false);
}

Result<void> Administrator::ensure_namespace(const std::string& name) {
  const std::string full = names_.namespace_name(name);
  const bool own = !name.empty() && full != name;
  if (!own || std::find(namespaces_.begin(), namespaces_.end(), name) != namespaces_.end()) return {};
  if (names_.shares_name(*parse_request("create namespaces/" + name))) {
    return input_error("create namespace " + full, "others may have a namespace of that name",
                       "put a name of the scenario's own into it: =like-this-{own}");
  }
  const Object labels = {{std::string(journal::run_label), names_.run_id()}};
  const Result<Object> made =
      post("/api/v1/namespaces", "/api/v1/namespaces/" + full, {{"metadata", {{"name", full}, {"labels", labels}}}});
  if (!made) return tl::unexpected<Error>(made.error());
  namespaces_.push_back(name);
  // If the cluster has a controller for it, that may have been quicker.
  const std::string accounts = "/api/v1/namespaces/" + full + "/serviceaccounts";
  Result<HttpResponse> account = send("POST", accounts, {{"metadata", {{"name", "default"}, {"labels", labels}}}});
  if (account && account->status == 409) return {};
  return expect_success(account, "create service account default in " + full);
}

Result<Object> Administrator::post(const std::string& collection, const std::string& path, const Object& body) {
  const std::string before = session_.uid_of(path);
  const Result<HttpResponse> response = send("POST", collection, body);
  const std::string after = session_.uid_of(path);
  const bool made_before = response && response->status == 409 && after != before;
  if (made_before) return Object{{"metadata", {{"uid", after}}}};
  if (response && response->status == 409) {
    if (const Result<Object> present = complete(path, body)) return present;
  }
  if (Result<void> made = expect_success(response, "create " + path); !made) return tl::unexpected<Error>(made.error());
  return Object::parse(response->body, nullptr, false);
}

bool Administrator::is_of_own_pod(const Object& object) const {
  const Object& owners = member(object, "metadata", "ownerReferences");
  return std::any_of(owners.begin(), owners.end(), [&](const Object& owner) {
    if (text(owner, "kind") != "Pod" || member(owner, "controller") != true) return false;
    return std::any_of(uids_.begin(), uids_.end(), [&](const auto& made) {
      return std::find(made.second.begin(), made.second.end(), text(owner, "uid")) != made.second.end();
    });
  });
}

// The claim for an ephemeral volume is made as soon as its pod is there (pkg/controller/volume/ephemeral). It goes with
// the pod.
Result<Object> Administrator::complete(const std::string& path, const Object& body) {
  const Result<HttpResponse> response = send("GET", path, Object());
  if (const Result<void> read = expect_success(response, "GET " + path); !read) return tl::unexpected(read.error());
  Object present = Object::parse(response->body, nullptr, false);
  if (!is_of_own_pod(present)) return unreachable_error("create " + path, "the target has one of its own");
  Object missing = Object::object();
  for (const auto& [field, value] : member(body, "spec").items()) {
    if (!member(present, "spec").contains(field)) missing[field] = value;
  }
  const Result<void> changed =
      expect_success(send("PATCH", path, {{"spec", missing}}, "application/merge-patch+json"), "complete " + path);
  if (!changed) return tl::unexpected(changed.error());
  return present;
}

Result<void> Administrator::create(const RequestText& target, Object body) {
  if (Result<void> made = ensure_namespace(target.namespace_); !made) return made;
  Result<Object> resolved = resolve(body);
  if (!resolved) return tl::unexpected<Error>(resolved.error());
  body = std::move(*resolved);
  const std::string name = names_.object_name(target);
  body["metadata"]["name"] = name;
  body["metadata"]["labels"][std::string(journal::run_label)] = names_.run_id();
  if (is_guest() && target.group.empty()) guest::make_unrunnable(target.resource, body);
  // Fields that only a subresource can set are sent to it afterwards.
  const Object status = body.contains("status") ? body["status"] : Object();
  const std::string path = names_.path(target);
  if (names_.shares_name(target)) {
    // An object of that name may belong to others: it is neither adopted nor, later, removed.
    const Result<HttpResponse> present = send("GET", path, Object());
    if (present && present->status != 404) return unreachable_error("create " + path, "the target has one of its own");
  }
  const Result<Object> created = post(names_.path(target, true), path, body);
  if (!created) return tl::unexpected<Error>(created.error());
  uids_[path].emplace_back(text(*created, "metadata", "uid"));
  if (status.is_null()) return {};
  return expect_success(send("PATCH", path + "/status", {{"status", status}}, "application/merge-patch+json"),
                        "set the status of " + path);
}

Result<void> Administrator::widen() {
  const Object binding = {
      {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", "cluster-admin"}}},
      {"subjects", {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "Group"}, {"name", names_.widened_group()}}}}};
  return create(*parse_request(widening_request), binding);
}

Result<void> Administrator::may_touch(const RequestText& target) const {
  const std::string path = names_.path(target);
  if (!names_.shares_name(target) || uids_.contains(path)) return {};
  return unreachable_error(path, "not touched: it may belong to others, for it was not made here");
}

Result<void> Administrator::remove(const RequestText& target) {
  if (Result<void> own = may_touch(target); !own) return own;
  return session_.remove(names_.path(target));
}

Result<void> Administrator::bind(const Action& action) {
  const Object binding = {
      {"apiVersion", "v1"},
      {"kind", "Binding"},
      {"metadata", {{"name", action.target.name}}},
      {"target", {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", names_.cluster_scoped(action.node)}}}};
  return expect_success(send("POST", names_.path(action.target), binding), "bind " + names_.path(action.target));
}

Result<void> Administrator::change(const Action& action) {
  if (Result<void> own = may_touch(action.target); !own) return own;
  Result<Object> body = resolve(action.body);
  if (!body) return tl::unexpected<Error>(body.error());
  const std::string path = names_.path(action.target);
  const bool strategic = action.target.subresource == "ephemeralcontainers";
  return expect_success(
      send("PATCH", path, *body, strategic ? "application/strategic-merge-patch+json" : "application/merge-patch+json"),
      "change " + path);
}

Result<std::string> Administrator::token(const TokenText& wanted) {
  if (const auto known = tokens_.find(wanted.subject); known != tokens_.end()) return known->second;
  Object body = {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "TokenRequest"}, {"spec", Object::object()}};
  if (wanted.bound_to) {
    body["spec"]["boundObjectRef"] = {
        {"apiVersion", "v1"}, {"kind", wanted.bound_to->kind}, {"name", names_.object_name(*wanted.bound_to)}};
  }
  const std::string path = names_.path(wanted.account);
  const Result<HttpResponse> answer = send("POST", path, body);
  if (Result<void> ok = expect_success(answer, "request a token of " + path); !ok) return tl::unexpected(ok.error());
  const Object issued = Object::parse(answer->body, nullptr, false);
  const std::string_view token = text(issued, "status", "token");
  if (token.empty()) return unreachable_error("POST " + path, "the answer holds no token");
  return tokens_[wanted.subject] = token;
}

Result<void> Administrator::perform(const Action& action) {
  if (action.token) {
    const Result<std::string> requested = token(*action.token);
    return requested ? Result<void>() : tl::unexpected<Error>(requested.error());
  }
  switch (action.kind) {
    case Action::Kind::create:
      return create(action.target, action.body);
    case Action::Kind::remove:
      return remove(action.target);
    case Action::Kind::bind:
      return bind(action);
    case Action::Kind::change:
      return change(action);
  }
  return {};
}

std::vector<Error> Administrator::clean_up() {
  if (endpoint_.disposable()) return {};
  return session_.clean_up();
}

}  // namespace nodebound
