#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/kubelet_api/answers/kubelet_answers.h"
#include "reference/kubelet/url_path.h"
#include "reference/release/kubelet_trait_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::kubelet_api {

namespace {

constexpr std::array<std::string_view, 6> profiles = {"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"};
/// An empty text compressed by gzip: a profile without samples.
constexpr std::string_view empty_profile(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00", 20);

constexpr std::string_view logs_root = "/logs/";

std::string last_of(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path.substr(path.rfind('/') + 1));
}

HttpResponse local_redirect(const IncomingRequest& request, const std::string& to) {
  HttpResponse out;
  out.status = 301;
  const std::size_t query = request.target.find('?');
  const bool has_query = query != std::string::npos && query + 1 < request.target.size();
  out.headers["location"] = to + (has_query ? request.target.substr(query) : "");
  return out;
}

HttpResponse plain(int status, const std::string& line) {
  HttpResponse out = error_answer(status, line);
  out.content_type = "text/plain";
  return out;
}

// The error of strconv.ParseUint for a text that is not a 32-bit number.
std::optional<std::string> level_mistake(const std::string& text) {
  std::uint32_t level = 0;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (digits && error == std::errc()) return std::nullopt;
  return "strconv.ParseUint: parsing " + go_quoted(text) + ": " + (digits ? "value out of range" : "invalid syntax");
}

}  // namespace

// The answers of net/http's FileServer for a folder with one file.
HttpResponse KubeletAnswers::logs(const Call& call) {
  const std::string_view as_sent = std::string_view(call.request.target).substr(0, call.request.target.find('?'));
  const bool encoded = has(KubeletTrait::log_path_as_sent) && as_sent != escaped_path(call.route.path);
  if (encoded && !as_sent.starts_with(logs_root)) return error_answer(404, "404 page not found");
  const std::string sent = "/" + call.route.path.substr(std::min(call.route.path.size(), logs_root.size()));
  const std::string file(KubeletHost::log_file);
  const std::string clean = clean_path(sent);
  const bool is_folder = clean == "/";
  if (sent.ends_with("/index.html")) return local_redirect(call.request, "./");
  if (is_folder && !sent.ends_with('/')) return local_redirect(call.request, last_of(sent) + "/");
  if (is_folder) {
    HttpResponse out = text_answer(200,
                                   "<!doctype html>\n<meta name=\"viewport\" content=\"width=device-width\">\n<pre>\n"
                                   "<a href=\"" +
                                       file + "\">" + file + "</a>\n</pre>\n");
    out.content_type = "text/html; charset=utf-8";
    return out;
  }
  if (clean != "/" + file && clean != "/" + file + "/") return error_answer(404, "404 page not found");
  if (sent.ends_with('/')) return local_redirect(call.request, "../" + last_of(sent));
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
  HttpResponse out = chunked_answer(
      200, "application/json",
      R"({"kubeletconfig":)" + shown.text(rules_.release().version, has(KubeletTrait::configz_kind)) + "}");
  out.headers["x-content-type-options"] = "nosniff";
  return out;
}

}  // namespace nodebound::kubelet_api
