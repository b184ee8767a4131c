// An object, a line with a single dash, and a patch to it. The first byte says of which kind.
#include <cstdint>

#include "fakes/apiserver/patch.h"
#include "fakes/encoding/json.h"

using namespace nodebound;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const types[] = {"application/json-patch+json", "application/merge-patch+json",
                                      "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr std::string_view divider = "\n-\n";
  const std::size_t end = text.find(divider);
  if (end == std::string_view::npos) return 0;
  const auto object = read_json(text.substr(0, end));
  if (!object || !object->is_object()) return 0;
  const auto after = patched(*object, types[data[0] % 4], text.substr(end + divider.size()));
  if (after) static_cast<void>(after->dump(-1, ' ', false, Object::error_handler_t::replace));
  return 0;
}
