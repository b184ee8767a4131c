#pragma once

#include <optional>

#include "fakes/kubelet/reflector.h"

namespace nodebound::fake_kubelet {

/// One certificate of a kubelet: requests it, waits until it is approved and signed, and renews it before it ends.
class KubeletCertificate final : private ObjectSink {
 public:
  /// `there`: the kubelet already has the certificate; `of`: its validity, if known.
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
  bool installed_ = false;   ///< a certificate that it requested itself
  std::size_t version_ = 0;  ///< index among the API versions that the release knows
  unsigned tries_ = 0;
  unsigned probes_ = 0;
  KubeletTime due_;
  std::optional<Reflector> waiting_;
};

}  // namespace nodebound::fake_kubelet
