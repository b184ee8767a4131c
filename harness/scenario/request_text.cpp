#include "harness/scenario/request_text.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "fakes/wire/resources/api_catalogue.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

const ApiCatalogue& apis() {
  return ApiCatalogue::built_in();
}

std::vector<std::string> known_resources() {
  std::vector<std::string> known;
  for (const ApiResourceEntry& entry : apis().entries()) known.push_back(entry.resource);
  for (const ReviewedResource& entry : apis().reviewed()) known.push_back(entry.resource);
  return known;
}

// `secrets`, `po`, `leases.coordination.k8s.io`. A group that the table does not know is kept as written.
Result<void> resolve_resource(const std::string& spelled, RequestText& request) {
  const std::size_t dot = spelled.find('.');
  request.resource = spelled.substr(0, dot);
  std::optional<std::string> group;
  if (dot != std::string::npos) group = spelled.substr(dot + 1);
  const ApiResourceEntry* entry = apis().find(request.resource, group);
  if (entry == nullptr) entry = apis().find_short(request.resource, group);
  if (entry != nullptr) {
    request.group = entry->group;
    request.version = entry->newest_version();
    request.resource = entry->resource;
    request.kind = entry->kind;
    request.namespaced = entry->namespaced;
    return {};
  }
  request.version = "v1";
  if (const ReviewedResource* reviewed = apis().find_reviewed(request.resource, group)) {
    request.group = reviewed->group;
    request.namespaced = reviewed->namespaced;
    return {};
  }
  if (!group) {
    return input_error(
        "", "unknown resource \"" + request.resource + "\"" + did_you_mean(request.resource, known_resources()));
  }
  request.group = *group;
  return {};
}

// What follows the resource: a name, optionally with a subresource, which may itself contain slashes
// (`nodes/a/proxy/metrics`); or a subresource alone, of no particular object.
Result<void> read_target(const std::string& target, RequestText& request) {
  const std::size_t slash = std::min(target.find('/'), target.size());
  if (Result<void> resolved = resolve_resource(target.substr(0, slash), request); !resolved) return resolved;
  if (slash == target.size()) return {};
  const std::string rest = target.substr(slash + 1);
  const std::size_t second = std::min(rest.find('/'), rest.size());
  const bool wrong = rest.empty() || rest.starts_with('/') || rest.ends_with('/');
  if (target.starts_with('/') || wrong) {
    return input_error("", "expected RESOURCE, RESOURCE/NAME or RESOURCE/NAME/SUBRESOURCE, not \"" + target + "\"");
  }
  if (second == rest.size() && apis().has_subresource(request.group, request.resource, rest)) {
    request.subresource = rest;
    return {};
  }
  // Names of signers contain slashes.
  const bool served = apis().find(request.resource, request.group) != nullptr;
  if (!served && second < rest.size() && apis().find_reviewed(request.resource, request.group) != nullptr) {
    request.name = "=";
    for (const char c : rest) request.name += c == '/' ? "%2F" : std::string(1, c);
    return {};
  }
  request.name = rest.substr(0, second);
  if (second < rest.size()) request.subresource = rest.substr(second + 1);
  return {};
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Verbs that only SubjectAccessReviews use for the resource, such as approve.
std::vector<std::string> reviewed_verbs(const RequestText& request) {
  std::vector<std::string> out;
  for (const ReviewedResource& entry : apis().reviewed()) {
    if (entry.resource != request.resource || entry.group != request.group) continue;
    out.insert(out.end(), entry.verbs.begin(), entry.verbs.end());
  }
  return out;
}

}  // namespace

const std::vector<std::string>& request_verbs() {
  static const std::vector<std::string> verbs = {"get",   "list",  "watch",  "create",          "update",
                                                 "patch", "apply", "delete", "deletecollection"};
  return verbs;
}

