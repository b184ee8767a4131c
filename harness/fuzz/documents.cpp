// Files in YAML and JSON: clusters as kubectl prints them, kubelet configurations, faults, reports. The first byte
// chooses the kind.
#include <cstdint>
#include <cstdlib>

#include "fakes/faults/faults.h"
#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "fakes/wire/go/json.h"
#include "harness/fuzz/structure.h"
#include "harness/objects/cluster_file.h"
#include "reference/cluster/cluster.h"
#include "reference/cluster/node_graph.h"
#include "reference/test/support.h"
#include "reports/run/json.h"

using namespace nodebound;
using namespace nodebound::faults;
using namespace nodebound::kubelet_api;

namespace {

const RuleSet& rules() {
  static const RuleSet all = test::rules_of("1.36.3", {});
  return all;
}

void read_cluster(std::string_view text) {
  const auto whole = read_cluster_objects(text, "x.yaml");
  // Reading the text in small pieces must give the same result.
  std::string_view rest = text;
  const TextSource slowly = [&](char* to, std::size_t size) {
    const std::size_t n = std::min({size, std::size_t{7}, rest.size()});
    std::copy_n(rest.begin(), n, to);
    rest.remove_prefix(n);
    return n;
  };
  const auto pieces = read_cluster_objects(slowly, "x.yaml", [](ClusterObject&) { return true; });
  if (whole.has_value() != pieces.has_value()) std::abort();
  if (!whole) return;
  if (whole->size() != pieces->size()) std::abort();
  Cluster cluster(rules());
  static_cast<void>(load(*whole, cluster));
}

void read_faults(const std::string& text) {
  const auto object = read_json(text);
  if (!object) return;
  auto faults = Faults::from_json(*object);
  if (!faults) return;
  Faults in_force(std::move(*faults));
  // Faults must accept their own output.
  if (!Faults::from_json(in_force.to_json())) std::abort();
}

void read_report(const std::string& text) {
  const auto report = report_from_json(text, "report.json");
  if (!report) return;
  const auto again = report_from_json(to_json(*report), "report.json");
  if (!again || to_json(*again) != to_json(*report)) std::abort();
}

void configure(const std::string& text) {
  const auto file = read_kubelet_configuration(text, "config.yaml", rules().release().version);
  if (!file) return;
  const auto configuration = KubeletConfiguration::of_file(*file, rules());
  static_cast<void>(configuration.valid());
  static_cast<void>(configuration.text(rules().release().version, true));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const bool is_json = size > 0 && data[0] % 4 > 1;
  return fuzz::mutated(data, size, most, seed, 1, is_json ? fuzz::changed_json : fuzz::changed_yaml);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      read_cluster(text);
      break;
    case 1:
      configure(text);
      break;
    case 2:
      read_faults(text);
      break;
    default:
      read_report(text);
  }
  return 0;
}
