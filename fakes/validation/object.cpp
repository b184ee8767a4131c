#include "fakes/validation/object.h"

#include <algorithm>
#include <utility>

namespace nodebound::validation {
namespace {

bool is_nothing(const Object& value) {
  if (value.is_null()) return true;
  if (!value.is_structured()) return is_empty_text(value);
  return std::all_of(value.begin(), value.end(), is_nothing) && (value.is_object() || value.empty());
}

FieldMistakes finalizers_of(const ValidatedKind& kind, const Object& object) {
  if (kind.checks.any_finalizers) return {};
  return nobodys_finalizers(member(object, "metadata"));
}

// Apart from its metadata, and from what only a new object must be.
FieldMistakes content_of(const ValidatedKind& kind, const Object& object) {
  FieldMistakes out;
  if (kind.checks.object != nullptr) append(out, kind.checks.object(object));
  if (kind.checks.in_release != nullptr && kind.release != nullptr) {
    append(out, kind.checks.in_release(object, *kind.release));
  }
  return out;
}

// What is asked of the metadata of every kind (apiserver's registry/rest/create.go and update.go).
FieldMistakes common_metadata(const ValidatedKind& kind, const Object& object) {
  return wrong_metadata(member(object, "metadata"), kind.namespaced, NameRule::path_segment);
}

FieldMistakes whole(const ValidatedKind& kind, const Object& object) {
  if (kind.checks.object == nullptr && kind.checks.in_release == nullptr) return {};
  FieldMistakes out = wrong_metadata(member(object, "metadata"), kind.namespaced, kind.names);
  append(out, content_of(kind, object));
  return out;
}

FieldMistakes metadata_of_change(const ValidatedKind& kind, const Object& object, const Object& before) {
  FieldMistakes out = wrong_metadata_change(member(object, "metadata"), member(before, "metadata"));
  append(out, finalizers_of(kind, object));
  return out;
}

// kube-apiserver finds some errors twice and reports them once (field.ErrorList.ToAggregate).
FieldMistakes each_once(FieldMistakes mistakes) {
  FieldMistakes out;
  for (FieldMistake& mistake : mistakes) {
    if (std::find(out.begin(), out.end(), mistake) == out.end()) out.push_back(std::move(mistake));
  }
  return out;
}

}  // namespace

bool means_the_same(const Object& a, const Object& b) {
  if (is_nothing(a) || is_nothing(b)) return is_nothing(a) && is_nothing(b);
  if (a.is_object() && b.is_object()) {
    for (const auto& [name, value] : a.items()) {
      if (!means_the_same(value, member(b, name))) return false;
    }
    return std::all_of(b.items().begin(), b.items().end(),
                       [&](const auto& item) { return a.contains(item.key()) || is_nothing(item.value()); });
  }
  if (a.is_array() && b.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), means_the_same);
  }
  return a == b;
}

FieldMistakes wrong_object(const ValidatedKind& kind, const Object& object) {
  FieldMistakes out;
  const KindChecks& checks = kind.checks;
  if (checks.metadata) {
    out = wrong_metadata(member(object, "metadata"), kind.namespaced, kind.names);
    append(out, finalizers_of(kind, object));
  }
  append(out, content_of(kind, object));
  if (checks.created != nullptr) append(out, checks.created(object));
  if (checks.created_in_release != nullptr && kind.release != nullptr) {
    append(out, checks.created_in_release(object, *kind.release));
  }
  if (out.empty() && !checks.metadata) out = common_metadata(kind, object);
  return each_once(std::move(out));
}

FieldMistakes wrong_change(const ValidatedKind& kind, const Object& object, const Object& before) {
  const KindChecks& checks = kind.checks;
  if (!checks.metadata) {
    FieldMistakes out = common_metadata(kind, object);
    append(out, wrong_metadata_change(member(object, "metadata"), member(before, "metadata")));
    append(out, content_of(kind, object));
    return each_once(std::move(out));
  }
  FieldMistakes out = metadata_of_change(kind, object, before);
  if (checks.whole_on_change) append(out, whole(kind, object));
  if (checks.change != nullptr) append(out, checks.change(object, before));
  if (checks.change_in_release != nullptr && kind.release != nullptr) {
    append(out, checks.change_in_release(object, before, *kind.release));
  }
  return each_once(std::move(out));
}

FieldMistakes wrong_subresource_change(const ValidatedKind& kind,
                                       FieldMistakes (*own)(const Object& object, const Object& before),
                                       const Object& object, const Object& before) {
  FieldMistakes out = metadata_of_change(kind, object, before);
  if (own != nullptr) append(out, own(object, before));
  return each_once(std::move(out));
}

}  // namespace nodebound::validation
