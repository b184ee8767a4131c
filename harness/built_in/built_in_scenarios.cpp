#include "harness/built_in/built_in_scenarios.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <vector>
#include <zstd.h>

#include "fakes/wire/certificates/digest.h"

namespace nodebound::built_in {
namespace fs = std::filesystem;
namespace {

std::string decompressed(std::string_view packed) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) throw std::logic_error("no packed files");
  std::string out(size, '\0');
  if (ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()) != size) {
    throw std::logic_error("the packed files are broken");
  }
  return out;
}

bool holds(const fs::path& file, const std::string& content) {
  std::error_code none;
  if (!fs::is_regular_file(fs::symlink_status(file, none)) || fs::file_size(file, none) != content.size()) return false;
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) == content;
}

Result<void> cannot_write(const fs::path& file, const std::string& why) {
  return input_error(file.string(), "cannot be written: " + why);
}

Result<void> write_file(const fs::path& file, const std::string& content) {
  fs::path fresh = file;
  fresh += "." + std::to_string(::getpid()) + ".new";
  std::ofstream out(fresh, std::ios::binary);
  out << content;
  out.close();
  const std::error_code failure(errno, std::generic_category());
  std::error_code problem;
  if (!out.fail()) {
    fs::rename(fresh, file, problem);
    if (!problem) return {};
  }
  std::error_code ignored;
  fs::remove(fresh, ignored);
  return cannot_write(file, (problem ? problem : failure).message());
}

/// A folder that is removed when the program ends.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  /// The same folder each time.
  Result<fs::path> make() {
    if (!path_.empty()) return path_;
    std::error_code problem;
    std::string name = (fs::temp_directory_path(problem) / "nodebound-XXXXXX").string();
    if (problem || ::mkdtemp(name.data()) == nullptr) {
      return input_error(
          "scenarios",
          "there is no folder for the scenarios of this program: neither the cache nor " + name + " can be written",
          "set XDG_CACHE_HOME or TMPDIR to a folder that can be");
    }
    path_ = name;
    return path_;
  }

 private:
  fs::path path_;
};

fs::path cache_folder(const std::function<std::string(const char*)>& environment) {
  const fs::path cache = environment("XDG_CACHE_HOME");
  if (cache.is_absolute()) return cache / "nodebound";
  const fs::path home = environment("HOME");
  return home.is_absolute() ? home / ".cache" / "nodebound" : fs::path();
}

}  // namespace

PackedFiles unpacked_files(std::string_view packed) {
  PackedFiles out;
  const nlohmann::json files = nlohmann::json::from_cbor(decompressed(packed));
  for (const auto& [path, content] : files.items()) {
    const std::vector<std::uint8_t>& bytes = content.get_binary();
    out.emplace(path, std::string(bytes.begin(), bytes.end()));
  }
  return out;
}

PackedFiles built_in_scenarios() {
  return unpacked_files(data::packed_scenarios());
}

Result<void> write_files(const PackedFiles& files, const fs::path& folder) {
  for (const auto& [path, content] : files) {
    const fs::path file = folder / path;
    if (holds(file, content)) continue;
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    if (problem) return cannot_write(file, problem.message());
    if (Result<void> done = write_file(file, content); !done) return done;
  }
  return {};
}

Result<fs::path> folder_of_built_in_scenarios(const std::function<std::string(const char*)>& environment) {
  const PackedFiles files = built_in_scenarios();
  const fs::path cache = cache_folder(environment);
  if (!cache.empty()) {
    const fs::path folder = cache / ("scenarios-" + sha256_hex(data::packed_scenarios()).substr(0, 16));
    if (write_files(files, folder)) return folder;
  }
  static TemporaryFolder temporary;
  Result<fs::path> folder = temporary.make();
  if (!folder) return folder;
  if (Result<void> done = write_files(files, *folder); !done) return tl::unexpected<Error>(done.error());
  return folder;
}

}  // namespace nodebound::built_in
