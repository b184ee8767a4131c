#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fakes/apiserver/read/negotiation.h"
#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/kubelet_api/answers/kubelet_answers.h"
#include "fakes/wire/timestamp.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/encoding/ascii.h"
#include "reference/release/kubelet_trait_ids.h"
#include "reference/release/release_range.h"

namespace nodebound::data {
std::string_view kubelet_flags_text();
}  // namespace nodebound::data

namespace nodebound::kubelet_api {

namespace {

using Ordered = nlohmann::ordered_json;

std::string zpage_head(const std::string& page) {
  return "\nkubelet " + page +
         "\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees "
         "and "
         "is for debugging purposes only.\n";
}

// Older releases refuse any parameter except the charset UTF-8; newer ones refuse only parameters that ask for an
// object of a kind.
bool takes_text(const apiserver::AcceptClause& clause, bool needs_accept) {
  const bool any = clause.type == "*" && clause.subtype == "*";
  if (!any && (clause.type != "text" || (clause.subtype != "plain" && clause.subtype != "*"))) return false;
  return std::all_of(clause.parameters.begin(), clause.parameters.end(), [&](const auto& parameter) {
    const auto& [name, value] = parameter;
    if (needs_accept) return name == "charset" && (value == "utf-8" || value == "UTF-8");
    return name != "as" && name != "g" && name != "v";
  });
}

/// A page as an object of config.k8s.io, if a client asks for it.
struct PageObject {
  bool yaml = false;
  std::string version;
  std::string kind;

  [[nodiscard]] std::string media_type() const {
    return std::string(yaml ? "application/yaml" : "application/json") + ";g=config.k8s.io;v=" + version +
           ";as=" + kind;
  }
};

std::optional<PageObject> object_of(const apiserver::AcceptClause& clause, const std::string& kind,
                                    const Release& kubelet) {
  const bool yaml = clause.subtype == "yaml";
  if (!kubelet.has(KubeletTrait::zpage_objects) || clause.type != "application" || (!yaml && clause.subtype != "json"))
    return std::nullopt;
  const std::string version(clause.parameter("v"));
  const bool known = version == "v1alpha1" || (version == "v1beta1" && kubelet.has(KubeletTrait::zpage_objects_beta));
  if (!known || clause.parameter("as") != kind || clause.parameter("g") != "config.k8s.io") return std::nullopt;
  return PageObject{yaml, version, kind};
}

// A client that accepts none of the forms gets indented JSON.
HttpResponse as_first_accepted(const Ordered& status, std::string_view accept) {
  if (accept.find(";as=") != std::string_view::npos) return json_answer(status.dump(2));
  for (const apiserver::AcceptClause& clause : apiserver::accepted(accept)) {
    if (clause.type != "application") continue;
    if (clause.subtype == "json" || clause.subtype == "*") return json_answer(status.dump() + "\n");
    if (clause.subtype != "yaml") continue;
    HttpResponse out = json_answer(write_yaml(Object::parse(status.dump())));
    out.content_type = "application/yaml";
    return out;
  }
  return json_answer(status.dump(2));
}

HttpResponse no_such_type(std::string_view accept, const Release& kubelet) {
  if (kubelet.has(KubeletTrait::zpages_need_accept))
    return error_answer(406, "media type not acceptable, must be: text/plain");
  const std::string types = kubelet.has(KubeletTrait::zpage_objects_beta) ? "application/json, application/yaml, "
                                                                          : "application/json, application/yaml, "
                                                                            "application/vnd.kubernetes.protobuf, ";
  const Ordered status = {{"kind", "Status"},
                          {"apiVersion", "v1"},
                          {"metadata", Ordered::object()},
                          {"status", "Failure"},
                          {"message", "only the following media types are accepted: " + types + "text/plain"},
                          {"reason", "NotAcceptable"},
                          {"code", 406}};
  HttpResponse out = as_first_accepted(status, accept);
  out.status = 406;
  return out;
}

/// The form that a client gets: an object, the page as text, or neither.
struct Wanted {
  std::optional<PageObject> object;
  bool text = false;

