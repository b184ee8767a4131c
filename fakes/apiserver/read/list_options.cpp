#include "fakes/apiserver/read/list_options.h"

#include <algorithm>
#include <charconv>

#include "fakes/apiserver/status.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/json.h"
#include "reference/authorizer/query_flag.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string go_parse_error(const char* function, std::string_view text) {
  const bool is_signed = std::string_view(function) == "ParseInt" && (text.starts_with('-') || text.starts_with('+'));
  const std::string_view digits = text.substr(is_signed ? 1 : 0);
  const bool digits_alone = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  return std::string("strconv.") + function + ": parsing " + go_quoted(text) + ": " +
         (digits_alone ? "value out of range" : "invalid syntax");
}

/// The options as they were sent, for validation (apimachinery's pkg/apis/internalversion/validation).
struct Raw {
  std::string version;
  std::string match;
  std::string token;
  bool watch = false;  ///< a watch by its path is validated as a list
  bool initial_events = false;
};

std::vector<validation::FieldMistake> mistakes_of_watch(const Raw& raw, const Release& release) {
  std::vector<validation::FieldMistake> out;
  if (raw.initial_events && raw.match != "NotOlderThan") {
    out.push_back(validation::forbidden_field(
        "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (raw.initial_events && !release.does(Behaviour::watch_lists)) {
    out.push_back(validation::forbidden_field(
        "sendInitialEvents", "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
  }
  if (raw.match.empty()) return out;
  if (!raw.initial_events) {
    out.push_back(validation::forbidden_field(
        "resourceVersionMatch", "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (raw.match != "NotOlderThan")
    out.push_back(validation::unsupported_field("resourceVersionMatch", raw.match, {"NotOlderThan"}));
  if (!raw.token.empty()) {
    out.push_back(validation::forbidden_field("resourceVersionMatch",
                                              "resourceVersionMatch is forbidden when continue is provided"));
  }
  return out;
}

std::vector<validation::FieldMistake> mistakes_of_list(const Raw& raw) {
  std::vector<validation::FieldMistake> out;
  if (!raw.match.empty()) {
    // Only releases without sendInitialEvents judge a watch in this way.
    if (raw.watch) {
      out.push_back(validation::forbidden_field("resourceVersionMatch", "resourceVersionMatch is forbidden for watch"));
    }
    if (raw.version.empty()) {
      out.push_back(validation::forbidden_field(
          "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!raw.token.empty()) {
      out.push_back(validation::forbidden_field("resourceVersionMatch",
                                                "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (raw.match != "Exact" && raw.match != "NotOlderThan") {
      out.push_back(validation::unsupported_field("resourceVersionMatch", raw.match, {"Exact", "NotOlderThan", ""}));
    }
    if (raw.match == "Exact" && raw.version == "0") {
      out.push_back(validation::forbidden_field(
          "resourceVersionMatch", "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
  }
  if (raw.initial_events) {
    out.push_back(validation::forbidden_field("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return out;
}

// Options that cannot be decoded give another error than invalid ones, and are checked first.
std::optional<std::string> decode(std::string_view target, ListOptions& options) {
  // An empty value is no number either.
  if (const std::vector<std::string> timeout = query_parameters(target, "timeoutSeconds"); !timeout.empty()) {
    options.timeout_seconds = number<std::int64_t>(timeout.front());
    if (!options.timeout_seconds) return go_parse_error("ParseInt", timeout.front());
  }
  if (const std::vector<std::string> limit = query_parameters(target, "limit"); !limit.empty()) {
    const std::optional<std::int64_t> value = number<std::int64_t>(limit.front());
    if (!value) return go_parse_error("ParseInt", limit.front());
    options.limit = *value;
  }
  Result<LabelSelector> labels = LabelSelector::parse(query_parameter(target, "labelSelector"));
  if (!labels) return labels.error().what;
  options.labels = std::move(*labels);
  return FieldSelector::wrong_syntax(query_parameter(target, "fieldSelector"));
}

std::size_t first_bad_base64url(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const std::size_t bad = text.find_first_not_of(alphabet);
  // A single left-over character encodes no whole byte.
  return bad != std::string_view::npos ? bad : text.size() - (text.size() % 4 == 1 ? 1 : 0);
}

// Which member of a continue token has another type than Go's struct.
std::optional<std::string> wrong_type(const Object& token) {
  const std::string beginning = "json: cannot unmarshal ";
  if (!token.is_object() && !token.is_null()) {
    return beginning + go_json_type(token) + " into Go value of type storage.continueToken";
  }
  for (const char* field : {"rv", "start", "v"}) {
    const bool number = std::string_view(field) == "rv";
    const Object& value = member(token, field);
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX : value.is_number_integer();
    const bool right = number ? fits : value.is_string();
    if (right || value.is_null()) continue;
    const std::string text = number && value.is_number() ? " " + value.dump() : "";
    std::string out = beginning;
    return out.append(go_json_type(value))
        .append(text)
        .append(" into Go struct field continueToken.")
        .append(field)
        .append(" of type ")
        .append(number ? "int64" : "string");
  }
  return std::nullopt;
}

// Whether a key contains empty, `.` or `..` parts: then it would lead out of the collection or is not in its clean
// form.
bool leads_elsewhere(std::string_view key) {
  if (key.ends_with('/')) return true;
  while (!key.empty()) {
    const std::string_view part = key.substr(0, key.find('/'));
    if (part.empty() || part == "." || part == "..") return true;
    key.remove_prefix(std::min(part.size() + 1, key.size()));
  }
  return false;
}

}  // namespace

Result<std::optional<std::uint64_t>> read_resource_version(std::string_view target) {
  const std::string text = query_parameter(target, "resourceVersion");
  if (text.empty()) return std::optional<std::uint64_t>();
  const std::optional<std::uint64_t> version = number<std::uint64_t>(text);
  if (version) return version;
  return input_error("",
                     "resourceVersion: Invalid value: " + go_quoted(text) + ": " + go_parse_error("ParseUint", text));
}

namespace {

/// The options as far as a server reads them before it looks at anything else.
struct ListQuery {
  ListOptions options;
  Raw raw;
};

tl::expected<ListQuery, HttpResponse> read_list_query(const ApiResource& resource, std::string_view target) {
  ListQuery out;
  if (const std::optional<std::string> what = decode(target, out.options)) {
    return tl::unexpected(bad_request(validation::in_words_of(*resource.release, *what)));
  }
  const Release& release = *resource.release;
  const bool has_option = release.does(Behaviour::initial_events_option);
  const std::optional<bool> initial = has_option ? query_flag(target, "sendInitialEvents") : std::nullopt;
  Raw& raw = out.raw;
  raw = {query_parameter(target, "resourceVersion"), query_parameter(target, "resourceVersionMatch"),
         query_parameter(target, "continue"), query_flag(target, "watch").value_or(false), initial.has_value()};
  const bool is_plain = !raw.initial_events && raw.match.empty() && (raw.version.empty() || raw.version == "0");
  if (raw.watch && is_plain && release.does(Behaviour::watch_lists)) {
    raw.initial_events = true;
    raw.match = "NotOlderThan";
  }
  const std::vector<validation::FieldMistake> mistakes =
      raw.watch && has_option ? mistakes_of_watch(raw, release) : mistakes_of_list(raw);
  if (!mistakes.empty()) return tl::unexpected(invalid(*resource.release, "meta.k8s.io", "ListOptions", "", mistakes));
  Result<FieldSelector> fields = FieldSelector::parse(resource, query_parameter(target, "fieldSelector"));
  if (!fields) return tl::unexpected(bad_request(fields.error().what));
  out.options.fields = std::move(*fields);
  out.options.initial_events = initial;
  return out;
}

}  // namespace

std::optional<HttpResponse> wrong_list_options(const ApiResource& resource, std::string_view target) {
  auto read = read_list_query(resource, target);
  return read ? std::nullopt : std::optional(std::move(read.error()));
}

tl::expected<ListOptions, HttpResponse> read_list_options(const ApiResource& resource, std::string_view target,
                                                          const ListForm& form) {
  const bool watch = form.watch;
  auto read = read_list_query(resource, target);
  if (!read) return tl::unexpected(std::move(read.error()));
  ListOptions& options = read->options;
  const Raw& raw = read->raw;
  options.cached = !resource.uncached;
  options.in_pages = form.in_pages;
  options.match = raw.match == "Exact"          ? ListOptions::Match::exact
                  : raw.match == "NotOlderThan" ? ListOptions::Match::not_older_than
                                                : ListOptions::Match::unset;
  options.bookmarks = query_flag(target, "allowWatchBookmarks").value_or(false);
  const Result<std::optional<std::uint64_t>> version = read_resource_version(target);
  const bool reads_token = version || resource.release->does(Behaviour::continuation_first);
  if (!raw.token.empty() && !watch && reads_token) {
    Result<Continuation> continuation = Continuation::parse(raw.token, form.all_namespaces);
    if (!continuation) return tl::unexpected(bad_request(continuation.error().what));
    options.continuation = std::move(*continuation);
  }
  if (!version) {
    const bool cached = !form.in_pages && options.cached && !resource.release->does(Behaviour::list_version_first) &&
                        raw.token.empty() && options.limit <= 0 && options.match != ListOptions::Match::exact;
    return tl::unexpected(watch || cached ? failure(500, "", version.error().what)
                                          : bad_request("invalid resource version: " + version.error().what));
  }
  options.version = *version;
  if (options.continuation && options.version && *options.version != 0) {
    return tl::unexpected(bad_request("specifying resource version is not allowed when using continue"));
  }
  return std::move(options);
}

std::string Continuation::token(bool namespaces) const {
  const std::string start = "/" + (namespaces ? namespace_ + "/" : std::string()) + name + '\0';
  return base64url_encode(R"({"v":"meta.k8s.io/v1","rv":)" + std::to_string(version) + R"(,"start":)" +
                          Object(start).dump() + "}");
}

Result<Continuation> Continuation::parse(std::string_view token, bool namespaces) {
  const auto invalid_key = [](const std::string& why) {
    return input_error("", "invalid continue token: continue key is not valid: " + why);
  };
  const std::optional<std::string> text = base64url_decode(token);
  if (!text) return invalid_key("illegal base64 data at input byte " + std::to_string(first_bad_base64url(token)));
  const tl::expected<Object, std::string> json = read_json(*text);
  if (!json) return invalid_key(json.error());
  if (std::optional<std::string> wrong = wrong_type(*json)) return invalid_key(*wrong);
  const std::string_view encoded = nodebound::text(*json, "v");
  if (encoded != "meta.k8s.io/v1") {
    return invalid_key("server does not recognize this encoded version " + std::string(encoded));
  }
  const Object& version = member(*json, "rv");
  const std::string_view given = nodebound::text(*json, "start");
  if (version.is_null() || version == 0) {
    return invalid_key("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (given.empty()) return invalid_key("encoded start key empty (version meta.k8s.io/v1)");
  std::string_view start = given.substr(given.starts_with('/') ? 1 : 0);
  if (leads_elsewhere(start)) return invalid_key(std::string(given));
  if (start.ends_with('\0')) start.remove_suffix(1);
  Continuation out;
  out.version = version.get<std::int64_t>();
  const std::size_t slash = namespaces ? start.find('/') : std::string_view::npos;
  if (slash != std::string_view::npos) out.namespace_ = start.substr(0, slash);
  out.name = slash == std::string_view::npos ? start : start.substr(slash + 1);
  return out;
}

}  // namespace nodebound::apiserver
