#include "fakes/kubelet_api/review_client.h"

#include <charconv>

#include "fakes/http/serving_threads.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/protobuf/protobuf.h"

namespace nodebound::kubelet_api {
namespace {

constexpr const char* protobuf_type = "application/vnd.kubernetes.protobuf";
constexpr int too_many_requests = 429;

const std::string* retry_after(const HttpResponse& response) {
  const auto found = response.headers.find("retry-after");
  return found == response.headers.end() ? nullptr : &found->second;
}

// Retry-After in seconds; client-go reads no other form.
std::optional<std::int64_t> seconds_in(const std::string& text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

std::string lower_plural(const std::string& kind) {
  std::string out = kind;
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out + "s";
}

std::optional<Object> status_in(const HttpResponse& response, const std::string& kind) {
  Object review;
  if (response.content_type.starts_with(protobuf_type)) {
    const auto envelope = read_envelope(response.body);
    if (!envelope || envelope->kind != kind) return std::nullopt;
    const auto type = parse_group_version(envelope->group_version);
    if (!type) return std::nullopt;
    auto message = read_message({type->group, type->version, kind}, envelope->raw);
    if (!message) return std::nullopt;
    review = std::move(*message);
  } else {
    auto object = read_json(response.body);
    if (!object || !object->is_object()) return std::nullopt;
    review = std::move(*object);
  }
  return member(review, "status");
}

}  // namespace

ReviewClient::ReviewClient(const RuleSet& rules, const KubeletSettings& settings, ReviewTransport& transport,
                           Options options)
    : rules_(rules), transport_(transport), options_(std::move(options)), cache_(settings, rules) {}

std::optional<TokenVerdict> ReviewClient::review_token(const std::string& token) {
  std::promise<std::optional<TokenVerdict>> mine;
  {
    std::unique_lock lock(mutex_);
    if (auto known = cache_.find_token(token, options_.clock())) return known;
    if (!rules_.in_force(Rule::kubelet_token_single_flight)) {
      lock.unlock();
      return ask_for_token(token);
    }
    if (const auto found = flights_.find(token); found != flights_.end()) {
      const Flight flight = found->second;
      lock.unlock();
      const Waiting waiting;
      return flight.get();
    }
    flights_[token] = mine.get_future().share();
  }
  auto verdict = ask_for_token(token);
  {
    const std::lock_guard lock(mutex_);
    flights_.erase(token);
  }
  mine.set_value(verdict);
  return verdict;
}

std::optional<TokenVerdict> ReviewClient::ask_for_token(const std::string& token) {
  const auto status = send("authentication.k8s.io", "TokenReview", {{"token", token}});
  if (!status) return std::nullopt;
  TokenVerdict verdict = token_verdict(*status);
  const std::lock_guard lock(mutex_);
  cache_.put_token(token, verdict, options_.clock());
  return verdict;
}

std::optional<AccessVerdict> ReviewClient::review_access(const Subject& subject, const Attributes& attributes) {
  const Object spec = access_review_spec(subject, attributes, rules_);
  const std::string key = spec.dump(-1, ' ', false, Object::error_handler_t::replace);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = cache_.find_access(key, options_.clock())) return known;
  }
  const auto status = send("authorization.k8s.io", "SubjectAccessReview", spec);
  if (!status) return std::nullopt;
  const AccessVerdict verdict = access_verdict(*status);
  const std::lock_guard lock(mutex_);
  cache_.put_access(key, attributes, verdict, options_.clock());
  return verdict;
}

std::optional<Object> ReviewClient::send(const std::string& group, const std::string& kind, const Object& spec) {
  const Waiting waiting;
  const std::string version = rules_.in_force(Rule::kubelet_review_v1) ? "v1" : "v1beta1";
  const Object review = {
      {"kind", kind}, {"apiVersion", group + "/" + version}, {"metadata", Object::object()}, {"spec", spec}};
  HttpRequest request;
  request.method = "POST";
  request.target = "/apis/" + group + "/" + version + "/" + lower_plural(kind);
  request.content_type = options_.content_type;
  request.accept = "application/json";
  request.headers["user-agent"] = "kubelet/v" + rules_.release().version.text() + " (linux/amd64) kubernetes/$Format";
  std::optional<std::string> bytes;
  if (options_.content_type == protobuf_type) {
    bytes = write_protobuf(review);
    request.accept = std::string(protobuf_type) + ",application/json";
  }
  if (!bytes) request.content_type = "application/json";
  request.body = bytes ? std::move(*bytes) : review.dump(-1, ' ', false, Object::error_handler_t::replace);

  auto delay = static_cast<double>(ReviewRetries::first_delay);
  for (int i = 1;; ++i) {
    const ReviewTransport::Reply reply = attempt(request);
    const int status = reply.response.status;
    if (status >= 200 && status < 300) return status_in(reply.response, kind);
    const ReviewFailure failure{status, retry_after(reply.response) != nullptr, reply.reset};
    if (i == ReviewRetries::attempts || !ReviewRetries::again(failure, rules_)) return std::nullopt;
    constexpr double jitter = 0.2;
    options_.sleep(static_cast<std::int64_t>(delay * (1 + jitter * options_.chance())));
    delay *= ReviewRetries::factor;
  }
}

ReviewTransport::Reply ReviewClient::attempt(const HttpRequest& request) {
  for (int i = 1;; ++i) {
    ReviewTransport::Reply reply = transport_.post(request);
    const int status = reply.response.status;
    const std::string* header = retry_after(reply.response);
    const bool busy = status == too_many_requests || status >= 500;
    const auto seconds = header != nullptr && busy ? seconds_in(*header) : std::nullopt;
    if (!seconds || i == ReviewRetries::attempts_of_client) return reply;
    options_.sleep(*seconds * 1000);
  }
}

}  // namespace nodebound::kubelet_api
