#include "fakes/kubelet/kubelet_traits.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <utility>

#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view kubelet_trait_values_text();
}  // namespace nodebound::data

namespace nodebound::fake_kubelet {

namespace {

using Setter = std::function<void(KubeletTraits&)>;
using Read = std::function<Setter(const toml::node&)>;

constexpr std::string_view file_name = "fakes/kubelet/traits.toml";

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
      {"own-labels", list(&T::own_labels)},
      {"labels-dropped", list(&T::labels_dropped)},
      {"node-labels-check", one_of(&T::node_labels_check, {std::pair{"none", T::LabelsCheck::none},
                                                           {"warning", T::LabelsCheck::warning},
                                                           {"exit", T::LabelsCheck::exit}})},
      {"node-labels-allowed", list(&T::node_labels_allowed)},
      {"node-labels-domains", list(&T::node_labels_domains)},
      {"conditions", list(&T::conditions)},
      {"status-seconds", duration(&T::status_seconds)},
      {"lease-version", words(&T::lease_version)},
      {"pods-after", one_of(&T::pods_after, {std::pair{"nothing", T::PodsAfter::nothing},
                                             {"list", T::PodsAfter::list},
                                             {"node", T::PodsAfter::node}})},
      {"secret-reads", one_of(&T::secret_reads, reads)},
      {"configmap-reads", one_of(&T::configmap_reads, reads)},
      {"volumeattachments-version", words(&T::volumeattachments_version)},
      {"csidrivers-version", words(&T::csidrivers_version)},
      {"csinodes-version", words(&T::csinodes_version)},
      {"csi-annotation", one_of(&T::csi_annotation, {std::pair{"none", T::CsiAnnotation::none},
                                                     {"update", T::CsiAnnotation::update},
                                                     {"patch-status", T::CsiAnnotation::patch_status}})},
      {"collections",
       one_of(&T::collections, {std::pair{"list", T::Collections::list}, {"watch-list", T::Collections::watch_list}})},
      {"services-selector", words(&T::services_selector)},
      {"runtimeclasses-version", words(&T::runtimeclasses_version)},
      {"resource-claims-version", words(&T::resource_claims_version)},
      {"trust-bundles-version", words(&T::trust_bundles_version)},
      {"pod-certificates-version", words(&T::pod_certificates_version)},
      {"signing-request-versions", list(&T::signing_request_versions)},
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
    values = read_by_release<Setter>(trait, "values",
                                     [&](TomlReader& value) { return read->second(value.required("value")); });
    if (values.empty() || values.front().first != Catalogue::built_in().releases().since.front()) {
      throw TomlMistake(table, "expected a value since the first release");
    }
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
    Result<KubeletTraitsTable> parsed = parse(data::kubelet_trait_values_text());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return table;
}

Result<std::shared_ptr<const KubeletTraits>> KubeletTraitsTable::at(const Version& version) const {
  const Catalogue& catalogue = Catalogue::built_in();
  Result<Release> own = Release::make(catalogue, version, {});
  if (!own) return tl::unexpected<Error>(own.error());
  auto out = std::make_shared<KubeletTraits>(std::move(*own));
  for (const ByRelease<Setter>& trait : traits_) {
    if (const Setter* set = value_at(trait, version)) (*set)(*out);
  }
  // The graph's edges say what a pod references; kubelets knew these references before 1.7, when the graph came.
  const Version with_graph = std::max(version, *Version::parse("1.7"));
  const Release release = *Release::make(catalogue, with_graph, {});
  // The finder refers to these rules, so they live as long.
  struct Finder {
    explicit Finder(const Release& of) : rules(Catalogue::built_in(), of), references(rules) {}
    RuleSet rules;
    ReferenceFinder references;
  };
  const auto finder = std::make_shared<const Finder>(release);
  out->references = {finder, &finder->references};
  return std::shared_ptr<const KubeletTraits>(std::move(out));
}

}  // namespace nodebound::fake_kubelet
