#include "harness/mutants/faults/misreadings.h"

namespace nodebound::mutants {
namespace {

MisreadingEntry attribute(const char* name, const char* argument, const char* meaning, std::string Attributes::*which) {
  return {{name, argument, meaning}, [which](const std::string& value) {
            return taken_for([which, value](Inquiry& asked) { asked.attributes.*which = value; });
          }};
}

// Takes any object of the resource for the requested one, if their names compare so.
MisreadingEntry name_entry(const char* name, const char* how, const char* meaning) {
  return {{name, "", meaning}, [how](const std::string&) {
            return [how](const Inquiry& asked, const Surroundings& around) {
              std::vector<Inquiry> out;
              const Attributes& attributes = asked.attributes;
              around.cluster.each(attributes.api_group, attributes.resource, attributes.namespace_,
                                  [&](const ObjectKey& key, const Object&) {
                                    if (!same_by(how, attributes.name, key.name)) return;
                                    out.push_back(asked);
                                    out.back().attributes.name = key.name;
                                  });
              return out;
            };
          }};
}

MisreadingEntry namespace_entry(const char* name, const char* how, const char* meaning) {
  return {{name, "", meaning}, [how](const std::string&) {
            return [how](const Inquiry& asked, const Surroundings& around) {
              std::vector<Inquiry> out;
              const std::string& own = asked.attributes.namespace_;
              around.cluster.each("", "namespaces", "", [&](const ObjectKey& key, const Object&) {
                const bool any = std::string_view(how) == "any" && key.name != own;
                if (!any && !same_by(how, own, key.name)) return;
                out.push_back(asked);
                out.back().attributes.namespace_ = key.name;
              });
              return out;
            };
          }};
}

void each_term(Inquiry& asked, const std::function<void(FieldRequirement&)>& change) {
  for (FieldRequirement& term : asked.attributes.field_selector) change(term);
}

std::vector<MisreadingEntry> selectors() {
  return {
      plain_misreading("selector-operator", "the operator of a field selector's term does not count",
                       [](Inquiry& asked) { each_term(asked, [](FieldRequirement& term) { term.op = "="; }); }),
      plain_misreading(
          "selector-field", "the field of a field selector's term does not count",
          [](Inquiry& asked) { each_term(asked, [](FieldRequirement& term) { term.field = "spec.nodeName"; }); }),
      plain_misreading("selector-value", "the value of a field selector's term does not count",
                       [](Inquiry& asked) {
                         const std::string self = asked.node();
                         each_term(asked, [&](FieldRequirement& term) { term.value = self; });
                       }),
      plain_misreading("selector-name", "a field selector on the object's name counts as one on its node",
                       [](Inquiry& asked) {
                         each_term(asked, [](FieldRequirement& term) {
                           if (term.field == "metadata.name") term.field = "spec.nodeName";
                         });
                       }),
  };
}

}  // namespace

std::vector<MisreadingEntry> misread_attributes() {
  std::vector<MisreadingEntry> out = {
      plain_misreading("no-subresource", "the subresource does not count",
                       [](Inquiry& asked) { asked.attributes.subresource.clear(); }),
      attribute("subresource", "a subresource", "any subresource counts as that", &Attributes::subresource),
      attribute("verb", "a verb", "any verb counts as that", &Attributes::verb),
      attribute("group", "an API group", "any API group counts as that", &Attributes::api_group),
      plain_misreading("core-group", "any API group counts as the core group",
                       [](Inquiry& asked) { asked.attributes.api_group.clear(); }),
      attribute("resource", "a resource", "any resource counts as that", &Attributes::resource),
      attribute("namespace", "a namespace", "any namespace counts as that", &Attributes::namespace_),
      namespace_entry("namespace-any", "any", "any other namespace counts as its own"),
      namespace_entry("namespace-prefix", "prefix", "a namespace counts that the asked one begins with"),
      namespace_entry("namespace-prefix-of", "prefix-of", "a namespace counts that begins with the asked one"),
      name_entry("name-prefix", "prefix", "an object counts whose name the asked one begins with"),
      name_entry("name-prefix-of", "prefix-of", "an object counts whose name begins with the asked one"),
      name_entry("name-case", "case", "an object counts whose name is the asked one in other case"),
      name_entry("name-dot", "dot", "an object counts whose name is the asked one up to the first dot"),
      plain_misreading("own-name", "whatever the object is called, it is called as the node is",
                       [](Inquiry& asked) { asked.attributes.name = asked.node(); }),
  };
  for (MisreadingEntry& entry : selectors()) out.push_back(std::move(entry));
  return out;
}

}  // namespace nodebound::mutants
