#include <boost/test/unit_test.hpp>

#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "fakes/kubelet_api/test/support.h"
#include "fakes/wire/go/go_duration.h"
#include "fakes/wire/go/json.h"

BOOST_AUTO_TEST_SUITE(kubelet_api_configuration)

using namespace nodebound;
using namespace nodebound::kubelet_api;
using test::rules_of;

namespace {

const std::string head = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

Result<KubeletConfigurationFile> read(const std::string& text, const std::string& version = "1.36.3") {
  return read_kubelet_configuration(text, "config.yaml", Version::parse(version).value());
}

KubeletConfiguration configured(const std::string& text, const std::string& version = "1.36.3") {
  return KubeletConfiguration::of_file(read(head + text, version).value(), rules_of(version));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_kubeadm_writes_is_read) {
  const KubeletConfiguration one = configured(R"(authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
  webhook:
    cacheAuthorizedTTL: 0s
    cacheUnauthorizedTTL: 1m30s
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///var/run/containerd/containerd.sock
cpuManagerReconcilePeriod: 0s
crashLoopBackOff: {}
evictionPressureTransitionPeriod: 0s
fileCheckFrequency: 0s
healthzBindAddress: 127.0.0.1
healthzPort: 10248
httpCheckFrequency: 0s
imageMaximumGCAge: 0s
imageMinimumGCAge: 0s
logging:
  flushFrequency: 0
  options:
    json:
      infoBufferSize: "0"
    text:
      infoBufferSize: "0"
  verbosity: 0
memorySwap: {}
nodeStatusReportFrequency: 0s
nodeStatusUpdateFrequency: 0s
rotateCertificates: true
runtimeRequestTimeout: 0s
shutdownGracePeriod: 0s
shutdownGracePeriodCriticalPods: 0s
staticPodPath: /etc/kubernetes/manifests
streamingConnectionIdleTimeout: 0s
syncFrequency: 0s
volumeStatsAggPeriod: 0s
)");
  BOOST_TEST(one.client_ca_file == "/etc/kubernetes/pki/ca.crt");
  BOOST_TEST(one.settings.client_ca);
  BOOST_TEST(!one.settings.anonymous);
  // Go cannot tell 0s from a missing value.
  BOOST_TEST(one.settings.token_ttl == 120'000);
  BOOST_TEST(one.settings.allowed_ttl == 300'000);
  BOOST_TEST(one.settings.denied_ttl == 90'000);
  BOOST_TEST(one.settings.read_only_port == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_says_nothing_has_secure_defaults_and_flags_have_not) {
  const KubeletConfiguration file = configured("");
  BOOST_TEST(!file.settings.anonymous);
  BOOST_TEST(file.settings.authorization_mode == "Webhook");
  const KubeletConfiguration flags = KubeletConfiguration::of_flags(rules_of("1.36.3"));
  BOOST_TEST(flags.settings.anonymous);
  BOOST_TEST(flags.settings.authorization_mode == "AlwaysAllow");
  BOOST_TEST(flags.settings.read_only_port == 10255);
}

BOOST_AUTO_TEST_CASE(mistakes_are_what_a_kubelet_says_they_are) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"", "kubelet config file \"config.yaml\" was empty"},
      {"kind: KubeletConfiguration\n", "failed to decode: Object 'apiVersion' is missing"},
      {"apiVersion: kubelet.config.k8s.io/v1beta1\n", "failed to decode: Object 'Kind' is missing"},
      {"apiVersion: v1\nkind: Pod\n", "no kind \"Pod\" is registered for version \"v1\""},
      {"apiVersion: kubelet.config.k8s.io/v1alpha1\nkind: KubeletConfiguration\n", "kubelet.config.k8s.io/v1alpha1"},
      {"- a\n", "cannot unmarshal array"},
      {"abc", "cannot unmarshal string"},
      {"kind: 3\n", "cannot unmarshal number"},
      {"{a: [", "failed to decode: "},
      {"a:\n\t- b", "failed to decode: "},
      {std::string("\xff\xfe\x00\x01", 4), "failed to decode: "},
      {head + "port: x\n",
       "json: cannot unmarshal string into Go struct field KubeletConfiguration.port of type int32"},
      {head + "port: 1.5\n",
       "cannot unmarshal number 1.5 into Go struct field KubeletConfiguration.port of type int32"},
      {head + "port: 99999999999\n", "cannot unmarshal number 99999999999"},
      {head + "authentication: 3\n", "KubeletConfiguration.authentication of type struct"},
      {head + "authentication: {anonymous: {enabled: 'yes'}}\n",
       "cannot unmarshal string into Go struct field KubeletConfiguration.authentication.anonymous.enabled of type "
       "bool"},
      {head + "syncFrequency: 3\n", "KubeletConfiguration.syncFrequency of type string"},
      {head + "syncFrequency: 3x\n", "time: unknown unit \"x\" in duration \"3x\""},
      {head + "clusterDNS: x\n", "KubeletConfiguration.clusterDNS of type []string"},
      {head + "clusterDNS: [1]\n", "KubeletConfiguration.clusterDNS of type string"},
      {head + "featureGates: {A: 1}\n", "KubeletConfiguration.featureGates of type bool"},
      {std::string((4U << 20U) + 1, '#'), "4 MiB"},
      {head + "a: " + std::string(100'000, '['), "failed to decode: "},
  };
  for (const auto& [text, expected] : mistakes) {
    const auto file = read(text);
    BOOST_TEST_REQUIRE(!file.has_value(), text.substr(0, 100));
    BOOST_TEST(file.error().text().find(expected) != std::string::npos,
               expected << " is not in " << file.error().text());
  }
}

BOOST_AUTO_TEST_CASE(fields_that_a_release_does_not_have_are_warned_of) {
  const std::string fields = head + "nope: 1\nauthentication: {nope: x}\nPort: 3\nuserNamespaces: {idsPerPod: 65536}\n";
  const auto newest = read(fields).value();
  BOOST_TEST(
      (newest.warnings == std::vector<std::string>{"unknown field \"Port\"", "unknown field \"authentication.nope\"",
                                                   "unknown field \"nope\""}));
  BOOST_TEST(read(fields, "1.31.0")->warnings.back() == "unknown field \"userNamespaces\"");
}

BOOST_AUTO_TEST_CASE(before_1_10_there_was_no_such_file) {
  const auto file = read(head, "1.9.0");
  BOOST_TEST_REQUIRE(!file.has_value());
  BOOST_TEST(file.error().what.find("came with 1.10") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ports_are_checked) {
  KubeletConfiguration one = configured("port: 70000\n");
  BOOST_TEST(one.valid().error().what ==
             "invalid configuration: port (--port) 70000 must be between 0 and 65535, inclusive");
  one.settings.port = 0;
  BOOST_TEST(one.valid().has_value());
}

BOOST_AUTO_TEST_CASE(configz_shows_it_with_the_defaults_of_the_release) {
  const KubeletConfiguration one = configured("clusterDomain: cluster.local\nauthorization: {mode: AlwaysAllow}\n");
  const std::string text = one.text({1, 36, 3}, true);
  BOOST_TEST(text.starts_with(R"({"kind":"KubeletConfiguration","apiVersion":"kubelet.config.k8s.io/v1beta1",)"
                              R"("enableServer":true,"podLogsDir":"/var/log/pods","syncFrequency":"1m0s",)"));
  const Object shown = read_json(text).value();
  BOOST_TEST(shown["clusterDomain"] == "cluster.local");
  BOOST_TEST(shown["authorization"]["mode"] == "AlwaysAllow");
  BOOST_TEST(shown["authorization"]["webhook"]["cacheAuthorizedTTL"] == "5m0s");
  BOOST_TEST(shown["crashLoopBackOff"]["maxContainerRestartPeriod"] == "5m0s");
  const Object older = read_json(one.text({1, 31, 0}, false)).value();
  BOOST_TEST(!older.contains("kind"));
  BOOST_TEST(!older.contains("crashLoopBackOff"));
}

BOOST_AUTO_TEST_CASE(durations_are_go_s) {
  BOOST_TEST(parse_go_duration("2m0s").value() == 120'000'000'000);
  BOOST_TEST(parse_go_duration("1h1.5s").value() == 3'601'500'000'000);
  BOOST_TEST(parse_go_duration("-300ms").value() == -300'000'000);
  BOOST_TEST(parse_go_duration("0").value() == 0);
  BOOST_TEST(parse_go_duration("3").error() == "time: missing unit in duration \"3\"");
  for (const char* bad : {"", "-", "s", ".s", "9223372037s", "99999999999999999999h"}) {
    BOOST_TEST(parse_go_duration(bad).error() == "time: invalid duration \"" + std::string(bad) + "\"");
  }
  BOOST_TEST(parse_go_duration("1\u00b5\n\"").error() ==
             R"(time: unknown unit "\xc2\xb5\x0a\"" in duration "1\xc2\xb5\x0a\"")");
  BOOST_TEST(go_duration(300'000) == "5m0s");
  BOOST_TEST(go_duration(14'400'000) == "4h0m0s");
  BOOST_TEST(go_duration(1'500) == "1.5s");
  BOOST_TEST(go_duration(0) == "0s");
}

BOOST_AUTO_TEST_SUITE_END()
