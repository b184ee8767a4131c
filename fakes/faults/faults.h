#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "fakes/apiserver/http.h"
#include "fakes/faults/fault.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// The faults that are in force, between authentication and what answers. What happens follows from the faults, their
/// seeds, and the order in which requests come; nothing else. Thread-safe.
class Faults {
 public:
  using Next = std::function<HttpResponse(const HttpRequest& request)>;
  /// How much later a change is learned of than it is stored.
  using Lag = std::function<std::chrono::milliseconds(const ObjectKey& key)>;

  explicit Faults(std::vector<Fault> faults = {});

  /// In force from the next request on, and counted from 0 anew; watches that are open and match one that expires them
  /// are ended at once.
  void set(std::vector<Fault> faults);

  /// Has the request answered by `next`, or not, with what goes wrong.
  HttpResponse around(const Subject& subject, const Attributes& attributes, HttpRequest request, const Next& next);

  /// Null where no fault is a lag.
  [[nodiscard]] Lag lag() const;

  /// `{"faults": [...]}`: each as it was given, how many requests matched it, and how many of these it hit.
  [[nodiscard]] Object to_json() const;
  /// The same the other way. The error says which of them is wrong.
  static Result<std::vector<Fault>> from_json(const Object& object);

 private:
  /// A fault with what has come of it.
  struct Active {
    Fault fault;
    std::atomic<std::uint64_t> matched = 0;
    std::atomic<std::uint64_t> hits = 0;

    /// The number of this request among those that match, if it is hit.
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
  static std::optional<HttpResponse> prepare(const Fault& fault, std::uint64_t n, HttpRequest& request, Mishap& mishap);
  [[nodiscard]] std::shared_ptr<const Set> in_force() const;
  void remember(const Asked& asked, const std::shared_ptr<BodyStream>& stream);

  mutable std::mutex mutex_;
  std::shared_ptr<const Set> set_;
  std::vector<OpenWatch> watches_;
};

}  // namespace nodebound
