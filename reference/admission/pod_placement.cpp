#include "reference/admission/pod_placement.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "reference/cluster/names.h"
#include "reference/encoding/ascii.h"
#include "reference/release/refusal_text.h"
#include "reference/result.h"

namespace nodebound {
namespace {

using Labels = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view selector_annotation = "scheduler.alpha.kubernetes.io/node-selector";
constexpr std::string_view default_tolerations_annotation = "scheduler.alpha.kubernetes.io/defaultTolerations";
constexpr std::string_view whitelist_annotation = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
constexpr const char* cluster_default = "clusterDefaultNodeSelector";

bool is_pod(const AdmissionRequest& request) {
  return request.is("", "pods") && request.subresource.empty() && request.object.is_object();
}

std::vector<std::string> parts_of(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(at, from);
    parts.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

std::string in_one_line(const std::vector<std::string>& parts, const char* by) {
  std::string out;
  for (const std::string& part : parts) out += (&part == parts.data() ? "" : by) + part;
  return out;
}

/// A selector of the form `key=value,other=value`, or the error about another one.
tl::expected<Labels, std::string> labels_of(std::string_view selector) {
  Labels out;
  if (selector.empty()) return out;
  for (const std::string& term : parts_of(selector, ',')) {
    const std::vector<std::string> parts = parts_of(term, '=');
    if (parts.size() != 2) return tl::unexpected("invalid selector: [" + in_one_line(parts, " ") + "]");
    const std::string key(trimmed(parts[0]));
    const std::string value(trimmed(parts[1]));
    if (const auto wrong = wrong_label_key(key); !wrong.empty()) {
      return tl::unexpected("<nil>: Invalid value: " + go_quoted(key) + ": " + in_one_line(wrong, "; "));
    }
    if (const auto wrong = wrong_label_value(value); !wrong.empty()) {
      return tl::unexpected("[" + key + "]: Invalid value: " + go_quoted(value) + ": " + in_one_line(wrong, "; "));
    }
    out[key] = value;
  }
  return out;
}

Labels labels_of(const Object& selector) {
  Labels out;
  if (!selector.is_object()) return out;
  for (const auto& [key, value] : selector.items()) out[key] = value.is_string() ? value.get<std::string>() : "";
  return out;
}

bool contradict(const Labels& a, const Labels& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& label) {
    const auto other = b.find(label.first);
    return other != b.end() && other->second != label.second;
  });
}

bool holds_only(const Labels& labels, const Labels& listed) {
  return std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
    const auto found = listed.find(label.first);
    return found != listed.end() && found->second == label.second;
  });
}

/// A Namespace's own value, unless it has none: an empty one is a value, too.
const Object& annotation_of(const Cluster& cluster, const std::string& namespace_, std::string_view key,
                            ObjectPtr& keeps) {
  static const Object none;
  keeps = cluster.find("", "namespaces", "", namespace_);
  return keeps == nullptr ? none : member(*keeps, "metadata", "annotations", key);
}

tl::expected<Labels, std::string> selector_of(const Cluster& cluster, const PlacementSettings& placement,
                                              const std::string& namespace_) {
  ObjectPtr keeps;
  const Object& own = annotation_of(cluster, namespace_, selector_annotation, keeps);
  if (own.is_string()) return labels_of(std::string_view(own.get_ref<const std::string&>()));
  const auto of_cluster = placement.node_selectors.find(cluster_default);
  return of_cluster == placement.node_selectors.end() ? Labels() : labels_of(std::string_view(of_cluster->second));
}

// Tolerations --------------------------------------------------------------------------------------------------------

bool is_toleration(const Object& object) {
  static constexpr std::array<const char*, 4> texts = {"key", "operator", "value", "effect"};
  if (object.is_null()) return true;
  const Object& seconds = member(object, "tolerationSeconds");
  return object.is_object() && (seconds.is_null() || seconds.is_number_integer()) &&
         std::all_of(texts.begin(), texts.end(), [&](const char* field) {
           return member(object, field).is_null() || member(object, field).is_string();
         });
}

