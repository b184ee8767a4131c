#include "harness/mutants/faults/misreadings.h"
#include "harness/mutants/faults/words.h"

namespace nodebound::mutants {
namespace {

// `change` gets the value at the pointer in the object before and in the written one; nothing if it is absent.
MisreadingEntry at_path(const char* name, const char* meaning, void (*change)(const Object& before, Object& after)) {
  return {{name, pointer_argument, meaning}, [change](const std::string& pointer) {
            return [change, pointer](const Inquiry& asked, const Surroundings&) {
              const Object::json_pointer path(pointer);
              Inquiry changed = asked;
              static const Object null;
              const Object& before = asked.old_object.contains(path) ? asked.old_object.at(path) : null;
              if (changed.object.is_object() && (changed.object.contains(path) || !before.is_null())) {
                change(before, changed.object[path]);
              }
              return std::vector<Inquiry>{std::move(changed)};
            };
          }};
}

void keep_additions(const Object& before, Object& after) {
  if (before.is_object()) {
    Object both = before;
    if (after.is_object()) both.update(after);
    after = std::move(both);
  } else if (before.is_array()) {
    if (!after.is_array()) after = Object::array();
    for (const Object& item : before) {
      if (std::find(after.begin(), after.end(), item) == after.end()) after.push_back(item);
    }
  }
}

// Drops keys that `before` lacks: additions are overlooked.
void keep_removals(const Object& before, Object& after) {
  if (!after.is_object()) return;
  for (auto entry = after.begin(); entry != after.end();) {
    entry = member(before, entry.key()).is_null() ? after.erase(entry) : std::next(entry);
  }
}

void keep_keys(const Object& before, Object& after) {
  if (!after.is_object()) return;
  for (auto entry = after.begin(); entry != after.end(); ++entry) {
    if (const Object& value = member(before, entry.key()); !value.is_null()) *entry = value;
  }
}

void forget_empty_additions(const Object& before, Object& after) {
  if (!after.is_object()) return;
  for (auto entry = after.begin(); entry != after.end();) {
    const bool forgotten = is_empty_text(*entry) && member(before, entry.key()).is_null();
    entry = forgotten ? after.erase(entry) : std::next(entry);
  }
}

void forget_empty_removals(const Object& before, Object& after) {
  for (const auto& [key, value] : before.items()) {
    if (is_empty_text(value) && member(after, key).is_null()) after[key] = value;
  }
}

MisreadingEntry without_labels(const char* name, const char* how, const char* meaning) {
  return {{name, "a domain", meaning}, [how](const std::string& domain) {
            return [how, domain](const Inquiry& asked, const Surroundings&) {
              Inquiry changed = asked;
              const Object& before = member(asked.old_object, "metadata", "labels");
              for (const std::string& key : changed_labels(before, member(asked.object, "metadata", "labels"))) {
                if (!loosely_matches(how, domain_of_label(key), domain)) continue;
                Object& labels = changed.object["metadata"]["labels"];
                const Object& value = member(before, key);
                if (value.is_null()) {
                  labels.erase(key);
                } else {
                  labels[key] = value;
                }
              }
              return std::vector<Inquiry>{std::move(changed)};
            };
          }};
}

// The API server iterates over labels in the order of their keys.
void first_label_only(Inquiry& asked) {
  const Object before = member(asked.old_object, "metadata", "labels");
  std::vector<std::string> changed = changed_labels(before, member(asked.object, "metadata", "labels"));
  std::sort(changed.begin(), changed.end());
  for (std::size_t i = 1; i < changed.size(); ++i) {
    Object& labels = asked.object["metadata"]["labels"];
    if (const Object& value = member(before, changed[i]); !value.is_null()) {
      labels[changed[i]] = value;
    } else {
      labels.erase(changed[i]);
    }
  }
}

}  // namespace

std::vector<MisreadingEntry> misread_objects() {
  return {
      plain_misreading("old-for-new", "the object before is taken for the one that is written",
                       [](Inquiry& asked) {
                         if (!asked.old_object.is_null()) asked.object = asked.old_object;
                       }),
      plain_misreading("new-for-old", "the object that is written is taken for the one before",
                       [](Inquiry& asked) {
                         if (!asked.object.is_null()) asked.old_object = asked.object;
                       }),
      at_path("first-of", "of the list there only the first entry counts",
              [](const Object&, Object& after) {
                if (after.is_array() && after.size() > 1) after = Object::array({after.front()});
              }),
      at_path("last-of", "of the list there only the last entry counts",
              [](const Object&, Object& after) {
                if (after.is_array() && after.size() > 1) after = Object::array({after.back()});
              }),
      at_path("without", "what is there does not count", [](const Object&, Object& after) { after = Object(); }),
      at_path("kept", "a change there does not count", [](const Object& before, Object& after) { after = before; }),
      at_path("additions-of", "of the list or map there only additions and changes count", keep_additions),
      at_path("removals-of", "of the map there additions do not count", keep_removals),
      at_path("keys-of", "of the map there the values of keys that were there do not count", keep_keys),
      at_path("empty-additions-to", "of the map there an empty value that is added does not count",
              forget_empty_additions),
      at_path("empty-removals-from", "of the map there an empty value that is removed does not count",
              forget_empty_removals),
      plain_misreading("first-label", "of the labels that change only the first counts", first_label_only),
      without_labels("label-ending", "ends", "a label counts for the domain that its own ends with, without the dot"),
      without_labels("label-beginning", "begins", "a label counts for the domain that its own begins with"),
      without_labels("label-containing", "contains", "a label counts for the domain that its own contains"),
      without_labels("label-in-case", "case", "a label counts for the domain that is its own in other case"),
      without_labels("label-in", "in", "labels of that domain and those below do not count"),
  };
}

}  // namespace nodebound::mutants
