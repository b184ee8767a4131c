#include "harness/explore/random_comparison.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "fakes/wire/requests.h"
#include "harness/endpoint/signals.h"
#include "harness/explore/asked_server.h"
#include "harness/explore/request_source.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::explore {
namespace {

constexpr int most_tries = 5;
constexpr std::chrono::milliseconds first_pause{20};

// Reviews and tokens are only answered, and what a deletion of many is about is compared when it is read.
bool has_object(const DrawnRequest& drawn) {
  return drawn.target.find("reviews") == std::string::npos && !drawn.target.ends_with("/token");
}

Result<Said> ask(AskedServer& server, const DrawnRequest& drawn) {
  const Result<HttpRequest> request = server.fill_in(drawn);
  if (!request) return tl::unexpected<Error>(request.error());
  const Result<HttpResponse> response = server.send(drawn.subject, *request);
  if (!response) return tl::unexpected<Error>(response.error());
  Said said = Said::by(drawn, *response);
  if (!is_write(*request) || !has_object(drawn)) return said;
  const Result<Object> stored = server.written_object(drawn);
  if (!stored) return tl::unexpected<Error>(stored.error());
  said.stored = comparable_object(*stored, drawn);
  return said;
}

bool may_ask_again(const DrawnRequest& request, const Said& said) {
  return !request.persists() || said.status >= 400;
}

/// Two servers that receive the same requests.
class Pair {
 public:
  Pair(ComparedServer& a, ComparedServer& b)
      : a_(a.endpoint, a.journal, a.run_id, !b.endpoint.disposable()),
        b_(b.endpoint, b.journal, b.run_id, !a.endpoint.disposable()),
        left_of_a_(a.left),
        left_of_b_(b.left),
        tries_(a.endpoint.decides_on_latest_state() && b.endpoint.decides_on_latest_state() ? 1 : most_tries) {}
  ~Pair() {
    left_of_a_ = a_.clean_up();
    left_of_b_ = b_.clean_up();
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  Result<AnswerDifference> ask(const DrawnRequest& request) {
    AnswerDifference out;
    out.request = request;
    auto pause = first_pause;
    for (int tries = 0; tries < tries_; ++tries) {
      if (tries == 0 || may_ask_again(request, out.a)) {
        if (Result<Said> said = explore::ask(a_, request); said) {
          out.a = std::move(*said);
        } else {
          return tl::unexpected<Error>(said.error());
        }
      }
      if (tries == 0 || may_ask_again(request, out.b)) {
        if (Result<Said> said = explore::ask(b_, request); said) {
          out.b = std::move(*said);
        } else {
          return tl::unexpected<Error>(said.error());
        }
      }
      note_made(request, out);
      for (Said* said : {&out.a, &out.b})
        std::erase_if(said->items, [&](const auto& item) { return !made_.contains(item.first); });
      out.agreement = agreement(out.a, out.b);
      // What was written once does not become the same.
      const bool written = request.method != "GET" && out.agreement <= Agreement::other_object;
      const bool settled = out.agreement == Agreement::same || written;
      if (settled || tries + 1 == tries_ || interrupted()) break;
      std::this_thread::sleep_for(pause);
      pause *= 2;
    }
    return out;
  }

 private:
  /// Only objects that both servers were made to store under the same name can be the same.
  void note_made(const DrawnRequest& request, const AnswerDifference& said) {
    if (!request.persists() || said.a.stored.empty() || said.b.stored.empty()) return;
    const Object object = Object::parse(said.a.stored, nullptr, false);
    made_.insert(object_key(attributes_of(request.method, request.target).resource, object));
  }

  AskedServer a_;
  AskedServer b_;
  std::set<std::string> made_;  ///< by object_key()
  std::vector<Error>& left_of_a_;
  std::vector<Error>& left_of_b_;
  int tries_;
};

void add(RandomComparison& comparison, AnswerDifference difference) {
  ++comparison.requests;
  if (difference.agreement == Agreement::same) return;
  difference.number = comparison.requests;
  comparison.differences.push_back(std::move(difference));
}

}  // namespace

std::size_t RandomComparison::count(Agreement agreement) const {
  return static_cast<std::size_t>(std::ranges::count(differences, agreement, &AnswerDifference::agreement));
}

bool RandomComparison::differs_in(Agreement least) const {
  return std::ranges::any_of(differences, [&](const AnswerDifference& one) { return one.agreement >= least; });
}

Result<RandomComparison> compare_at_random(ComparedServer& a, ComparedServer& b, const ApiResources& resources,
                                           const RandomComparisonOptions& options) {
  Pair pair(a, b);
  RequestSource source(options.seed, resources);
  RandomComparison comparison;
  comparison.seed = options.seed;
  const auto compare = [&](const DrawnRequest& request) -> Result<void> {
    Result<AnswerDifference> difference = pair.ask(request);
    if (!difference) return tl::unexpected<Error>(difference.error());
    add(comparison, std::move(*difference));
    options.asked();
    return {};
  };
  for (const DrawnRequest& request : source.first()) {
    if (Result<void> done = compare(request); !done) return tl::unexpected<Error>(done.error());
  }
  while (comparison.requests < options.requests && !interrupted()) {
    const DrawnRequest request = source.next();
    if (Result<void> done = compare(request); !done) return tl::unexpected<Error>(done.error());
    if (request.persists() && !a.endpoint.decides_on_latest_state()) std::this_thread::sleep_for(first_pause);
  }
  return comparison;
}

}  // namespace nodebound::explore
