#include "fakes/kubelet/kubelet_traits.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <utility>

#include "reference/release/toml_reader.h"

namespace nodebound {

namespace data {
std::string_view kubelet_traits_text();
}  // namespace data

namespace {

using Setter = std::function<void(KubeletTraits&)>;
using Read = std::function<Setter(const toml::node&)>;

constexpr std::string_view file_name = "fakes/kubelet/traits.toml";
constexpr Version first_release{1, 6, 0};

Read flag(bool KubeletTraits::*field) {
  return [field](const toml::node& node) -> Setter {
    return [field, value = TomlReader::flag_of(node)](KubeletTraits& traits) { traits.*field = value; };
  };
}

Read words(std::string KubeletTraits::*field) {
  return [field](const toml::node& node) -> Setter {
    return [field, value = TomlReader::string_of(node)](KubeletTraits& traits) { traits.*field = value; };
  };
}

Read list(std::vector<std::string> KubeletTraits::*field) {
  return [field](const toml::node& node) -> Setter {
    const toml::array* array = node.as_array();
    if (array == nullptr) throw TomlMistake(node, "expected a list of strings");
    std::vector<std::string> value;
    for (const toml::node& item : *array) value.push_back(TomlReader::string_of(item));
    return [field, value](KubeletTraits& traits) { traits.*field = value; };
  };
}

Read duration(std::chrono::seconds KubeletTraits::*field) {
  return [field](const toml::node& node) -> Setter {
    const std::int64_t count = TomlReader::number_of(node, 1, INT64_MAX, "a number of seconds above 0");
    return [field, value = std::chrono::seconds(count)](KubeletTraits& traits) { traits.*field = value; };
  };
}

template <typename Choice>
Read one_of(Choice KubeletTraits::*field, std::initializer_list<std::pair<const char*, Choice>> choices) {
  return [field, choices = std::vector(choices)](const toml::node& node) -> Setter {
    const std::string word = TomlReader::string_of(node);
    std::string known;
    for (const auto& [name, choice] : choices) {
      if (word == name) return [field, choice = choice](KubeletTraits& traits) { traits.*field = choice; };
      known += std::string(known.empty() ? "" : ", ") + '"' + name + '"';
    }
    throw TomlMistake(node, "expected one of " + known);
  };
}

using T = KubeletTraits;

std::map<std::string, Read, std::less<>> known_traits() {
  const auto reads = {std::pair{"get", T::Reads::get}, std::pair{"cache", T::Reads::cache},
                      std::pair{"watch", T::Reads::watch}};
  return {
      {"external-id", flag(&T::external_id)},
      {"get-after-forbidden", flag(&T::get_after_forbidden)},
      {"own-labels", list(&T::own_labels)},
      {"labels-reconciled", flag(&T::labels_reconciled)},
      {"labels-dropped", list(&T::labels_dropped)},
      {"os-labels-repaired", flag(&T::os_labels_repaired)},
      {"node-labels-check", one_of(&T::node_labels_check, {std::pair{"none", T::LabelsCheck::none},
                                                           {"warning", T::LabelsCheck::warning},
                                                           {"exit", T::LabelsCheck::exit}})},
      {"node-labels-syntax", flag(&T::node_labels_syntax)},
      {"node-labels-allowed", list(&T::node_labels_allowed)},
      {"node-labels-domains", list(&T::node_labels_domains)},
      {"conditions", list(&T::conditions)},
      {"status-gets-node", flag(&T::status_gets_node)},
      {"status-seconds", duration(&T::status_seconds)},
      {"lease-version", words(&T::lease_version)},
      {"lease-kept", flag(&T::lease_kept)},
      {"lease-needs-owner", flag(&T::lease_needs_owner)},
      {"pods-after", one_of(&T::pods_after, {std::pair{"nothing", T::PodsAfter::nothing},
                                             {"list", T::PodsAfter::list},
                                             {"node", T::PodsAfter::node}})},
      {"pod-status-patch", flag(&T::pod_status_patch)},
      {"pod-status-uid", flag(&T::pod_status_uid)},
      {"mirror-pod-owner", flag(&T::mirror_pod_owner)},
      {"mirror-pod-delete-uid", flag(&T::mirror_pod_delete_uid)},
      {"secret-reads", one_of(&T::secret_reads, reads)},
      {"configmap-reads", one_of(&T::configmap_reads, reads)},
      {"immutable-unwatched", flag(&T::immutable_unwatched)},
      {"token-requests", flag(&T::token_requests)},
      {"csi-driver-tokens", flag(&T::csi_driver_tokens)},
      {"claim-status", flag(&T::claim_status)},
      {"volumeattachments-version", words(&T::volumeattachments_version)},
      {"volumeattachments-watch", flag(&T::volumeattachments_watch)},
      {"csidrivers-version", words(&T::csidrivers_version)},
      {"csinodes-version", words(&T::csinodes_version)},
      {"csinode-remade", flag(&T::csinode_remade)},
      {"csi-annotation", one_of(&T::csi_annotation, {std::pair{"none", T::CsiAnnotation::none},
                                                     {"update", T::CsiAnnotation::update},
                                                     {"patch-status", T::CsiAnnotation::patch_status}})},
      {"csi-topology-labels", flag(&T::csi_topology_labels)},
      {"services-selector", words(&T::services_selector)},
      {"runtimeclasses-version", words(&T::runtimeclasses_version)},
      {"dynamic-config", flag(&T::dynamic_config)},
      {"resource-claims-version", words(&T::resource_claims_version)},
      {"resource-claims", flag(&T::resource_claims)},
      {"resource-slices-removed", flag(&T::resource_slices_removed)},
      {"trust-bundles-version", words(&T::trust_bundles_version)},
      {"pod-certificates-version", words(&T::pod_certificates_version)},
      {"signing-request-versions", list(&T::signing_request_versions)},
      {"signing-request-signer", flag(&T::signing_request_signer)},
      {"signing-request-key-encipherment", flag(&T::signing_request_key_encipherment)},
      {"signing-request-name", flag(&T::signing_request_name)},
      {"signing-request-list", flag(&T::signing_request_list)},
      {"healthz-probe", flag(&T::healthz_probe)},
  };
}

}  // namespace

Result<KubeletTraitsTable> KubeletTraitsTable::parse(std::string_view traits) try {
  const toml::table file = parse_toml(traits, file_name);
  std::map<std::string, Read, std::less<>> left = known_traits();
  KubeletTraitsTable out;
  TomlReader in(file);
  in.tables("trait", [&](const toml::table& table) {
    TomlReader trait(table);
    const std::string name = trait.text("name", true);
    const auto read = left.find(name);
    if (read == left.end()) {
      std::vector<std::string> names;
      names.reserve(left.size());
      for (const auto& [known, reader] : left) names.push_back(known);
      throw TomlMistake(*table.get("name"), "no trait \"" + name + "\" is left to be told" + did_you_mean(name, names));
    }
    if (trait.texts("source").empty()) throw TomlMistake(table, "expected a source");
    ByRelease<Setter>& values = out.traits_.emplace_back();
    trait.tables("values", [&](const toml::table& each) {
      TomlReader value(each);
      const Version since = value.required_version("since");
      if (values.empty() && since != first_release) throw TomlMistake(each, "expected a value since \"1.6\" first");
      if (!values.empty() && since <= values.back().first) throw TomlMistake(each, "expected a later release");
      values.emplace_back(since, read->second(value.required("value")));
      value.done();
    });
    if (values.empty()) throw TomlMistake(table, "expected values");
    trait.done();
    left.erase(read);
  });
  in.done();
  if (!left.empty()) throw TomlMistake(file, "expected a trait \"" + left.begin()->first + "\"");
  return out;
} catch (const toml::parse_error& error) {
  return toml_error(file_name, error);
} catch (const TomlMistake& mistake) {
  return toml_error(file_name, mistake);
}

const KubeletTraitsTable& KubeletTraitsTable::built_in() {
  static const KubeletTraitsTable table = [] {
    Result<KubeletTraitsTable> parsed = parse(data::kubelet_traits_text());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return table;
}

Result<std::shared_ptr<const KubeletTraits>> KubeletTraitsTable::at(const Version& version) const {
  // The graph's edges say what a pod references; kubelets knew these references before the graph existed.
  constexpr Version first_graph{1, 7, 0};
  const Result<Release> release = Release::make(Catalogue::built_in(), std::max(version, first_graph), {});
  if (!release) return tl::unexpected<Error>(release.error());
  auto out = std::make_shared<KubeletTraits>();
  out->version = version;
  for (const ByRelease<Setter>& trait : traits_) {
    if (const Setter* set = value_at(trait, version)) (*set)(*out);
  }
  // The finder refers to these rules, so they live as long.
  struct Finder {
    explicit Finder(const Release& of) : rules(Catalogue::built_in(), of), references(rules) {}
    RuleSet rules;
    ReferenceFinder references;
  };
  const auto finder = std::make_shared<const Finder>(*release);
  out->references = {finder, &finder->references};
  return std::shared_ptr<const KubeletTraits>(std::move(out));
}

}  // namespace nodebound
