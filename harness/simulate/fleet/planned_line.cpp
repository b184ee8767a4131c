#include "harness/simulate/fleet/planned_line.h"

#include "fakes/kubelet/node/signing_request.h"

namespace nodebound::simulate {

HttpResponse PlannedLine::send(fake_kubelet::KubeletCredential as, const HttpRequest& request) {
  HttpResponse response = options_.answering(as, request);
  if (!options_.streams) response.stream.reset();
  return response;
}

std::string PlannedLine::signing_request(const fake_kubelet::CertificateOrder& order) {
  return fake_kubelet::fake_signing_request(order, options_.seed);
}

std::optional<fake_kubelet::KubeletTime> PlannedLine::install(const fake_kubelet::CertificateOrder& /*order*/,
                                                              const std::string& /*pem*/) {
  return options_.certificate_end();
}

}  // namespace nodebound::simulate
