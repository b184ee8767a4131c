// An object, a line with a single dash, and a patch for it. The first byte chooses the patch type.
#include <cstdint>

#include "fakes/apiserver/write/fields/applied.h"
#include "fakes/apiserver/write/patch.h"
#include "fakes/wire/configuration_types.h"
#include "fakes/wire/go/go_values.h"
#include "fakes/wire/go/json.h"
#include "harness/fuzz/structure.h"

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

constexpr std::string_view divider = "\n-\n";

void print(const Object& object) {
  static_cast<void>(object.dump(-1, ' ', false, Object::error_handler_t::replace));
}

// As in the server, an object of the wrong types is refused before it is applied.
void apply_to(const Object& object, std::string_view patch) {
  const auto configuration = read_configuration(patch);
  if (!configuration) return;
  GroupVersionKind kind =
      parse_group_version(nodebound::text(*configuration, "apiVersion")).value_or(GroupVersionKind());
  kind.kind = nodebound::text(*configuration, "kind");
  if (configuration_type_error(kind, *configuration) || configuration_type_error(kind, object)) return;
  const auto applier = [&](const char* manager, bool force) {
    return Applier{{ValueType::of_kind(kind), manager, kind.group_version(), "", ""}, force, Tracked::all};
  };
  Applied result = applied(object, *configuration, applier("one", false));
  if (!result.conflicts.empty()) static_cast<void>(apply_conflict(result.conflicts));
  keep_as_go(kind, result.object);
  const Object other = applied(result.object, object, applier("two", true)).object;
  print(other);
  record_update(applier("three", false).writer, Tracked::all, other, result.object);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutated(data, size, most, seed, 1,
                       [](std::string_view text, fuzz::Chance& chance) -> std::optional<std::string> {
                         const std::size_t end = text.find(divider);
                         if (end == std::string_view::npos) return std::nullopt;
                         std::string object(text.substr(0, end));
                         std::string patch(text.substr(end + divider.size()));
                         std::string& one = chance.one_in(3) ? object : patch;
                         const auto changed = fuzz::changed_json(one, chance);
                         if (!changed) return std::nullopt;
                         one = *changed;
                         return object + std::string(divider) + patch;
                       });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::string_view types[] = {json_patch, merge_patch, strategic_patch};
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = text.find(divider);
  if (end == std::string_view::npos) return 0;
  const auto object = read_json(text.substr(0, end));
  if (!object || !object->is_object()) return 0;
  const std::string_view patch = text.substr(end + divider.size());
  if (data[0] % 4 == 3) {
    apply_to(*object, patch);
    return 0;
  }
  auto after = patched(*object, types[data[0] % 4], patch);
  if (after) print(*after);
  return 0;
}
