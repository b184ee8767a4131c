#include "harness/scenario/request_text.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "fakes/apiserver/api_catalogue.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

// `secrets`, `leases.coordination.k8s.io`; a group that the table does not know is taken as it is.
Result<void> resolve_resource(const std::string& spelled, RequestText& request) {
  const ApiCatalogue& catalogue = ApiCatalogue::built_in();
  const std::size_t dot = spelled.find('.');
  request.resource = spelled.substr(0, dot);
  std::optional<std::string> group;
  if (dot != std::string::npos) group = spelled.substr(dot + 1);
  if (const ApiResourceEntry* entry = catalogue.find(request.resource, group)) {
    request.group = entry->group;
    request.version = entry->newest_version();
    request.kind = entry->kind;
    request.namespaced = entry->namespaced;
    return {};
  }
  if (!group) {
    std::vector<std::string> known;
    for (const ApiResourceEntry& entry : catalogue.entries()) known.push_back(entry.resource);
    return input_error("", "unknown resource \"" + request.resource + "\"" + did_you_mean(request.resource, known));
  }
  request.group = *group;
  request.version = "v1";
  return {};
}

Result<void> read_target(const std::string& target, RequestText& request) {
  std::vector<std::string> parts;
  std::string_view rest = target;
  // The third part, a subresource, may itself have slashes: `nodes/a/proxy/metrics`.
  while (parts.size() < 2 && rest.find('/') != std::string_view::npos) {
    parts.emplace_back(rest.substr(0, rest.find('/')));
    rest.remove_prefix(rest.find('/') + 1);
  }
  parts.emplace_back(rest);
  if (std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); })) {
    return input_error("", "expected RESOURCE, RESOURCE/NAME or RESOURCE/NAME/SUBRESOURCE, not \"" + target + "\"");
  }
  if (Result<void> resolved = resolve_resource(parts[0], request); !resolved) return resolved;
  if (parts.size() > 1) request.name = parts[1];
  if (parts.size() > 2) request.subresource = parts[2];
  return {};
}

}  // namespace

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
    } else {
      return input_error("", "unknown word \"" + word + "\" in a request; expected -n, -A, -l or --field-selector");
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
  if (!request.subresource.empty()) out += "/" + request.subresource;
  return out + flags_of(request);
}

}  // namespace nodebound
