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

// What is asked of every change (validateCommonFields in apiserver's registry/rest/update.go). Most kinds ask part of
// it again, so the same mistake is found several times.
FieldMistakes wrong_in_every_change(const ValidatedKind& kind, const Object& object, const Object& before) {
  FieldMistakes out = common_metadata(kind, object);
  append(out, wrong_metadata_change(member(object, "metadata"), member(before, "metadata")));
  return out;
}

// The metadata as part of the whole object, which most kinds check again when it changes.
FieldMistakes whole_metadata(const ValidatedKind& kind, const Object& object) {
  FieldMistakes out = wrong_metadata(member(object, "metadata"), kind.namespaced, kind.names);
  append(out, finalizers_of(kind, object));
  return out;
}

// What a kind asks of the metadata of a change, beyond what every kind does.
FieldMistakes metadata_of_change(const ValidatedKind& kind, const Object& object, const Object& before, bool whole) {
  FieldMistakes out;
  if (kind.checks.metadata_checks < 3) return out;
  if (!whole || kind.checks.metadata_change) {
    out = wrong_metadata_change(member(object, "metadata"), member(before, "metadata"));
    append(out, finalizers_of(kind, object));
  }
  if (whole && kind.checks.metadata_checks > 3) append(out, whole_metadata(kind, object));
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

FieldMistakes wrong_object(const ValidatedKind& kind, const Object& object, const FieldMistakes& of_rules) {
  FieldMistakes out;
  const KindChecks& checks = kind.checks;
  if (checks.metadata) out = whole_metadata(kind, object);
  append(out, of_rules);
  append(out, content_of(kind, object));
  if (checks.created != nullptr) append(out, checks.created(object));
  if (checks.created_in_release != nullptr && kind.release != nullptr) {
    append(out, checks.created_in_release(object, *kind.release));
  }
  if (out.empty() && !checks.metadata) out = common_metadata(kind, object);
  return out;
}

FieldMistakes wrong_change(const ValidatedKind& kind, const Object& object, const Object& before,
                           const FieldMistakes& of_rules) {
  const KindChecks& checks = kind.checks;
  FieldMistakes out = wrong_in_every_change(kind, object, before);
  append(out, metadata_of_change(kind, object, before, true));
  if (checks.whole_on_change) append(out, content_of(kind, object));
  append(out, of_rules);
  if (checks.change != nullptr) append(out, checks.change(object, before));
  if (checks.change_in_release != nullptr && kind.release != nullptr) {
    append(out, checks.change_in_release(object, before, *kind.release));
  }
  return out;
}

FieldMistakes wrong_subresource_change(const ValidatedKind& kind, const SubresourceChecks& checks, const Object& object,
                                       const Object& before, const FieldMistakes& of_rules) {
  FieldMistakes out = wrong_in_every_change(kind, object, before);
  append(out, metadata_of_change(kind, object, before, false));
  append(out, of_rules);
  if (checks.change != nullptr) append(out, checks.change(object, before));
  if (checks.change_in_release != nullptr && kind.release != nullptr) {
    append(out, checks.change_in_release(object, before, *kind.release));
  }
  return out;
}

}  // namespace nodebound::validation
