#include "fakes/authorization/access_review_webhook.h"

#include <random>
#include <thread>
#include <utility>

#include "fakes/wire/go/response_error.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::authorization {
namespace {

using std::chrono::milliseconds;

// DefaultRetryBackoff in plugin/pkg/authorizer/webhook
constexpr int most_tries = 5;
constexpr milliseconds first_pause(500);
constexpr double pause_factor = 1.5;
constexpr double pause_jitter = 0.2;

// DefaultShouldRetry in apiserver's pkg/util/webhook/webhook.go
bool may_pass(const webhook::WebhookFailure& failure) {
  return failure.kind == webhook::WebhookFailure::Kind::reset;
}

bool may_pass(int status) {
  return status == 429 || (status >= 500 && status != 503);
}

// Whoever asks decides about these, and could fill the memory with them.
bool is_kept(const Attributes& attributes) {
  constexpr std::size_t most = 10000;
  return attributes.namespace_.size() + attributes.verb.size() + attributes.api_group.size() +
             attributes.api_version.size() + attributes.resource.size() + attributes.subresource.size() +
             attributes.name.size() + attributes.path.size() <
         most;
}

struct Try {
  WebhookAnswer answer;
  bool again = false;
};

Try failed_try(std::string why, bool again) {
  Try out;
  out.answer.error = std::move(why);
  out.again = again;
  return out;
}

Try try_once(const AccessReviewWebhook::Post& post, const std::string& review) {
  const tl::expected<HttpResponse, webhook::WebhookFailure> response = post(review);
  if (!response) return failed_try(response.error().text, may_pass(response.error()));
  if (response->status < 200 || response->status > 206) {
    return failed_try(error_words(*response), may_pass(response->status));
  }
  if (response->body.empty()) {
    return failed_try("0-length response with status code: " + std::to_string(response->status) +
                          " and content type: " + response->content_type,
                      false);
  }
  auto answer = read_access_review(response->body);
  return answer ? Try{std::move(*answer)} : failed_try(answer.error(), false);
}

milliseconds with_jitter(double pause) {
  thread_local std::mt19937_64 random(std::random_device{}());
  std::uniform_real_distribution<double> more(0, pause_jitter);
  return milliseconds(static_cast<std::int64_t>(pause * (1 + more(random))));
}

/// Texts and numbers of texts, one after the other. Equal only for the same ones, for each text has its length before
/// it.
class QuestionKey {
 public:
  QuestionKey() { text_.reserve(512); }

  void add(std::size_t number) { text_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void add(std::string_view part) {
    add(part.size());
    text_.append(part);
  }
  void add(const std::vector<std::string>& parts) {
    add(parts.size());
    for (const std::string& part : parts) add(part);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// The same for two questions whose reviews are the same (reviewed_request), and made far sooner than a review.
std::string key_of(const Subject& subject, const Attributes& attributes, const Release& release) {
  QuestionKey key;
  key.add(subject.name);
  key.add(subject.uid);
  key.add(attributes.verb);
  key.add(subject.groups);
  key.add(subject.extra.size());
  for (const auto& [name, values] : subject.extra) {
    key.add(name);
    key.add(values);
  }
  if (!attributes.resource_request) {
    key.add(attributes.path);
    return std::move(key).text();
  }
  key.add(attributes.namespace_);
  key.add(attributes.api_group);
  key.add(attributes.api_version);
  key.add(attributes.resource);
  key.add(attributes.subresource);
  key.add(attributes.name);
  if (release.does(Behaviour::review_selectors)) {
    for (const FieldRequirement& one : attributes.field_selector) {
      key.add(one.field);
      key.add(one.op == "!=" ? "NotIn" : "In");
      key.add(one.value);
    }
  }
  return std::move(key).text();
}

}  // namespace

std::optional<WebhookAnswer> AnswerCache::find(const std::string& question, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto found = by_question_.find(question);
  if (found == by_question_.end()) return std::nullopt;
  const auto entry = found->second;
  if (entry->until <= now) {
    by_question_.erase(found);
    entries_.erase(entry);
    return std::nullopt;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->answer;
}

void AnswerCache::add(const std::string& question, WebhookAnswer answer, Clock::time_point until) {
  const std::lock_guard lock(mutex_);
  if (const auto found = by_question_.find(question); found != by_question_.end()) {
    const auto entry = found->second;
    by_question_.erase(found);
    entries_.erase(entry);
  }
  if (entries_.size() >= most_) {
    by_question_.erase(entries_.back().question);
    entries_.pop_back();
  }
  entries_.push_front({question, std::move(answer), until});
  by_question_.emplace(entries_.front().question, entries_.begin());
}

WebhookAnswer AccessReviewWebhook::ask(const Subject& subject, const Attributes& attributes) {
  const std::string key = key_of(subject, attributes, release_);
  if (auto answer = cache_.find(key, AnswerCache::Clock::now())) return std::move(*answer);
  WebhookAnswer answer = answer_to(access_review(subject, attributes, options_.version, release_));
  keep(key, attributes, answer);
  return answer;
}

WebhookAnswer AccessReviewWebhook::answer_to(const std::string& review) {
  auto pause = static_cast<double>(first_pause.count());
  for (int tries = 1;; ++tries) {
    Try got = try_once(post_, review);
    if (!got.again || tries == most_tries) return std::move(got.answer);
    const milliseconds time = with_jitter(pause);
    options_.wait ? options_.wait(time) : std::this_thread::sleep_for(time);
    pause *= pause_factor;
  }
}

void AccessReviewWebhook::keep(const std::string& key, const Attributes& attributes, const WebhookAnswer& answer) {
  const auto& time = answer.allowed ? options_.authorized_ttl : options_.unauthorized_ttl;
  if (!answer.error.empty() || !time || time->count() <= 0 || !is_kept(attributes)) return;
  const auto until = AnswerCache::Clock::now() + std::chrono::duration_cast<AnswerCache::Clock::duration>(*time);
  cache_.add(key, answer, until);
}

}  // namespace nodebound::authorization
