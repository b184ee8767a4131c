#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fakes/kubelet/kubelet_options.h"
#include "fakes/kubelet/kubelet_traits.h"
#include "fakes/kubelet/pods/node_machine.h"
#include "fakes/kubelet/refusals.h"
#include "reference/cluster/object.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {

/// A watch rings it when it has news, from any thread.
class KubeletBell {
 public:
  explicit KubeletBell(std::function<void()> wake) : wake_(std::move(wake)) {}

  void ring() {
    rung_ = true;
    if (wake_) wake_();
  }
  /// Whether it has rung since the last call.
  bool answer() { return rung_.exchange(false); }
  [[nodiscard]] bool rung() const { return rung_; }

 private:
  std::atomic<bool> rung_ = false;
  const std::function<void()> wake_;
};

/// An answer of the API server to a kubelet.
struct ApiAnswer {
  HttpResponse response;

  [[nodiscard]] int status() const { return response.status; }
  [[nodiscard]] bool ok() const { return response.status >= 200 && response.status < 300; }
  [[nodiscard]] Object object() const { return Object::parse(response.body, nullptr, false); }
};

/// What a kubelet knows about its own Node.
struct OwnNode {
  bool listed = false;                  ///< it has been told about its Node, or that there is none
  std::string uid;                      ///< empty if the Node does not exist
  std::chrono::seconds object_ttl{60};  ///< how long it caches Secrets and ConfigMaps unless it watches them
  bool wrong_os_labels = false;
  std::string config_namespace;  ///< namespace of the ConfigMap that the Node names as the kubelet's configuration
  std::string config_name;
};

/// What the parts of one kubelet share: its identity, and its connection to the API server.
class KubeletSelf {
 public:
  KubeletSelf(std::shared_ptr<const KubeletTraits> traits, std::shared_ptr<const KubeletOptions> options,
              std::string name, std::unique_ptr<KubeletLine> line, std::function<void()> wake,
              std::shared_ptr<NodeMachine> machine = nullptr);

  const std::shared_ptr<const KubeletTraits> traits;
  const std::shared_ptr<const KubeletOptions> options;
  const std::string name;
  const std::unique_ptr<KubeletLine> line;
  const std::shared_ptr<KubeletBell> bell;
  const std::shared_ptr<NodeMachine> machine;  ///< null: nothing is known of it
  KubeletTime now;
  bool rung = false;  ///< watches may have news
  KubeletCredential credential = KubeletCredential::node;
  KubeletRefusals refusals;
  OwnNode node;

  ApiAnswer get(const std::string& target);
  ApiAnswer post(const std::string& target, const Object& object);
  ApiAnswer put(const std::string& target, const Object& object);
  /// A strategic merge patch.
  ApiAnswer patch(const std::string& target, const Object& patch);
  ApiAnswer remove(const std::string& target, const Object& options = nullptr);
  ApiAnswer watch(const std::string& target);

  /// Sends an Event about one of its objects, to the core group.
  void tell(const Object& about, const std::string& namespace_, const char* reason, const std::string& message);

  [[nodiscard]] std::string node_target(const char* subresource = "") const {
    return "/api/v1/nodes/" + name + subresource;
  }
  /// `now` as objects write it, or with microseconds, as a Lease does.
  [[nodiscard]] std::string timestamp() const;
  [[nodiscard]] std::string micro_time() const;

  /// A random time between `least` and twice `least`, drawn from the seed.
  std::chrono::milliseconds jittered(std::chrono::milliseconds least);
  std::uint64_t draw();

  [[nodiscard]] bool uses_claims() const {
    return options->claims.value_or(traits->has(KubeletTrait::resource_claims)) &&
           !traits->resource_claims_version.empty();
  }

 private:
  ApiAnswer send(const HttpRequest& request);

  std::uint64_t random_;
  std::uint64_t events_ = 0;
};

/// 16 digits, the same on every machine.
std::string short_hash(std::string_view text);

/// How long to wait before the next try: doubled each time, up to `most`.
struct BackOff {
  std::chrono::milliseconds first;
  std::chrono::milliseconds most;

  /// The wait after a failure that `tries` failures preceded.
  [[nodiscard]] std::chrono::milliseconds after(unsigned tries) const;
};

/// An owner reference to the Node.
Object node_owner(const KubeletSelf& self);

}  // namespace nodebound::fake_kubelet
