#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fakes/apiserver/negotiation.h"
#include "fakes/kubelet_api/answer.h"
#include "fakes/kubelet_api/kubelet_answers.h"

namespace nodebound {

namespace data {
std::string_view kubelet_flags_text();
}  // namespace data

namespace {

constexpr std::array<std::string_view, 6> profiles = {"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"};
/// Nothing, as gzip has it: a profile without samples.
constexpr std::string_view empty_profile(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00", 20);

std::string zpage_head(const std::string& page) {
  return "\nkubelet " + page +
         "\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees "
         "and "
         "is for debugging purposes only.\n";
}

// Once any parameter but UTF-8 was too much, since then only those that ask for an object of a kind.
bool takes_text(const AcceptClause& clause, bool needs_accept) {
  const bool any = clause.type == "*" && clause.subtype == "*";
  if (!any && (clause.type != "text" || (clause.subtype != "plain" && clause.subtype != "*"))) return false;
  return std::all_of(clause.parameters.begin(), clause.parameters.end(), [&](const auto& parameter) {
    const auto& [name, value] = parameter;
    if (needs_accept) return name == "charset" && (value == "utf-8" || value == "UTF-8");
    return name != "as" && name != "g" && name != "v";
  });
}

std::optional<HttpResponse> not_acceptable(const IncomingRequest& request, bool needs_accept) {
  const std::string_view accept = request.header("accept");
  if (accept.find_first_not_of(' ') == std::string_view::npos && !needs_accept) return std::nullopt;
  for (const AcceptClause& clause : accepted(accept)) {
    if (takes_text(clause, needs_accept)) return std::nullopt;
  }
  if (needs_accept) return error_answer(406, "media type not acceptable, must be: text/plain");
  const nlohmann::ordered_json status = {
      {"kind", "Status"},
      {"apiVersion", "v1"},
      {"metadata", nlohmann::ordered_json::object()},
      {"status", "Failure"},
      {"message", "only the following media types are accepted: application/json, application/yaml, text/plain"},
      {"reason", "NotAcceptable"},
      {"code", 406}};
  // Who takes no JSON at all gets it indented.
  const bool takes_json =
      accept.find("application/json") != std::string_view::npos && accept.find(";as=") == std::string_view::npos;
  HttpResponse out = json_answer(takes_json ? status.dump() + "\n" : status.dump(2));
  out.status = 406;
  return out;
}

std::string utc(std::int64_t seconds, const char* format) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

HttpResponse plain(int status, const std::string& line) {
  HttpResponse out = error_answer(status, line);
  out.content_type = "text/plain";
  return out;
}

// What strconv.ParseUint says of a text that is no number of 32 bits.
std::optional<std::string> level_mistake(const std::string& text) {
  std::uint32_t level = 0;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (digits && error == std::errc()) return std::nullopt;
  return "strconv.ParseUint: parsing \"" + text + "\": " + (digits ? "value out of range" : "invalid syntax");
}

}  // namespace

HttpResponse KubeletAnswers::logs(const Call& call) {
  const std::string path = call.route.path.substr(std::min(call.route.path.size(), std::string_view("/logs/").size()));
  const std::string file(KubeletHost::log_file);
  if (path.empty()) {
    HttpResponse out = text_answer(200,
                                   "<!doctype html>\n<meta name=\"viewport\" content=\"width=device-width\">\n<pre>\n"
                                   "<a href=\"" +
                                       file + "\">" + file + "</a>\n</pre>\n");
    out.content_type = "text/html; charset=utf-8";
    return out;
  }
  if (path == file + "/") {
    HttpResponse out;
    out.status = 301;
    const std::size_t query = call.request.target.find('?');
    const bool has_query = query != std::string::npos && query + 1 < call.request.target.size();
    out.headers["location"] = "../" + file + (has_query ? call.request.target.substr(query) : "");
    return out;
  }
  if (path != file) return error_answer(404, "404 page not found");
  HttpResponse out = text_answer(200, "started\n");
  out.headers["accept-ranges"] = "bytes";
  return out;
}

HttpResponse KubeletAnswers::pprof(const Call& call) {
  const std::string name = call.route.path.substr(std::string_view("/debug/pprof/").size());
  HttpResponse out = text_answer(200, "");
  out.headers["x-content-type-options"] = "nosniff";
  if (name == "cmdline") {
    out.body = "kubelet";
    for (const auto& [flag, value] : flags_)
      out.body.append(1, '\0').append("--").append(flag).append("=").append(value);
    return out;
  }
  if (name == "symbol") {
    out.body = "num_symbols: 1\n";
    return out;
  }
  const bool known = std::find(profiles.begin(), profiles.end(), name) != profiles.end();
  if (!known && name != "profile" && name != "trace") {
    out.status = 404;
    out.headers["x-go-pprof"] = "1";
    out.body = "Unknown profile\n";
    return out;
  }
  if (known && std::atoi(call.query("debug").c_str()) != 0) {
    out.body = name + " profile: total 0\n";
    return out;
  }
  out.content_type = "application/octet-stream";
  out.headers["content-disposition"] = "attachment; filename=\"" + name + "\"";
  out.body = empty_profile;
  return out;
}

HttpResponse KubeletAnswers::debug_flags(const Call& call) {
  if (call.request.method != "PUT") return plain(406, "unsupported http method");
  if (const auto mistake = level_mistake(call.request.body)) return plain(400, *mistake);
  return plain(200, "successfully set klog.logging.verbosity to " + call.request.body);
}

HttpResponse KubeletAnswers::configz(const Call& /*call*/) {
  KubeletConfiguration shown = configuration_;
  shown.settings.port = port_;
  HttpResponse out =
      chunked_answer(200, "application/json",
                     R"({"kubeletconfig":)" + shown.text(rules_.release().version, shapes_.configz_kind) + "}");
  out.headers["x-content-type-options"] = "nosniff";
  return out;
}

HttpResponse KubeletAnswers::flagz(const Call& call) {
  if (auto refused = not_acceptable(call.request, shapes_.zpages_need_accept)) return std::move(*refused);
  std::string body = zpage_head(shapes_.zpages_need_accept ? "flags" : "flagz");
  std::istringstream lines{std::string(data::kubelet_flags_text())};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string name = line.substr(0, line.find(' '));
    std::string value = name.size() == line.size() ? "" : line.substr(name.size() + 1);
    for (const auto& [flag, given] : flags_) {
      if (flag == name) value = given;
    }
    body.append(name).append(":").append(value).append("\n");
  }
  return chunked_answer(200, plain_text, std::move(body));
}

HttpResponse KubeletAnswers::statusz(const Call& call) {
  if (auto refused = not_acceptable(call.request, shapes_.zpages_need_accept)) return std::move(*refused);
  const Version& version = rules_.release().version;
  const std::int64_t up = clock_() - started_;
  std::string body = zpage_head("statusz") + "\n";
  body += "Started: " + utc(started_, "%a %b %e %H:%M:%S UTC %Y") + "\n";
  body +=
      "Up: " + std::to_string(up / 3600) + " hr " + two_digits(up / 60 % 60) + " min " + two_digits(up % 60) + " sec\n";
  body += "Go version: go1.26.8\n";
  body += "Binary version: " + version.text() + "\n";
  body += "Emulation version: " + std::to_string(version.major) + "." + std::to_string(version.minor) + "\n";
  const bool flagz = rules_.in_force(Rule::kubelet_route_flagz) && configuration_.settings.debugging_handlers;
  body += std::string("Paths: /configz /debug ") + (flagz ? "/flagz " : "") + "/healthz ";
  body += configuration_.settings.system_log_handler ? "/metrics\n" : "/logs /metrics\n";
  return text_answer(200, std::move(body));
}

}  // namespace nodebound
