#pragma once

#include <optional>

#include "fakes/kubelet/reflector.h"

namespace nodebound {

/// A certificate of a kubelet, from its first request on: asks for it, waits until somebody has approved and signed it,
/// and asks anew before it ends.
class KubeletCertificate final : private ObjectSink {
 public:
  /// `there`: it has one already; `of` says when that is good, where it is known.
  KubeletCertificate(KubeletSelf& self, bool serving, bool there, const std::optional<CertificateTime>& of = {});

  [[nodiscard]] KubeletTime due() const;
  [[nodiscard]] bool there() const { return installed_ || step_ == Step::have; }
  void act();
  void drop();

 private:
  enum class Step { probe, create, wait, have };

  bool is_alive();
  void renew_in_time(const CertificateTime& of);
  void create();
  void created(const Object& request);
  void start_again();
  void retry();
  [[nodiscard]] Object signing_request(const std::string& version) const;
  [[nodiscard]] std::string requests() const;

  void listed(const Object& items) override;
  void changed(const Object& request) override;
  void deleted(const Object& request) override;

  KubeletSelf& self_;
  bool serving_;
  Step step_;
  bool installed_ = false;   ///< one that was asked for
  std::size_t version_ = 0;  ///< of those that the release knows
  unsigned tries_ = 0;
  unsigned probes_ = 0;
  KubeletTime due_;
  std::optional<Reflector> waiting_;
};

}  // namespace nodebound
