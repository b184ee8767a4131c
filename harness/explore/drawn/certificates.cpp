#include "harness/explore/drawn/certificates.h"

namespace nodebound::explore {
namespace {

// openssl req -new -subj "/O=system:nodes/CN=system:node:a", in PEM and that in base64.
constexpr const char* request_of_node_a =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcU1JR1JBZ0VBTUM4eEZUQVRCZ05WQkFvTURITjVjM1JsYlRw"
    "dWIyUmxjekVXTUJRR0ExVUVBd3dOYzNsegpkR1Z0T201dlpHVTZZVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFC"
    "TW1MWFM0TlBaZVp1OG1nCnZDRVpaTFNSeHZqNVZPOXRLSFY3OVdCZnZKVmI0c3c4ajlSL3l6WWNkSDNKbFdGVDFUdXYxak9QVWlk"
    "RklPVUUKOE8zRTVPK2dBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUJRVnNVYWt6WEdFalUyWVczSWR1aE40eTE1N0xjbQpZbkFO"
    "b3RTTFBTTXFNd0loQUtrUnBuWHg3STFkMkxKS2FkZHVzNWdrSUJSVmFxUlE0USt5MnFSS2NZUGEKLS0tLS1FTkQgQ0VSVElGSUNB"
    "VEUgUkVRVUVTVC0tLS0tCg==";

}  // namespace

Object drawn_signing_request(Chance& chance, const std::string&) {
  Object spec = {{"request", chance.one_in(8) ? "bm8gcmVxdWVzdA==" : request_of_node_a}};
  spec["signerName"] = chance.pick({"kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving",
                                    "kubernetes.io/kube-apiserver-client", "example.com/own", "bad"});
  spec["usages"] = {chance.pick({"client auth", "server auth"}), "digital signature"};
  if (chance.one_in(4)) spec["usages"].push_back(chance.pick({"key encipherment", "nothing"}));
  if (chance.one_in(4)) spec["expirationSeconds"] = chance.one_in(2) ? 3600 : 60;
  return {{"spec", spec}};
}

}  // namespace nodebound::explore
