#include "harness/simulate/fleet/planned_line.h"

#include "fakes/kubelet/node/signing_request.h"

namespace nodebound {

HttpResponse PlannedLine::send(KubeletCredential as, const HttpRequest& request) {
  HttpResponse response = options_.answering(as, request);
  if (!options_.streams) response.stream.reset();
  return response;
}

std::string PlannedLine::signing_request(const CertificateOrder& order) {
  return fake_signing_request(order, options_.seed);
}

std::optional<KubeletTime> PlannedLine::install(const CertificateOrder& /*order*/, const std::string& /*pem*/) {
  return options_.certificate_end();
}

}  // namespace nodebound