  Wanted(const IncomingRequest& request, const std::string& kind, const Release& kubelet) {
    const std::string_view accept = request.header("accept");
    const bool says_nothing = accept.find_first_not_of(' ') == std::string_view::npos;
    text = says_nothing && !kubelet.has(KubeletTrait::zpages_need_accept);
    if (says_nothing) return;
    for (const apiserver::AcceptClause& clause : apiserver::accepted(accept)) {
      text = takes_text(clause, kubelet.has(KubeletTrait::zpages_need_accept));
      if (!text) object = object_of(clause, kind, kubelet);
      if (text || object) return;
    }
  }
};

HttpResponse object_answer(const PageObject& wanted, const Ordered& body, const Release& kubelet) {
  Ordered object = {
      {"kind", wanted.kind}, {"apiVersion", "config.k8s.io/" + wanted.version}, {"metadata", {{"name", "kubelet"}}}};
  object.update(body);
  HttpResponse out;
  out.status = 200;
  out.content_type = wanted.media_type();
  if (wanted.version == "v1alpha1" && kubelet.has(KubeletTrait::zpage_objects_beta)) {
    out.headers["warning"] = "299 - \"This version of the " + in_lower_case(wanted.kind) +
                             " endpoint is deprecated. Please use a newer version.\"";
  }
  out.body = wanted.yaml ? write_yaml(Object::parse(object.dump())) : object.dump() + "\n";
  return out;
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

// A line of the list may begin with the releases in which it holds: `since 1.35 `, `until 1.37 `.
bool is_of(std::string& line, const Release& release) {
  std::size_t end = 0;
  while (line.compare(end, 6, "since ") == 0 || line.compare(end, 6, "until ") == 0) end = line.find(' ', end + 6) + 1;
  const auto range = ReleaseRange::parse(std::string_view(line).substr(0, end));
  line.erase(0, end);
  return range.value().holds(release);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> KubeletAnswers::shown_flags() const {
  std::vector<std::pair<std::string, std::string>> out;
  std::istringstream lines{std::string(data::kubelet_flags_text())};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#') || !is_of(line, rules_.release())) continue;
    const std::string name = line.substr(0, line.find(' '));
    std::string value = name.size() == line.size() ? "" : line.substr(name.size() + 1);
    for (const auto& [flag, given] : flags_) {
      if (flag == name) value = given;
    }
    out.emplace_back(name, std::move(value));
  }
  return out;
}

HttpResponse KubeletAnswers::flagz(const Call& call) {
  const Wanted wanted(call.request, "Flagz", rules_.release());
  if (wanted.object) {
    Ordered flags = Ordered::object();
    for (const auto& [name, value] : shown_flags()) flags[name] = value;
    return object_answer(*wanted.object, {{"flags", flags}}, rules_.release());
  }
  if (!wanted.text) return no_such_type(call.request.header("accept"), rules_.release());
  std::string body = zpage_head(has(KubeletTrait::zpages_need_accept) ? "flags" : "flagz");
  if (has(KubeletTrait::zpages_need_accept)) body += "\n";
  for (const auto& [name, value] : shown_flags()) body.append(name).append(":").append(value).append("\n");
  return chunked_answer(200, plain_text, std::move(body));
}

HttpResponse KubeletAnswers::statusz(const Call& call) {
  const Wanted wanted(call.request, "Statusz", rules_.release());
  if (!wanted.text && !wanted.object) return no_such_type(call.request.header("accept"), rules_.release());
  const Version& version = rules_.release().version;
  const std::string emulated = version.minor_text();
  const std::int64_t up = clock_() - started_;
  std::vector<std::string> paths = {"/configz", "/debug"};
  if (rules_.in_force(Rule::kubelet_route_flagz) && configuration_.settings.debugging_handlers) {
    paths.emplace_back("/flagz");
  }
  paths.emplace_back("/healthz");
  if (!configuration_.settings.system_log_handler) paths.emplace_back("/logs");
  paths.emplace_back("/metrics");
  if (wanted.object) {
    return object_answer(*wanted.object,
                         {{"startTime", timestamp_of_seconds(started_)},
                          {"uptimeSeconds", up},
                          {"goVersion", "go1.26.8"},
                          {"binaryVersion", version.text()},
                          {"emulationVersion", emulated},
                          {"paths", paths}},
                         rules_.release());
  }
  std::string body = zpage_head("statusz") + "\n";
  body += "Started: " + utc_text(started_, "%a %b %e %H:%M:%S UTC %Y") + "\n";
  body +=
      "Up: " + std::to_string(up / 3600) + " hr " + two_digits(up / 60 % 60) + " min " + two_digits(up % 60) + " sec\n";
  body += "Go version: go1.26.8\n";
  body += "Binary version: " + version.text() + "\n";
  body += "Emulation version: " + emulated + "\n";
  if (has(KubeletTrait::statusz_blank)) body += "\n";
  if (has(KubeletTrait::zpages_need_accept)) return text_answer(200, std::move(body));
  body += "Paths:";
  for (const std::string& path : paths) body += " " + path;
  return text_answer(200, body + "\n");
}

}  // namespace nodebound::kubelet_api