/// What a Namespace's annotation says.
struct Listed {
  std::optional<Object> tolerations;  ///< nothing if there is no annotation
  bool readable = true;
};

Listed tolerations_of(const Cluster& cluster, const std::string& namespace_, std::string_view key) {
  ObjectPtr keeps;
  const Object& own = annotation_of(cluster, namespace_, key, keeps);
  if (!own.is_string()) return {};
  const std::string& written = own.get_ref<const std::string&>();
  if (written.empty()) return {Object::array(), true};
  Object read = Object::parse(written, nullptr, false);
  // JSON's null is no list, and counts as none.
  if (read.is_null()) return {Object::array(), true};
  const bool readable = read.is_array() && std::all_of(read.begin(), read.end(), is_toleration);
  return {readable ? std::move(read) : Object::array(), readable};
}

bool same_toleration(const Object& a, const Object& b) {
  static constexpr std::array<const char*, 4> texts = {"key", "operator", "value", "effect"};
  return std::all_of(texts.begin(), texts.end(), [&](const char* field) { return text(a, field) == text(b, field); }) &&
         member(a, "tolerationSeconds") == member(b, "tolerationSeconds");
}

bool tolerates_as_long(const Object& wide, const Object& narrow) {
  const Object& limit = member(wide, "tolerationSeconds");
  const Object& wanted = member(narrow, "tolerationSeconds");
  if (text(wide, "effect") != "NoExecute" || limit.is_null()) return true;
  return wanted.is_number() && limit.is_number() && wanted <= limit;
}

// Whether `wide` tolerates all that `narrow` does.
bool tolerates_all_of(const Object& wide, const Object& narrow) {
  if (same_toleration(wide, narrow)) return true;
  const std::string_view how = text(wide, "operator");
  const bool any_key = text(wide, "key").empty() && how == "Exists";
  if (text(wide, "key") != text(narrow, "key") && !any_key) return false;
  const std::string_view effect = text(wide, "effect");
  if (!effect.empty() && effect != text(narrow, "effect")) return false;
  if (!tolerates_as_long(wide, narrow)) return false;
  if (how == "Exists") return true;
  const bool compares = how.empty() || how == "Equal";
  return compares && text(narrow, "operator") == "Equal" && text(narrow, "value") == text(wide, "value");
}

// Of all tolerations those that no other one covers.
Object merged(Object all) {
  Object out = Object::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Object& one = all[i];
    const bool kept_covers =
        std::any_of(out.begin(), out.end(), [&](const Object& kept) { return tolerates_all_of(kept, one); });
    const auto rest = all.begin() + static_cast<Object::difference_type>(i) + 1;
    const bool later_covers = std::any_of(rest, all.end(), [&](const Object& later) {
      return !same_toleration(one, later) && tolerates_all_of(later, one);
    });
    if (!kept_covers && !later_covers) out.push_back(one);
  }
  return out;
}

bool is_positive(const Object& quantity) {
  if (quantity.is_number()) return quantity > 0;
  if (!quantity.is_string()) return false;
  const std::string& written = quantity.get_ref<const std::string&>();
  return !written.starts_with('-') &&
         written.substr(0, written.find_first_of("eE")).find_first_of("123456789") != std::string::npos;
}

// Whether a pod asks for neither CPU nor memory. A client may say so itself, and is believed.
bool is_best_effort(const Object& pod) {
  if (const std::string_view said = text(pod, "status", "qosClass"); !said.empty()) return said == "BestEffort";
  for (const char* list : {"containers", "initContainers"}) {
    for (const Object& container : member(pod, "spec", list)) {
      for (const char* kind : {"requests", "limits"}) {
        const Object& amounts = member(container, "resources", kind);
        if (is_positive(member(amounts, "cpu")) || is_positive(member(amounts, "memory"))) return false;
      }
    }
  }
  return true;
}

Object memory_pressure() {
  return {{"key", "node.kubernetes.io/memory-pressure"}, {"operator", "Exists"}, {"effect", "NoSchedule"}};
}

