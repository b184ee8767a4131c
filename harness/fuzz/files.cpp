// Files that are opened by name: a kubeconfig, the journal of a run, the database of `serve`. The first byte chooses
// which.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fakes/storage/sqlite_journal.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/fuzz/structure.h"
#include "harness/journal/journal_file.h"
#include "harness/journal/record.h"

using namespace nodebound;
using namespace nodebound::journal;
using namespace nodebound::storage;
namespace fs = std::filesystem;

namespace {

/// A folder of this process, in memory if possible.
class Folder {
 public:
  Folder() {
    const fs::path place = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
    std::string pattern = (place / "nodebound-fuzz-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path = pattern;
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const char* name, std::string_view text) const {
    const fs::path file = path / name;
    fs::remove(file);
    std::ofstream(file, std::ios::binary) << text;
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    return file;
  }

  fs::path path;
};

void read_kubeconfig(const fs::path& file) {
  const auto config = load_kubeconfig(file.string(), CredentialNeed::none);
  if (!config) return;
  static_cast<void>(warning_of(*config));
  static_cast<void>(credentials_of(*config));
}

// A line that is read must be written back the same, unless it is refused.
void read_journal(const fs::path& file, std::string_view text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  if (const auto header = parse_header(line)) {
    if (to_line(*header) != std::string(line) + "\n") std::abort();
  }
  if (const auto record = parse_record(line)) {
    if (to_line(*record) != std::string(line) + "\n") std::abort();
  }
  static_cast<void>(find_journals(file.parent_path()));
  static_cast<void>(JournalFile::open(file));
}

void read_database(const fs::path& folder) {
  auto journal = SqliteJournal::open(folder);
  if (journal) static_cast<void>((*journal)->recovered());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::size_t kind = size == 0 ? 2 : data[0] % 3;
  return fuzz::mutated(data, size, most, seed, 1,
                       [kind](std::string_view text, fuzz::Chance& chance) -> std::optional<std::string> {
                         if (kind == 0) return fuzz::changed_yaml(text, chance);
                         if (kind == 1) return fuzz::changed_lines(text, chance);
                         return std::nullopt;
                       });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 3 == 0) {
    read_kubeconfig(folder.write("config", text));
  } else if (data[0] % 3 == 1) {
    read_journal(folder.write("journal-r.jsonl", text), text);
  } else {
    for (const char* more : {"nodebound.db-wal", "nodebound.db-shm", "nodebound.db-journal"})
      fs::remove(folder.path / more);
    folder.write("nodebound.db", text);
    read_database(folder.path);
  }
  return 0;
}
