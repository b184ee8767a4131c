#include "fakes/kubelet/node/certificate.h"

#include "reference/encoding/base64.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr BackOff certificate_tries{seconds(2), seconds(128)};

// After about a minute of probes, the kubelet asks for its certificate anyway (bootstrap.go, waitForServer).
constexpr unsigned most_probes = 5;

bool is_denied(const Object& request) {
  for (const Object& condition : member(request, "status", "conditions")) {
    const std::string_view type = text(condition, "type");
    if (type == "Denied" || type == "Failed") return true;
  }
  return false;
}

}  // namespace

KubeletCertificate::KubeletCertificate(KubeletSelf& self, bool serving, bool there,
                                       const std::optional<CertificateTime>& of)
    : self_(self), serving_(serving), step_(there ? Step::have : Step::probe) {
  if (!there || !of) return;
  installed_ = true;
  renew_in_time(*of);
}

std::string KubeletCertificate::requests() const {
  return "/apis/certificates.k8s.io/" + self_.traits->signing_request_versions[version_] +
         "/certificatesigningrequests";
}

KubeletTime KubeletCertificate::due() const {
  if (step_ == Step::have) return installed_ ? due_ : KubeletTime::max();
  return step_ == Step::wait && waiting_ ? waiting_->due() : due_;
}

void KubeletCertificate::act() {
  if (step_ == Step::wait) {
    waiting_->act(self_, *this);
    // Reset only here, outside of the waiting object's own call.
    if (step_ != Step::wait) waiting_.reset();
    return;
  }
  if (due() > self_.now) return;
  if (step_ == Step::probe && !is_alive() && ++probes_ < most_probes) return retry();
  create();
}

bool KubeletCertificate::is_alive() {
  const bool asks = self_.credential == KubeletCredential::bootstrap && self_.traits->has(KubeletTrait::healthz_probe);
  return !asks || self_.get("/healthz").ok();
}

void KubeletCertificate::create() {
  step_ = Step::create;
  const std::vector<std::string>& versions = self_.traits->signing_request_versions;
  for (version_ = 0;; ++version_) {
    const Object request = signing_request(versions[version_]);
    const ApiAnswer made = self_.post(requests(), request);
    if (made.ok()) return created(made.object());
    if (made.status() == 409) {
      const ApiAnswer found = self_.get(requests() + "/" + std::string(text(request, "metadata", "name")));
      if (found.ok()) return created(found.object());
    }
    if (made.status() != 404 || version_ + 1 == versions.size()) return start_again();
  }
}

// A kubelet without a certificate exits and is restarted; it first probes whether the server is up.
void KubeletCertificate::start_again() {
  if (self_.credential == KubeletCredential::bootstrap) {
    step_ = Step::probe;
    probes_ = most_probes - 1;
  }
  retry();
}

void KubeletCertificate::created(const Object& request) {
  step_ = Step::wait;
  const std::string selector = "metadata.name=" + std::string(text(request, "metadata", "name"));
  waiting_.emplace(
      Reflector::Collection{requests(), selector, self_.traits->has(KubeletTrait::signing_request_list), true}, true);
}

void KubeletCertificate::retry() {
  due_ = self_.now + self_.jittered(certificate_tries.after(tries_++));
}

Object KubeletCertificate::signing_request(const std::string& version) const {
  const std::string pem = self_.line->signing_request({self_.name, serving_});
  Object usages = {"digital signature"};
  if (self_.traits->has(KubeletTrait::signing_request_key_encipherment)) usages.push_back("key encipherment");
  usages.push_back(serving_ ? "server auth" : "client auth");
  Object spec = {{"request", base64_encode(pem)}, {"usages", usages}};
  if (self_.traits->has(KubeletTrait::signing_request_signer)) {
    spec["signerName"] = serving_ ? "kubernetes.io/kubelet-serving" : "kubernetes.io/kube-apiserver-client-kubelet";
  }
  const bool named =
      self_.credential == KubeletCredential::bootstrap && self_.traits->has(KubeletTrait::signing_request_name);
  Object metadata = {{"generateName", "csr-"}};
  if (named) metadata = {{"name", "node-csr-" + short_hash(pem)}};
  return {{"apiVersion", "certificates.k8s.io/" + version},
          {"kind", "CertificateSigningRequest"},
          {"metadata", metadata},
          {"spec", spec}};
}

void KubeletCertificate::listed(const Object& items) {
  if (!items.empty()) changed(items[0]);
}

void KubeletCertificate::changed(const Object& request) {
  if (step_ != Step::wait) return;
  if (is_denied(request)) {
    step_ = Step::create;
    return retry();
  }
  const std::optional<std::string> pem = base64_decode(text(request, "status", "certificate"));
  if (!pem || pem->empty()) return;
  const std::optional<KubeletTime> end = self_.line->install({self_.name, serving_}, *pem);
  step_ = Step::have;
  installed_ = true;
  tries_ = 0;
  if (!serving_) self_.credential = KubeletCredential::node;
  due_ = KubeletTime::max();
  if (end && *end > self_.now) renew_in_time({self_.now, *end});
}

// Renews after 70 to 90 % of the certificate's lifetime, as client-go's certificate manager does.
void KubeletCertificate::renew_in_time(const CertificateTime& of) {
  due_ = KubeletTime::max();
  if (!self_.options->rotate) return;
  const milliseconds lasts = of.end - of.begin;
  due_ = of.begin + lasts * static_cast<std::int64_t>(700 + self_.draw() % 200) / 1000;
}

void KubeletCertificate::deleted(const Object& /*request*/) {
  if (step_ != Step::wait) return;
  step_ = Step::create;
  retry();
}

void KubeletCertificate::drop() {
  if (waiting_) waiting_->drop();
}

}  // namespace nodebound::fake_kubelet
