#include <set>

#include "harness/mutants/faults/misreadings.h"
#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"
#include "reference/identity/node_identity.h"

namespace nodebound::mutants {
namespace {

void add(std::set<std::string>& out, std::string_view name) {
  out.insert(std::string(name));
}

void add_names_of(std::set<std::string>& out, const Object& object) {
  add(out, text(object, "metadata", "name"));
  add(out, text(object, "spec", "nodeName"));
  for (const Object& owner : member(object, "metadata", "ownerReferences")) add(out, text(owner, "name"));
  const std::optional<std::string> pem = base64_decode(text(object, "spec", "request"));
  const std::optional<std::string> common_name = pem ? common_name_of(*pem) : std::nullopt;
  if (common_name && common_name->starts_with(node_user_prefix)) {
    add(out, std::string_view(*common_name).substr(node_user_prefix.size()));
  }
}

// All names with which a node's name can be confused: those of nodes, and those in the question.
std::set<std::string> names_of_nodes(const Inquiry& asked, const Surroundings& around) {
  std::set<std::string> names;
  around.cluster.each("", "nodes", "", [&](const ObjectKey& key, const Object&) { add(names, key.name); });
  around.cluster.each("", "pods", "",
                      [&](const ObjectKey&, const Object& pod) { add(names, text(pod, "spec", "nodeName")); });
  add(names, asked.attributes.name);
  for (const FieldRequirement& term : asked.attributes.field_selector) add(names, term.value);
  add_names_of(names, asked.object);
  add_names_of(names, asked.old_object);
  return names;
}

MisreadingEntry node_entry(const char* name, const char* how, const char* meaning) {
  return {{name, "", meaning}, [how](const std::string&) {
            return [how](const Inquiry& asked, const Surroundings& around) {
              std::vector<Inquiry> out;
              const std::string self = asked.node();
              if (self.empty()) return out;
              for (const std::string& other : names_of_nodes(asked, around)) {
                const bool any = std::string_view(how) == "any" && other != self;
                if (!any && !same_by(how, other, self)) continue;
                Inquiry as_other = asked;
                as_other.subject.name = std::string(node_user_prefix) + other;
                out.push_back(std::move(as_other));
              }
              return out;
            };
          }};
}

}  // namespace

std::vector<MisreadingEntry> misread_nodes() {
  return {
      node_entry("node-prefix", "prefix", "a node's name that begins with its own is its own"),
      node_entry("node-prefix-of", "prefix-of", "a node's name that its own begins with is its own"),
      node_entry("node-suffix", "suffix", "a node's name that ends with its own is its own"),
      node_entry("node-case", "case", "a node's name in other case is its own"),
      node_entry("node-dot", "dot", "a node's name that is the same up to the first dot is its own"),
      {{"node-empty", "", "where no node is named, its own is meant"},
       [](const std::string&) {
         return [](const Inquiry& asked, const Surroundings&) {
           Inquiry as_nobody = asked;
           as_nobody.subject.name = std::string(node_user_prefix);
           return std::vector<Inquiry>{std::move(as_nobody)};
         };
       }},
      node_entry("node-any", "any", "any node is the one that asks"),
  };
}

}  // namespace nodebound::mutants