// The API server answers with the error of Go's JSON reader, which differs by what is wrong.
Admission refused_as_unreadable(const RuleSet& rules) {
  return refuse(rules, Rule::pod_tolerations_readable, {{"error", "the tolerations cannot be read"}});
}

}  // namespace

const PlacementSettings& PlacementSettings::none() {
  static const PlacementSettings placement;
  return placement;
}

Admission PodNodeSelector::complete(const AdmissionRequest& request, Object& object) const {
  if (!is_pod(request) || request.operation != Operation::create) return std::nullopt;
  const auto of_namespace = selector_of(cluster_, placement_, request.namespace_);
  if (!of_namespace) return std::nullopt;
  for (const auto& [key, value] : *of_namespace) {
    if (member(object, "spec", "nodeSelector", key).is_null()) object["spec"]["nodeSelector"][key] = value;
  }
  return std::nullopt;
}

Admission PodNodeSelector::admit(const AdmissionRequest& request) const {
  if (!is_pod(request) || request.operation != Operation::create) return std::nullopt;
  const auto of_namespace = selector_of(cluster_, placement_, request.namespace_);
  if (!of_namespace) return refuse(rules_, Rule::pod_selector_readable, {{"error", of_namespace.error()}});
  const Labels own = labels_of(member(request.object, "spec", "nodeSelector"));
  if (contradict(*of_namespace, own)) {
    if (Admission refusal = refuse(rules_, Rule::pod_selector_of_namespace, {})) return refusal;
  }
  const auto whitelist = placement_.node_selectors.find(request.namespace_);
  if (whitelist == placement_.node_selectors.end()) return std::nullopt;
  const auto listed = labels_of(std::string_view(whitelist->second));
  if (!listed) return refuse(rules_, Rule::pod_selector_readable, {{"error", listed.error()}});
  if (listed->empty() || holds_only(own, *listed)) return std::nullopt;
  return refuse(rules_, Rule::pod_selector_listed, {});
}

Admission PodTolerationRestriction::complete(const AdmissionRequest& request, Object& object) const {
  if (!is_pod(request) || request.operation == Operation::remove) return std::nullopt;
  Object more = Object::array();
  if (request.operation == Operation::create) {
    const Listed own = tolerations_of(cluster_, request.namespace_, default_tolerations_annotation);
    if (!own.readable) {
      if (Admission refusal = refused_as_unreadable(rules_)) return refusal;
    }
    const Object& defaults = own.tolerations ? *own.tolerations : placement_.default_tolerations;
    if (defaults.is_array()) more = defaults;
  }
  if (!is_best_effort(object)) more.push_back(memory_pressure());
  if (more.empty()) return std::nullopt;
  Object all = member(object, "spec", "tolerations");
  if (!all.is_array()) all = Object::array();
  for (Object& one : more) all.push_back(std::move(one));
  object["spec"]["tolerations"] = merged(std::move(all));
  return std::nullopt;
}

Admission PodTolerationRestriction::admit(const AdmissionRequest& request) const {
  if (!is_pod(request) || request.operation == Operation::remove) return std::nullopt;
  const Object& tolerations = member(request.object, "spec", "tolerations");
  if (tolerations.empty()) return std::nullopt;
  const Listed own = tolerations_of(cluster_, request.namespace_, whitelist_annotation);
  if (!own.readable) return refused_as_unreadable(rules_);
  const Object& whitelist = own.tolerations ? *own.tolerations : placement_.tolerations_whitelist;
  if (!whitelist.is_array() || whitelist.empty()) return std::nullopt;
  const bool all_listed = std::all_of(tolerations.begin(), tolerations.end(), [&](const Object& one) {
    return std::any_of(whitelist.begin(), whitelist.end(),
                       [&](const Object& listed) { return tolerates_all_of(listed, one); });
  });
  if (all_listed) return std::nullopt;
  return refuse(rules_, Rule::pod_tolerations_listed, {{"scope", own.tolerations ? "namespace" : "cluster"}});
}

}  // namespace nodebound
