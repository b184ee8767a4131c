#include "harness/cli/serve/admission_file.h"

#include <filesystem>

#include "fakes/wire/admission_configuration.h"
#include "harness/objects/input_file.h"

namespace nodebound::cli {

Result<PlacementSettings> placement_of_file(const std::string& file) {
  if (file.empty()) return PlacementSettings::none();
  const Result<std::string> text = read_input(file, input_limit::configuration);
  if (!text) return tl::unexpected<Error>(text.error());
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  return read_pod_placement(*text, file, [&](const std::string& path) {
    return read_input((folder / path).string(), input_limit::configuration);
  });
}

}  // namespace nodebound::cli
