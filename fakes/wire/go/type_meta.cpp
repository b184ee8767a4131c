#include "fakes/wire/go/type_meta.h"

#include <algorithm>

#include "fakes/wire/go/go_types.h"
#include "reference/encoding/ascii.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"
#include "reference/release/release.h"

namespace nodebound {
namespace {

constexpr std::string_view type_meta =
    R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";
constexpr std::string_view unread = "couldn't get version/kind; json parse error: json: cannot unmarshal ";

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return in_lower_case(x) == in_lower_case(y); });
}

// The names `kind` and `apiVersion` match in upper or lower case, unlike all other fields.
tl::expected<std::string, std::string> type_field(const Object& object, const char* name) {
  const auto exact = object.find(name);
  const Object* found = exact == object.end() ? nullptr : &*exact;
  for (auto field = object.begin(); found == nullptr && field != object.end(); ++field) {
    if (same_letters(field.key(), name)) found = &*field;
  }
  if (found == nullptr || found->is_null()) return std::string();
  if (found->is_string()) return found->get<std::string>();
  return tl::unexpected(std::string(unread) + go_json_type(*found) + " into Go struct field ." + name +
                        " of type string");
}

}  // namespace

tl::expected<GroupVersionKind, std::string> type_meta_of(const Object& object) {
  if (!object.is_object()) {
    return tl::unexpected(std::string(unread) + go_json_type(object) + " into Go value of type " +
                          std::string(type_meta));
  }
  const auto version = type_field(object, "apiVersion");
  if (!version) return tl::unexpected(version.error());
  const auto kind = type_field(object, "kind");
  if (!kind) return tl::unexpected(kind.error());
  std::optional<GroupVersionKind> out = parse_group_version(*version);
  if (!out) return tl::unexpected("unexpected GroupVersion string: " + *version);
  out->kind = *kind;
  return std::move(*out);
}

// The name of the scheme is the source line that makes it, as a build from Go modules prints it.
std::string not_registered(const GroupVersionKind& kind, const Release* release) {
  const auto does = [&](Behaviour behaviour) { return release == nullptr || release->does(behaviour); };
  const char* const line = does(Behaviour::scheme_line_111) ? "111" : does(Behaviour::scheme_line_110) ? "110" : "100";
  return "no kind " + go_quoted(kind.kind) + " is registered for version " + go_quoted(kind.group_version()) +
         " in scheme \"pkg/runtime/scheme.go:" + line + "\"";
}

}  // namespace nodebound
