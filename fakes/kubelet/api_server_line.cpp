#include "fakes/kubelet/api_server_line.h"

#include "fakes/kubelet/node/signing_request.h"

namespace nodebound::fake_kubelet {

HttpResponse ApiServerLine::send(KubeletCredential as, const HttpRequest& request) {
  const bool bootstrap = as == KubeletCredential::bootstrap;
  HttpResponse response = (*answering_)(bootstrap ? options_.bootstrap : options_.node, request);
  if (!options_.streams) response.stream.reset();
  return response;
}

std::string ApiServerLine::signing_request(const CertificateOrder& order) {
  return fake_signing_request(order, options_.seed);
}

std::optional<KubeletTime> ApiServerLine::install(const CertificateOrder& /*order*/, const std::string& pem) {
  return end_of_certificate(pem);
}

Subject node_subject(const std::string& name) {
  return {"system:node:" + name, {"system:nodes", "system:authenticated"}, "", {}};
}

}  // namespace nodebound::fake_kubelet
