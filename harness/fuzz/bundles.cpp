// What a certificate's bundle is made of, as a stranger might have drawn it up: envelopes, statements, records of runs,
// compressed lines, declared deviations. The first byte chooses which.
#include <cstdint>
#include <cstdlib>

#include "harness/certify/dsse.h"
#include "harness/certify/gzip.h"
#include "harness/certify/statement.h"
#include "harness/certify/verification.h"
#include "harness/deviations/deviation_file.h"
#include "harness/fuzz/structure.h"
#include "harness/scenario/loader.h"
#include "reference/test/project_paths.h"

using namespace nodebound;
using namespace nodebound::certify;
using namespace nodebound::deviations;

namespace {

constexpr std::size_t kinds = 5;

void read_envelopes(const std::string& text) {
  const auto envelope = read_envelope(text, "statement.json");
  if (!envelope) return;
  static_cast<void>(read_statement(envelope->payload, "statement.json"));
  // What is written is read again as the same.
  const auto again = read_envelope(to_sigstore_bundle(*envelope), "statement.json");
  if (!again || to_dsse_json(*again) != to_dsse_json(*envelope)) std::abort();
}

void read_statements(const std::string& text) {
  const auto facts = read_statement(text, "statement.json");
  if (!facts) return;
  const Report report;
  const auto again = read_statement(to_statement(*facts, report), "statement.json");
  if (!again || to_statement(*again, report) != to_statement(*facts, report)) std::abort();
}

ClaimedSet claimed(const std::string& profile) {
  Result<ClaimedSet> set =
      claimed_set(project::file("scenarios"), {profile, 0, Level::extended}, Catalogue::built_in());
  if (!set) std::abort();
  return std::move(*set);
}

// Every scenario is asked again with the answers of the record, whatever they are.
void replay_record(const std::string& lines) {
  static const ClaimedSet sets[] = {claimed("authorization-webhook"), claimed("kubelet-fine-grained")};
  Report head;
  head.run.id = "run";
  head.release.version = "1.36.3";
  for (const ClaimedSet& set : sets) {
    static_cast<void>(recompute(head, gzip(lines), "record.jsonl.gz", set, Catalogue::built_in()));
  }
}

void inflate(const std::string& bytes) {
  constexpr GzipLines::Limits small{std::size_t{1} << 16U, std::size_t{1} << 20U};
  GzipLines lines(bytes, "record.jsonl.gz", small);
  std::size_t read = 0;
  while (true) {
    const auto line = lines.next();
    if (!line || !*line) return;
    read += (*line)->size();
    if ((*line)->size() > small.line || read > small.all) std::abort();
  }
}

void read_declared(const std::string& text) {
  const auto file = parse_deviations(text, "deviations.toml");
  if (file) static_cast<void>(require_filled_in(*file));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::size_t kind = size == 0 ? 0 : data[0] % kinds;
  return fuzz::mutated(data, size, most, seed, 1,
                       [kind](std::string_view text, fuzz::Chance& chance) -> std::optional<std::string> {
                         if (kind < 2) return fuzz::changed_json(text, chance);
                         if (kind == 2) return fuzz::changed_lines(text, chance);
                         if (kind == 4) return fuzz::changed_toml(text, chance);
                         return std::nullopt;
                       });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % kinds) {
    case 0:
      read_envelopes(text);
      break;
    case 1:
      read_statements(text);
      break;
    case 2:
      replay_record(text);
      break;
    case 3:
      inflate(text);
      break;
    default:
      read_declared(text);
  }
  return 0;
}
