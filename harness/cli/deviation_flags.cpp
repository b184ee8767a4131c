#include "harness/cli/deviation_flags.h"

#include <filesystem>

#include "harness/deviations/fix.h"
#include "harness/objects/input_file.h"
#include "reports/files.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

constexpr std::size_t most_of_deviations = input_limit::credentials;

std::string told(const std::string& file, const deviations::FixedDeviations& now) {
  std::string out = printable(file) + ": ";
  if (now.added + now.removed + now.split == 0) return out + "nothing to fix\n";
  out += counted(now.added, "new deviation") + ", " + std::to_string(now.removed) + " removed";
  if (now.split > 0) out += ", " + counted(now.split, "pattern") + " split";
  return out + (now.added > 0 ? "\n  Mend the implementation, or give each its reason and issue\n" : "\n");
}

}  // namespace

void DeviationFlags::add_to(CLI::App& command, bool with_fix) {
  CLI::Option* of = command.add_option(
      "--deviations", file,
      "File of what the implementation is known to do otherwise (harness/deviations/README.md): each must be observed");
  if (with_fix) {
    command.add_flag("--fix", fix, "Rewrite the file of --deviations to what is observed; new ones need a reason")
        ->needs(of);
  }
}

Result<std::optional<deviations::DeviationFile>> read_deviations(const DeviationFlags& flags) {
  if (flags.file.empty()) return std::nullopt;
  std::error_code unknown;
  if (flags.fix && !std::filesystem::exists(flags.file, unknown)) return deviations::DeviationFile{flags.file, "", {}};
  const auto text = bytes_of_file(flags.file, most_of_deviations);
  if (!text) return input_error("--deviations", flags.file + " cannot be read: " + text.error());
  Result<deviations::DeviationFile> file = deviations::parse_deviations(*text, flags.file);
  if (!file) return tl::unexpected<Error>(file.error());
  if (!flags.fix) {
    if (Result<void> filled_in = deviations::require_filled_in(*file); !filled_in)
      return tl::unexpected<Error>(filled_in.error());
  }
  return std::move(*file);
}

Result<std::string> apply_deviations(const DeviationFlags& flags, const std::optional<deviations::DeviationFile>& file,
                                     Report& report, const deviations::KnownChecks& known) {
  std::string out;
  const auto today = deviations::day_of(report.run.started);
  if (!file || !today) return out;
  if (flags.fix) {
    const Result<deviations::FixedDeviations> now = deviations::fixed(*file, report, *today, known);
    if (!now) return tl::unexpected<Error>(now.error());
    if (Result<void> written = write_file(flags.file, now->text); !written) {
      return tl::unexpected<Error>(written.error());
    }
    out = told(flags.file, *now);
  }
  deviations::declare(report, *file, *today, known);
  return out;
}

}  // namespace nodebound::cli
