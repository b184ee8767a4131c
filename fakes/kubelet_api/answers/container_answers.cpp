#include <charconv>
#include <chrono>
#include <re2/re2.h>

#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/kubelet_api/answers/container_stream.h"
#include "fakes/kubelet_api/answers/form.h"
#include "fakes/kubelet_api/answers/kubelet_answers.h"
#include "fakes/websocket/handshake.h"
#include "fakes/wire/timestamp.h"
#include "reference/authorizer/attributes.h"
#include "reference/release/kubelet_trait_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::kubelet_api {
namespace {

/// The container that a path names: namespace, pod, perhaps a UID, container.
struct ContainerPath {
  std::string name_space;
  std::string pod;
  std::string uid;
  std::string container;

  explicit ContainerPath(const std::vector<std::string>& parameters)
      : name_space(parameters.at(0)),
        pod(parameters.at(1)),
        uid(parameters.size() > 3 ? parameters.at(2) : ""),
        container(parameters.back()) {}
};

HttpResponse no_pod() {
  return text_answer(404, "pod does not exist");
}

HttpResponse no_container(const std::string& name) {
  return text_answer(500, "container not found (" + go_quoted(name) + ")");
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number out{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

// A count of lines from the end applies only to a whole log.
bool is_log_stream(std::string_view target) {
  if (!has_query_parameter(target, "stream")) return true;
  const std::string stream = query_parameter(target, "stream");
  if (stream == "All") return true;
  const std::string tail = query_parameter(target, "tail");
  const bool tails = tail.empty() ? has_query_parameter(target, "tailLines") : tail != "all";
  return !tails && (stream == "Stdout" || stream == "Stderr");
}

HttpResponse undecoded() {
  return text_answer(400, R"({"message": "Unable to decode query."})");
}

// RFC 3339, as Go's time.Parse reads it.
bool is_time(const std::string& text) {
  static const re2::RE2 form(R"((\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?(Z|[+-]\d\d:\d\d))");
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::string zone;
  if (!re2::RE2::FullMatch(text, form, &year, &month, &day, &hour, &minute, &second, &zone)) return false;
  const bool offset = zone != "Z";
  const int zone_hour = offset ? std::stoi(zone.substr(1, 2)) : 0;
  const int zone_minute = offset ? std::stoi(zone.substr(4)) : 0;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  return date.ok() && hour < 24 && minute < 60 && second < 60 && zone_hour <= 24 && zone_minute < 60;
}

// What net/url's decoding or the validation of PodLogOptions finds wrong with a query.
std::optional<HttpResponse> log_options_mistake(std::string_view target, bool streams) {
  const std::pair<const char*, std::int64_t> numbers[] = {
      {"tailLines", 0}, {"tail", 0}, {"sinceSeconds", 1}, {"limitBytes", 1}};
  bool invalid = streams && !is_log_stream(target);
  const auto times = query_parameters(target, "sinceTime");
  if (!times.empty()) {
    const std::string& time = times.front();
    if (!time.empty() && time != "null" && !is_time(time)) return undecoded();
    invalid = invalid || has_query_parameter(target, "sinceSeconds");
  }
  for (const auto& [name, least] : numbers) {
    const std::string text = query_parameter(target, name);
    if (text.empty() || (text == "all" && std::string_view(name) == "tail")) continue;
    const auto number = number_in<std::int64_t>(text);
    if (!number) return undecoded();
    invalid = invalid || *number < least;
  }
  if (invalid) return text_answer(422, R"({"message": "Invalid request."})");
  return std::nullopt;
}

bool is_set(const std::string& flag) {
  return !flag.empty() && flag != "0" && flag != "false";
}

std::optional<std::int64_t> seconds_in(const std::string& time) {
  return time.size() < 20 ? std::nullopt : seconds_of(time.substr(0, 19) + "Z");
}

// The numbers have been checked.
LogOptions log_options_of(std::string_view target, std::int64_t now) {
  const auto number = [&](const char* name) { return number_in<std::int64_t>(query_parameter(target, name)); };
  LogOptions out;
  out.tail = number("tailLines");
  if (!out.tail) out.tail = number("tail");
  out.limit = number("limitBytes");
  if (const auto ago = number("sinceSeconds")) out.since = now - *ago;
  if (const auto since = seconds_in(query_parameter(target, "sinceTime"))) out.since = since;
  out.timestamps = is_set(query_parameter(target, "timestamps"));
  return out;
}

/// The ports of a port-forward over WebSocket, or the error in them.
struct Ports {
  std::vector<std::uint16_t> ports;
  std::string mistake;

  explicit Ports(std::string_view target) {
    const std::vector<std::string> given = query_parameters(target, "port");
    if (given.empty()) mistake = "query parameter \"port\" is required";
    for (const std::string& list : given) {
      if (list.empty()) mistake = "query parameter \"port\" cannot be empty";
      for (std::size_t begin = 0; mistake.empty() && begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        add(list.substr(begin, end - begin));
        begin = end + 1;
      }
      if (!mistake.empty()) return;
    }
  }

 private:
  void add(const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const auto port = number_in<std::uint16_t>(text);
    if (!digits || !port) {
      mistake = "unable to parse \"" + text + "\" as a port: strconv.ParseUint: parsing \"" + text +
                "\": " + (digits ? "value out of range" : "invalid syntax");
    } else if (*port == 0) {
      mistake = "port \"" + text + "\" must be > 0";
    } else {
      ports.push_back(*port);
    }
  }
};

}  // namespace

HttpResponse KubeletAnswers::run(const Call& call) {
  const ContainerPath path(call.route.parameters);
  const auto pod = host_.pod(path.name_space, path.pod);
  if (!pod) return no_pod();
  if (!pod->runs(path.uid, path.container)) return no_container(path.container);
  return json_answer(call.query("cmd") + "\n");
}

HttpResponse KubeletAnswers::stream(const Call& call, const std::string& output) {
  const StreamOptions options = StreamOptions::of(call.request.target);
  if (!options.any()) return text_answer(400, "you must specify at least 1 of stdin, stdout, stderr");
  const ContainerPath path(call.route.parameters);
  const auto pod = host_.pod(path.name_space, path.pod);
  if (!pod) return no_pod();
  if (!pod->runs(path.uid, path.container)) return no_container(path.container);
  return container_stream(call.request, options, output, rules_.release());
}

HttpResponse KubeletAnswers::exec(const Call& call) {
  std::string line;
  for (const std::string& word : query_parameters(call.request.target, "command")) {
    line += (line.empty() ? "" : " ") + word;
  }
  return stream(call, line + "\n");
}

HttpResponse KubeletAnswers::attach(const Call& call) {
  return stream(call, "attached\n");
}

HttpResponse KubeletAnswers::port_forward(const Call& call) {
  std::vector<std::uint16_t> ports;
  if (asks_for_websocket(call.request)) {
    Ports asked(call.request.target);
    if (!asked.mistake.empty()) return text_answer(400, asked.mistake);
    ports = std::move(asked.ports);
  }
  const auto pod = host_.pod(call.parameter(0), call.parameter(1));
  if (!pod) return no_pod();
  const std::string uid = call.parameter(2);
  if (!uid.empty() && uid != pod->uid) return text_answer(404, "pod not found");
  return port_forward_stream(call.request, ports, rules_.release());
}

HttpResponse KubeletAnswers::container_logs(const Call& call) {
  if (auto mistake = log_options_mistake(call.request.target, has(KubeletTrait::log_streams)))
    return std::move(*mistake);
  const ContainerPath path(call.route.parameters);
  const auto pod = host_.pod(path.name_space, path.pod);
  if (!pod) return text_answer(404, "pod " + go_quoted(path.pod) + " does not exist");
  const std::string quoted = "container " + go_quoted(path.container);
  if (!pod->has(path.container)) {
    return text_answer(404, quoted + " not found in pod " + go_quoted(path.pod));
  }
  const std::string wanted = call.query("stream");
  const bool split = has(KubeletTrait::log_streams_split);
  if (has(KubeletTrait::log_streams) && !split && !wanted.empty() && wanted != "All") {
    return text_answer(400, "unable to return the given log stream: " + go_quoted(wanted) +
                                ". Please enable PodLogsQuerySplitStreams feature gate in kubelet");
  }
  const std::string where = quoted + " in pod " + go_quoted(path.pod);
  if (host_.knows_restarts() && is_set(call.query("previous"))) {
    return chunked_answer(400, "", "previous terminated " + where + " not found");
  }
  LogOptions options = log_options_of(call.request.target, clock_());
  options.errors_only = split && wanted == "Stderr";
  if (is_set(call.query("follow"))) {
    if (auto stream = host_.followed(path.name_space, path.pod, path.container, options)) {
      HttpResponse out = chunked_answer(200, "", "");
      out.stream = std::move(stream);
      return out;
    }
  }
  const auto log = host_.log(path.name_space, path.pod, path.container, options);
  return log ? chunked_answer(200, "", *log) : chunked_answer(400, "", where + " is not available");
}

HttpResponse KubeletAnswers::checkpoint(const Call& call) {
  const ContainerPath path(call.route.parameters);
  const auto pod = host_.pod(path.name_space, path.pod);
  if (!pod) return no_pod();
  if (!pod->has(path.container)) {
    return text_answer(404, "container " + path.container + " does not exist");
  }
  const std::vector<std::string> timeouts = query_parameters(call.request.target, "timeout");
  if (!timeouts.empty() && !number_in<std::int64_t>(timeouts.back())) {
    return text_answer(404, "cannot parse value of timeout parameter");
  }
  if (!pod->runs(path.uid, path.container)) {
    return text_answer(500, "checkpointing of " + path.name_space + "/" + path.pod + "/" + path.container +
                                " failed (container " + path.container + " not found)");
  }
  return json_answer(R"({"items":["/var/lib/kubelet/checkpoints/checkpoint-)" + path.pod + "_" + path.name_space + "-" +
                     path.container + R"(.tar"]})");
}

}  // namespace nodebound::kubelet_api
