#include "fakes/storage/last_commit.h"

#include <charconv>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include "fakes/storage/row_digest.h"

namespace nodebound::storage {
namespace {

constexpr const char* kMarkFile = "nodebound.db-last";
constexpr std::size_t kDigits = 20;

std::string digits(std::uint64_t number) {
  const std::string text = std::to_string(number);
  return std::string(kDigits - text.size(), '0') + text;
}

/// Always of the same length, so that a single write replaces the old text.
std::string text_of(const LastCommit::Mark& mark) {
  return digits(mark.version) + " " + digits(mark.rows) + " " +
         digits(RowDigest().add(mark.version).add(mark.rows).value()) + "\n";
}

std::optional<LastCommit::Mark> mark_of(std::string_view text) {
  LastCommit::Mark mark;
  if (text.size() != text_of(mark).size()) return std::nullopt;
  std::from_chars(text.data(), text.data() + kDigits, mark.version);
  std::from_chars(text.data() + kDigits + 1, text.data() + kDigits + 1 + kDigits, mark.rows);
  return text_of(mark) == text ? std::optional(mark) : std::nullopt;
}

}  // namespace

Result<LastCommit> LastCommit::open(const PrivateFolder& folder) {
  const auto text = folder.read(kMarkFile);
  if (!text) return tl::unexpected(text.error());
  LastCommit last;
  if (!*text) return last;
  last.found_ = mark_of(**text);
  const std::filesystem::path path = folder.path() / kMarkFile;
  if (!last.found_) {
    return input_error("--data-dir: " + path.string(), "is damaged: it does not say what was committed last",
                       "put a copy of the folder back, or remove this file to take the database as it is");
  }
  last.file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  return last;
}

Result<void> LastCommit::begin(const PrivateFolder& folder, const Mark& mark) {
  if (file_.is_open()) return {};
  if (Result<void> written = folder.write(kMarkFile, text_of(mark)); !written) return written;
  file_ = Descriptor(::open((folder.path() / kMarkFile).c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  return {};
}

void LastCommit::write(const Mark& mark) const {
  const std::string text = text_of(mark);
  if (::pwrite(file_.get(), text.data(), text.size(), 0) < 0) return;
}

void LastCommit::remove(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove(folder / kMarkFile, ignored);
}

}  // namespace nodebound::storage
