#include "harness/mutants/faults/kubelet_faults.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "harness/mutants/faults/altered_kubelet.h"

namespace nodebound::mutants {
namespace {

bool has_certificate(const IncomingRequest& request) {
  return request.peer && !request.peer->certificates.empty();
}

bool streams(const std::string& path) {
  return path.starts_with("/exec/") || path.starts_with("/attach/") || path.starts_with("/portForward/");
}

/// A cache whose key omits something.
template <typename Value>
struct Remembered {
  std::mutex mutex;
  std::map<std::string, Value> known;

  template <typename Ask>
  Value get(const std::string& key, Ask ask) {
    {
      const std::lock_guard lock(mutex);
      if (const auto found = known.find(key); found != known.end()) return found->second;
    }
    Value out = ask();
    const std::lock_guard lock(mutex);
    return known.try_emplace(key, std::move(out)).first->second;
  }
};

kubelet_conformance::KubeletFault access_by_user() {
  auto memory = std::make_shared<Remembered<std::optional<AccessVerdict>>>();
  return reviewing([memory](Reviewer& right, const Subject& subject, const Attributes& attributes) {
    return memory->get(subject.name, [&] { return right.review_access(subject, attributes); });
  });
}

kubelet_conformance::KubeletFault tokens_by_prefix() {
  auto memory = std::make_shared<Remembered<std::optional<TokenVerdict>>>();
  return reviewing({}, [memory](Reviewer& right, const std::string& token) {
    return memory->get(token.substr(0, 12), [&] { return right.review_token(token); });
  });
}

kubelet_conformance::KubeletFault failure_is(const std::optional<AccessVerdict>& verdict) {
  return reviewing([verdict](Reviewer& right, const Subject& subject, const Attributes& attributes) {
    const auto out = right.review_access(subject, attributes);
    return out ? out : verdict;
  });
}

kubelet_conformance::KubeletFault denial_is_an_error() {
  return reviewing([](Reviewer& right, const Subject& subject, const Attributes& attributes) {
    auto out = right.review_access(subject, attributes);
    if (out && out->denied) out.reset();
    return out;
  });
}

kubelet_conformance::KubeletFault unknown_token_is_anonymous() {
  return reviewing({}, [](Reviewer& right, const std::string& token) {
    auto out = right.review_token(token);
    if (out && out->subject) return out;
    return std::optional(TokenVerdict{Subject{"system:anonymous", {"system:unauthenticated"}, "", {}}, ""});
  });
}

kubelet_conformance::KubeletFault token_before_certificate() {
  return answering([](kubelet_conformance::KubeletPort, const IncomingRequest& request,
                      const kubelet_conformance::KubeletFault::Handle& own,
                      const kubelet_conformance::KubeletFault::Handle&) {
    IncomingRequest other = request;
    if (!request.header("authorization").empty()) other.peer = nullptr;
    return own(other);
  });
}

kubelet_conformance::KubeletFault token_of_the_query() {
  return answering([](kubelet_conformance::KubeletPort, const IncomingRequest& request,
                      const kubelet_conformance::KubeletFault::Handle& own,
                      const kubelet_conformance::KubeletFault::Handle&) {
    IncomingRequest other = request;
    const std::string name = "access_token=";
    const std::size_t at = request.target.find(name);
    if (at != std::string::npos) {
      other.headers.emplace_back("authorization", "Bearer " + request.target.substr(at + name.size()));
    }
    return own(other);
  });
}

kubelet_conformance::KubeletFault paths_after_authentication() {
  return answering([](kubelet_conformance::KubeletPort port, const IncomingRequest& request,
                      const kubelet_conformance::KubeletFault::Handle& own,
                      const kubelet_conformance::KubeletFault::Handle&) {
    HttpResponse out = own(request);
    const bool early = out.status == 301 || out.status == 307 || out.body == "404 page not found\n";
    const bool nobody = !has_certificate(request) && request.header("authorization").empty();
    if (port != kubelet_conformance::KubeletPort::main || !early || !nobody) return out;
    return HttpResponse{401, "text/plain", "Unauthorized", {}};
  });
}

kubelet_conformance::KubeletFault other_port_asks(kubelet_conformance::KubeletPort which) {
  return answering([which](kubelet_conformance::KubeletPort port, const IncomingRequest& request,
                           const kubelet_conformance::KubeletFault::Handle& own,
                           const kubelet_conformance::KubeletFault::Handle& main) {
    return port == which ? main(request) : own(request);
  });
}

struct Entry {
  const char* word;
  const char* meaning;
  std::vector<Rule> rules;
  std::function<kubelet_conformance::KubeletFault()> fault;
};

void anonymous(kubelet_api::KubeletConfiguration& configuration, bool on) {
  configuration.settings.anonymous = on;
}

std::vector<Entry> faults_of_callers() {
  return {
      {"anonymous-always",
       "who shows nothing is anonymous, whatever is configured",
       {Rule::kubelet_authentication},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { anonymous(it, true); }); }},
      {"anonymous-never",
       "nobody is anonymous, whatever is configured",
       {Rule::kubelet_anonymous},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { anonymous(it, false); }); }},
      {"upgrade-unasked",
       "an upgrade is not asked who sends it",
       {Rule::kubelet_authentication},
       [] { return letting_in([](const IncomingRequest& it) { return !it.header("upgrade").empty(); }); }},
      {"impersonation",
       "a header says who asks",
       {Rule::kubelet_authentication},
       [] { return letting_in([](const IncomingRequest& it) { return !it.header("impersonate-user").empty(); }); }},
      {"front-proxy",
       "a header of a proxy says who asks",
       {Rule::kubelet_authentication},
       [] { return letting_in([](const IncomingRequest& it) { return !it.header("x-remote-user").empty(); }); }},
      {"options-unasked",
       "OPTIONS is not asked who sends it",
       {Rule::kubelet_authentication},
       [] { return letting_in([](const IncomingRequest& it) { return it.method == "OPTIONS"; }); }},
      {"checkpoint-unasked",
       "/checkpoint is not asked who sends it",
       {Rule::kubelet_authentication},
       [] { return letting_in([](const IncomingRequest& it) { return it.target.starts_with("/checkpoint"); }); }},
      {"query-token", "a parameter is taken for a bearer token", {Rule::kubelet_authentication}, token_of_the_query},
      {"any-certificate",
       "a certificate is not verified",
       {Rule::kubelet_client_certificate},
       [] { return letting_in(has_certificate); }},
      {"first-organization",
       "the first O alone is a group",
       {Rule::kubelet_client_certificate},
       [] { return naming([](Subject& it) { it.groups.resize(std::min<std::size_t>(it.groups.size(), 1)); }); }},
      {"not-authenticated",
       "system:authenticated is left out",
       {Rule::kubelet_client_certificate},
       [] { return naming([](Subject& it) { std::erase(it.groups, "system:authenticated"); }); }},
      {"more-groups",
       "everybody is in system:masters",
       {Rule::kubelet_authentication},
       [] { return naming([](Subject& it) { it.groups.emplace_back("system:masters"); }); }},
      {"extra-left-out",
       "extra values are left out",
       {Rule::kubelet_credential_id, Rule::kubelet_token_review},
       [] { return naming([](Subject& it) { it.extra.clear(); }); }},
      {"token-first",
       "a token is looked at before a certificate",
       {Rule::kubelet_certificate_first},
       token_before_certificate},
      {"tokens-always",
       "tokens are reviewed, whatever is configured",
       {Rule::kubelet_token_ignored},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { it.settings.token_webhook = true; }); }},
      {"tokens-never",
       "tokens are not reviewed, whatever is configured",
       {Rule::kubelet_token_review},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { it.settings.token_webhook = false; }); }},
      {"unknown-token",
       "a token that is nobody's is anonymous",
       {Rule::kubelet_token_review},
       unknown_token_is_anonymous},
      {"token-prefix", "a token is remembered by how it begins", {Rule::kubelet_token_cache}, tokens_by_prefix},
      {"token-longer",
       "a token is remembered past its time",
       {Rule::kubelet_token_cache},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { it.settings.token_ttl *= 100; }); }},
      {"audience",
       "a TokenReview names an audience",
       {Rule::kubelet_token_audience},
       [] { return sending("TokenReview", [](Object& it) { it["audiences"] = {"kubelet"}; }); }},
  };
}

