#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "fakes/faults/fault.h"
#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound::faults {

/// The active faults, a filter between authentication and the server. What happens depends only on the faults, their
/// seeds and the order of requests. Thread-safe.
class Faults {
 public:
  using Next = std::function<HttpResponse(const HttpRequest& request)>;
  /// How much later than its storage a change becomes known.
  using Lag = std::function<std::chrono::milliseconds(const ObjectKey& key)>;

  explicit Faults(std::vector<Fault> faults = {});

  /// Replaces the faults from the next request on, and counts requests from 0 again. Open watches that match an
  /// `expired` fault end at once.
  void set(std::vector<Fault> faults);

  /// Lets `next` answer the request, or answers it itself, with the faults that hit it.
  HttpResponse around(const Subject& subject, const Attributes& attributes, HttpRequest request, const Next& next);

  /// Null if no fault is a lag.
  [[nodiscard]] Lag lag() const;

  /// `{"faults": [...]}`: each fault as it was given, how many requests matched it, and how many of these it hit.
  [[nodiscard]] Object to_json() const;
  /// The opposite. The error names the wrong fault.
  static Result<std::vector<Fault>> from_json(const Object& object);

 private:
  /// A fault with its counters.
  struct Active {
    Fault fault;
    std::atomic<std::uint64_t> matched = 0;
    std::atomic<std::uint64_t> hits = 0;

    /// The request's number among the matching ones, if the fault hits it.
    std::optional<std::uint64_t> draw();
  };
  using Set = std::vector<std::shared_ptr<Active>>;
  struct Asked;
  struct OpenWatch {
    std::weak_ptr<BodyStream> stream;
    std::string path;
    std::string user;
    std::string resource;
  };

  static bool matches(const Fault& fault, const Asked& asked);
  static std::optional<HttpResponse> prepare(const Fault& fault, std::uint64_t n, HttpRequest& request,
                                             NetworkFault& network_fault);
  [[nodiscard]] std::shared_ptr<const Set> in_force() const;
  void remember(const Asked& asked, const std::shared_ptr<BodyStream>& stream);

  mutable std::mutex mutex_;
  std::shared_ptr<const Set> set_;
  std::vector<OpenWatch> watches_;
};

}  // namespace nodebound::faults
