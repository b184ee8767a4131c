#include "fakes/kubelet/node/node_labels.h"

#include <algorithm>
#include <string_view>

#include "reference/cluster/names.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

bool in_domain(std::string_view domain, std::string_view parent) {
  return domain == parent || (domain.ends_with(parent) && domain[domain.size() - parent.size() - 1] == '.');
}

std::string_view domain_of(std::string_view label) {
  const std::size_t slash = label.find('/');
  return slash == std::string_view::npos ? std::string_view() : label.substr(0, slash);
}

bool is_allowed(const KubeletTraits& traits, const std::string& label) {
  const std::string_view domain = domain_of(label);
  if (!in_domain(domain, "kubernetes.io") && !in_domain(domain, "k8s.io")) return true;
  const auto& keys = traits.node_labels_allowed;
  const auto& domains = traits.node_labels_domains;
  return std::find(keys.begin(), keys.end(), label) != keys.end() ||
         std::any_of(domains.begin(), domains.end(), [&](const std::string& own) { return in_domain(domain, own); });
}

// Words as Go prints a list: `[a b]`.
std::string in_brackets(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return "[" + out + "]";
}

std::string joined(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string wrong_label(const std::string& label, const std::string& value) {
  std::vector<std::string> mistakes = wrong_label_key(label);
  if (mistakes.empty()) mistakes = wrong_label_value(value);
  if (mistakes.empty()) return {};
  return "invalid node labels: '" + label + "=" + value + "' - " + mistakes.front();
}

}  // namespace

NodeLabelsVerdict check_node_labels(const KubeletTraits& traits, const KubeletOptions& options) {
  using Check = KubeletTraits::LabelsCheck;
  std::vector<std::string> unknown;
  for (const auto& [label, value] : options.node_labels) {
    if (traits.node_labels_check != Check::none && !is_allowed(traits, label)) unknown.push_back(label);
  }
  NodeLabelsVerdict out;
  if (!unknown.empty()) {
    const std::string what =
        "unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: " + in_brackets(unknown);
    if (traits.node_labels_check == Check::warning) {
      out.warning = what;
    } else {
      out.exit = what + "\n--node-labels in the 'kubernetes.io' namespace must begin with an allowed prefix (" +
                 joined(traits.node_labels_domains) + ") or be in the specifically allowed set (" +
                 joined(traits.node_labels_allowed) + ")";
      return out;
    }
  }
  if (!traits.has(KubeletTrait::node_labels_syntax)) return out;
  for (const auto& [label, value] : options.node_labels) {
    out.exit = wrong_label(label, value);
    if (!out.exit.empty()) return out;
  }
  return out;
}

}  // namespace nodebound::fake_kubelet