std::vector<Entry> faults_of_access() {
  return {
      {"allows-everything",
       "everybody may do everything, whatever is configured",
       {Rule::kubelet_authorization},
       [] {
         return configured(
             [](kubelet_api::KubeletConfiguration& it) { it.settings.authorization_mode = "AlwaysAllow"; });
       }},
      {"head-is-get",
       "HEAD and methods that are no verb are get",
       {Rule::kubelet_verbs},
       [] { return asking([](Attributes& it) { it.verb = it.verb.empty() ? "get" : it.verb; }); }},
      {"put-is-create",
       "PUT is create",
       {Rule::kubelet_verbs},
       [] { return asking([](Attributes& it) { it.verb = it.verb == "update" ? "create" : it.verb; }); }},
      {"stream-creates",
       "exec, attach and portForward need create, by GET as well",
       {Rule::kubelet_get_reaches_exec},
       [] { return asking([](Attributes& it) { it.verb = streams(it.path) ? "create" : it.verb; }); }},
      {"logs-of-containers",
       "logs of containers are of the subresource log",
       {Rule::kubelet_subresource},
       [] {
         return asking([](Attributes& it) {
           if (it.path.starts_with("/containerLogs")) it.subresource = "log";
         });
       }},
      {"fails-open",
       "a review that fails allows",
       {Rule::kubelet_review_error},
       [] {
         return failure_is(AccessVerdict{true, false});
       }},
      {"fails-to-proxy",
       "after a review that fails the next is asked for",
       {Rule::kubelet_review_error},
       [] {
         return failure_is(AccessVerdict{false, false});
       }},
      {"denial-error", "a denial is an error", {Rule::kubelet_review_denied}, denial_is_an_error},
      {"namespace",
       "an access review is in a namespace",
       {Rule::kubelet_review_node},
       [] {
         return sending("SubjectAccessReview", [](Object& it) { it["resourceAttributes"]["namespace"] = "default"; });
       }},
      {"other-node",
       "an access review is about another Node",
       {Rule::kubelet_review_node},
       [] { return sending("SubjectAccessReview", [](Object& it) { it["resourceAttributes"]["name"] = "other"; }); }},
      {"any-version",
       "an access review is of any version",
       {Rule::kubelet_review_node},
       [] { return sending("SubjectAccessReview", [](Object& it) { it["resourceAttributes"]["version"] = "*"; }); }},
      {"with-path",
       "an access review has the path",
       {Rule::kubelet_review_node},
       [] {
         return sending("SubjectAccessReview", [](Object& it) {
           it["nonResourceAttributes"] = {{"path", "/"}, {"verb", "get"}};
         });
       }},
      {"with-empty-selector",
       "an access review has a label selector that selects nothing",
       {Rule::kubelet_review_node},
       [] {
         return sending("SubjectAccessReview",
                        [](Object& it) { it["resourceAttributes"]["labelSelector"] = Object::object(); });
       }},
      {"access-by-user",
       "an access review is remembered by its user alone",
       {Rule::kubelet_access_cache},
       access_by_user},
      {"denied-longer",
       "who may not is known as long as who may",
       {Rule::kubelet_access_cache},
       [] {
         return configured(
             [](kubelet_api::KubeletConfiguration& it) { it.settings.denied_ttl = it.settings.allowed_ttl; });
       }},
      {"allowed-longer",
       "who may is known past its time",
       {Rule::kubelet_access_cache},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { it.settings.allowed_ttl *= 100; }); }},
      {"debugging-always",
       "debugging handlers are there, whatever is configured",
       {Rule::kubelet_debugging_handlers_refuse},
       [] { return configured([](kubelet_api::KubeletConfiguration& it) { it.settings.debugging_handlers = true; }); }},
      {"paths-guarded",
       "who shows nothing is told so where there is no path",
       {Rule::kubelet_paths_before_authentication},
       paths_after_authentication},
      {"read-only-asks",
       "the read-only port is the main one",
       {Rule::kubelet_read_only_port},
       [] { return other_port_asks(kubelet_conformance::KubeletPort::read_only); }},
      {"healthz-asks",
       "the healthz port is the main one",
       {Rule::kubelet_healthz_port},
       [] { return other_port_asks(kubelet_conformance::KubeletPort::healthz); }},
  };
}

}  // namespace

std::vector<KubeletMutant> kubelet_faults(const Catalogue& catalogue) {
  std::vector<KubeletMutant> out;
  for (const auto& entries : {faults_of_callers(), faults_of_access()}) {
    for (const Entry& entry : entries) {
      out.push_back({std::string("kubelet/") + entry.word,
                     catalogue[entry.rules.front()].title,
                     entry.meaning,
                     entry.rules,
                     {},
                     entry.fault});
    }
  }
  return out;
}

}  // namespace nodebound::mutants
