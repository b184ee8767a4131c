#include "reference/kubelet/routes.h"

#include <algorithm>

#include "reference/authorizer/attributes.h"
#include "reference/kubelet/route_table.h"
#include "reference/kubelet/url_path.h"

namespace nodebound {
namespace {

using Pattern = KubeletRoutes::Pattern;
using Template = KubeletRoutes::Template;

/// The values of a template's variables, if the template matches the path from segment `begin` on.
std::optional<std::vector<std::string>> fill(const Template& route, const std::vector<std::string>& path,
                                             std::size_t begin) {
  std::vector<std::string> out;
  std::size_t at = begin;
  for (const std::string& segment : route.segments) {
    if (at == path.size()) return std::nullopt;
    if (segment == "*") {
      std::string rest;
      for (; at < path.size(); ++at) rest += (rest.empty() ? "" : "/") + path[at];
      out.push_back(rest);
      return out;
    }
    if (segment == "{}") {
      out.push_back(path[at]);
    } else if (segment != path[at]) {
      return std::nullopt;
    }
    ++at;
  }
  return at == path.size() ? std::optional(out) : std::nullopt;
}

// A web service without a declared media type only answers clients that accept anything.
bool accepts(std::string_view accept, std::string_view produces) {
  if (accept.empty()) return true;
  for (std::size_t begin = 0; begin <= accept.size();) {
    const std::size_t end = std::min(accept.find(',', begin), accept.size());
    std::string_view type = accept.substr(begin, end - begin);
    begin = end + 1;
    type = type.substr(0, type.find(';'));
    while (type.starts_with(' ')) type.remove_prefix(1);
    while (type.ends_with(' ')) type.remove_suffix(1);
    if (type == "*/*" || (!produces.empty() && type == produces)) return true;
  }
  return false;
}

// Routes as go-restful does: first by path, then by method, then by the accepted media types.
KubeletRoute in_service(const Pattern& service, std::string_view method, std::string path, std::string_view accept) {
  KubeletRoute out{KubeletRoute::Kind::no_route, "", std::move(path), "", {}, service.produces, "", {}};
  const std::vector<std::string> segments = path_segments(out.path);
  for (const Template& route : service.templates) {
    const auto parameters = fill(route, segments, service.root);
    if (!parameters) continue;
    if (std::find(route.methods.begin(), route.methods.end(), method) == route.methods.end()) {
      if (out.kind == KubeletRoute::Kind::no_route) out.kind = KubeletRoute::Kind::method_not_allowed;
      out.allowed.insert(out.allowed.end(), route.methods.begin(), route.methods.end());
      continue;
    }
    const bool takes = accepts(accept, service.produces);
    out.kind = takes ? KubeletRoute::Kind::handler : KubeletRoute::Kind::not_acceptable;
    out.handler = route.handler;
    out.parameters = *parameters;
    return out;
  }
  return out;
}

}  // namespace

KubeletRoutes::KubeletRoutes(const RuleSet& rules, const KubeletSettings& settings, Port port)
    : patterns_(kubelet_patterns(rules, settings, port)),
      escaped_paths_(rules.in_force(Rule::kubelet_escaped_paths)),
      redirect_status_(rules.in_force(Rule::kubelet_redirect_keeps_method) ? 307 : 301) {}

const Pattern* KubeletRoutes::exactly(std::string_view path) const {
  const auto found =
      std::find_if(patterns_.begin(), patterns_.end(), [&](const Pattern& one) { return one.path == path; });
  return found == patterns_.end() ? nullptr : &*found;
}

// The longest matching pattern wins.
const Pattern* KubeletRoutes::match(std::string_view path) const {
  if (const Pattern* found = exactly(path)) return found;
  const Pattern* best = nullptr;
  for (const Pattern& one : patterns_) {
    const bool fits = one.path.ends_with('/') && path.starts_with(one.path);
    if (fits && (best == nullptr || one.path.size() > best->path.size())) best = &one;
  }
  return best;
}

// Since Go 1.22, the ServeMux matches the path as sent, segment by segment; before, it decoded the path first.
KubeletRoute KubeletRoutes::find(std::string_view method, std::string_view target, std::string_view accept) const {
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view sent = target.substr(0, question);
  // An empty query is dropped.
  const std::string query(question + 1 < target.size() ? target.substr(question) : "");
  const std::string decoded = percent_decoded(sent, false);
  std::string path = decoded;
  if (escaped_paths_) path = is_escaped_path(sent) ? std::string(sent) : escaped_path(decoded);
  const std::string clean = method == "CONNECT" ? path : clean_path(path);
  const std::string plain = escaped_paths_ ? decoded_segments(clean) : clean;
  const auto redirect = [&](const std::string& to) {
    return KubeletRoute{KubeletRoute::Kind::redirect, "", decoded, escaped_path(to) + query, {}, "", "", {}};
  };
  if (!plain.ends_with('/') && exactly(plain) == nullptr && exactly(plain + "/") != nullptr) {
    return redirect((escaped_paths_ ? clean_path(decoded) : clean) + "/");
  }
  if (clean != path) return redirect(clean);
  const Pattern* pattern = match(plain);
  if (pattern == nullptr) return {KubeletRoute::Kind::not_found, "", decoded, "", {}, "", "", {}};
  if (!pattern->message.empty()) {
    return {KubeletRoute::Kind::disabled, "", decoded, "", {}, "", pattern->message, {}};
  }
  if (pattern->root > 0) return in_service(*pattern, method, decoded, accept);
  return {KubeletRoute::Kind::handler, pattern->handler, decoded, "", {}, pattern->produces, "", {}};
}

}  // namespace nodebound
