#include <filesystem>
#include <iostream>
#include <memory>

#include "harness/cli/commands/commands.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/site/site.h"
#include "harness/cli/target_run.h"
#include "harness/objects/input_file.h"
#include "reports/files.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

namespace fs = std::filesystem;

/// A folder of an earlier site is written anew; what is anything else is left alone.
Result<void> check_folder(const fs::path& folder) {
  std::error_code none;
  if (!fs::exists(folder, none) || fs::is_empty(folder, none) || fs::exists(folder / "catalogue.js", none)) return {};
  return input_error(folder.string(), "is there already, and is no site", "name a folder that is new or empty");
}

/// The bytes of nodebound.wasm; empty if the user names no file.
Result<std::string> library_bytes(const std::string& file) {
  if (file.empty()) return std::string();
  Result<std::string> bytes = read_input(file);
  if (bytes && !bytes->starts_with(std::string_view("\0asm", 4))) {
    return input_error(file, "is no WebAssembly module", "give the nodebound.wasm that ci/wasm/build writes");
  }
  return bytes;
}

int site(const fs::path& folder, const std::string& scenarios_folder, const std::string& library_file) {
  if (const Result<void> fit = check_folder(folder); !fit) return fail(fit.error());
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<std::vector<Scenario>> scenarios = selected_scenarios(scenarios_folder, {}, catalogue);
  if (!scenarios) return fail(scenarios.error());
  const Result<std::string> library = library_bytes(library_file);
  if (!library) return fail(library.error());
  const Result<SiteFiles> files = site_files(catalogue, *scenarios, *library);
  if (!files) return fail(files.error());
  std::size_t pages = 0;
  for (const auto& [name, content] : *files) {
    if (const Result<void> done = write_file(folder / name, content); !done) return fail(done.error());
    pages += name.ends_with(".html") ? 1 : 0;
  }
  std::cout << "Wrote " << pages << " pages to " << printable(folder.string()) << "\nOpen "
            << printable((folder / "index.html").string()) << " in a browser; they need no server and no network.\n";
  return conforms;
}

}  // namespace

void add_site_command(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::string>();
  auto scenarios = std::make_shared<std::string>();
  auto library = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("site", "Write the rules, the releases and the guides as pages");
  command->add_option("folder", *folder, "A new folder, or one with an earlier site")->required();
  add_scenarios_option(*command, *scenarios);
  command->add_option(
      "--library", *library,
      "The reference as WebAssembly (nodebound.wasm): adds a page that explains requests on one's own objects");
  command->callback([folder, scenarios, library, &exit_code] { exit_code = site(*folder, *scenarios, *library); });
}

}  // namespace nodebound::cli
