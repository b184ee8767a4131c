#include <array>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "reference/encoding/base64.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column secret_columns[] = {
    name_column,
    {"Type", [](const Object& o, Now) { return text_cell(text(o, "type"), "Opaque"); }},
    {"Data", [](const Object& o, Now) { return Object(member(o, "data").size()); }},
    age_column};

void decode_secret(const WriteContext&, Object& secret) {
  const Object strings = member(secret, "stringData");
  if (!strings.is_object()) return;
  for (const auto& [key, value] : strings.items()) {
    if (value.is_string()) secret["data"][key] = base64_encode(value.get<std::string>());
  }
  secret.erase("stringData");
}

}  // namespace

std::span<const Strategy> strategies::secrets() {
  static constexpr std::array kinds = {Strategy{
      .resource = "secrets",
      .columns = TableColumns(secret_columns),
      .decode = decode_secret,
      .checks = {.object = validation::wrong_secret, .change = validation::wrong_secret_change},
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