bool RequestText::only_reviewed() const {
  if (!resource_request) return false;
  if (name.empty() && !subresource.empty()) return true;
  const bool served = apis().find(resource, group) != nullptr;
  if (!served && apis().find_reviewed(resource, group) != nullptr) return true;
  return !has(request_verbs(), verb) && has(reviewed_verbs(*this), verb);
}

bool RequestText::connects() const {
  const ApiResourceEntry* entry = resource_request ? apis().find(resource, group) : nullptr;
  if (entry == nullptr) return false;
  return std::any_of(entry->subresources.begin(), entry->subresources.end(),
                     [&](const ApiSubresourceEntry& own) { return own.connect && own.name == subresource; });
}

Result<void> check_verb(const RequestText& request, const std::vector<std::string>& more) {
  if (!request.resource_request) return {};
  std::vector<std::string> known = request_verbs();
  // No request can be made for a resource that nobody serves.
  if (apis().find(request.resource, request.group) == nullptr) known.clear();
  for (const auto& verbs : {reviewed_verbs(request), more}) known.insert(known.end(), verbs.begin(), verbs.end());
  if (known.empty()) known = request_verbs();
  if (has(known, request.verb)) return {};
  std::string listed;
  for (std::size_t i = 0; i < known.size(); ++i) {
    listed += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + known[i];
  }
  return input_error("", "unknown verb \"" + request.verb + "\"" + did_you_mean(request.verb, known),
                     "expected " + listed);
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::istringstream in{std::string(line)};
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

Result<RequestText> parse_request(std::string_view line) {
  return parse_request(words_of(line), default_namespace);
}

Result<RequestText> parse_request(const std::vector<std::string>& words, std::string_view namespace_) {
  if (words.size() < 2) {
    return input_error("", "expected VERB RESOURCE[/NAME[/SUBRESOURCE]], as in \"get secrets/db -n shop\"");
  }
  RequestText request;
  request.verb = words[0];
  bool all_namespaces = false;
  if (words[1].starts_with('/')) {
    request.resource_request = false;
    request.path = words[1];
  } else if (Result<void> read = read_target(words[1], request); !read) {
    return tl::unexpected<Error>(read.error());
  }
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> std::string { return i + 1 < words.size() ? words[++i] : std::string(); };
    if (word == "-A") {
      all_namespaces = true;
    } else if (word == "-n") {
      request.namespace_ = value();
    } else if (word == "--field-selector") {
      request.field_selector = value();
    } else if (word == "-l") {
      request.label_selector = value();
    } else if (word == "--subresource") {
      if (!request.subresource.empty()) return input_error("", "the request has two subresources");
      request.subresource = value();
    } else {
      return input_error(
          "", "unknown word \"" + word + "\" in a request; expected -n, -A, -l, --field-selector or --subresource");
    }
  }
  if (request.namespaced && request.namespace_.empty() && !all_namespaces) request.namespace_ = namespace_;
  return request;
}

std::string flags_of(const RequestText& request, std::string_view understood) {
  std::string out;
  if (request.namespaced && request.namespace_.empty()) out += " -A";
  const bool left_out = request.namespaced && request.namespace_ == understood;
  if (!request.namespace_.empty() && !left_out) out += " -n " + request.namespace_;
  if (!request.field_selector.empty()) out += " --field-selector " + request.field_selector;
  if (!request.label_selector.empty()) out += " -l " + request.label_selector;
  return out;
}

std::string to_text(const RequestText& request) {
  if (!request.resource_request) return request.verb + " " + request.path;
  std::string out = request.verb + " " + request.resource;
  if (!request.group.empty()) out += "." + request.group;
  if (!request.name.empty()) out += "/" + request.name;
  const bool understood =
      !request.name.empty() || apis().has_subresource(request.group, request.resource, request.subresource);
  if (!request.subresource.empty()) out += (understood ? "/" : " --subresource ") + request.subresource;
  return out + flags_of(request);
}

}  // namespace nodebound
