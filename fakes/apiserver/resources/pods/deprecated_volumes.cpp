#include "fakes/apiserver/resources/pods/deprecated_volumes.h"

#include <stdexcept>
#include <string_view>

#include "reference/release/release_range.h"
#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view deprecated_volumes_text();
}  // namespace nodebound::data

namespace nodebound::apiserver {
namespace {

struct DeprecatedVolume {
  std::string field;
  std::string shown;
  std::string warning;
  ReleaseRange range;
};

std::vector<DeprecatedVolume> read_deprecated_volumes() {
  constexpr std::string_view file = "fakes/apiserver/resources/pods/deprecated_volumes.toml";
  std::vector<DeprecatedVolume> out;
  // The table is part of the program, so a mistake in it is one of the program.
  try {
    const toml::table table = parse_toml(data::deprecated_volumes_text(), file);
    TomlReader in(table);
    in.tables("volume", [&](const toml::table& one) {
      TomlReader entry(one);
      DeprecatedVolume read{entry.text("field", true), entry.text("shown"), entry.text("warning", true), {}};
      if (read.shown.empty()) read.shown = read.field;
      read.range = ReleaseRange::read(entry);
      entry.done();
      out.push_back(std::move(read));
    });
    in.done();
  } catch (const toml::parse_error& error) {
    throw std::logic_error(toml_error(file, error).value().text());
  } catch (const TomlMistake& mistake) {
    throw std::logic_error(toml_error(file, mistake).value().text());
  }
  return out;
}

}  // namespace

std::vector<std::string> warnings_of_volume(const Release& release, const Object& volume, const std::string& path) {
  static const std::vector<DeprecatedVolume> known = read_deprecated_volumes();
  std::vector<std::string> out;
  for (const DeprecatedVolume& one : known) {
    if (member(volume, one.field).is_null() || !one.range.holds(release)) continue;
    out.push_back(path + "." + one.shown + ": " + one.warning);
  }
  return out;
}

}  // namespace nodebound::apiserver
