#include "harness/journal/journal_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nodebound::journal {
namespace {

constexpr std::string_view beginning = "journal-";
constexpr std::string_view ending = ".jsonl";
constexpr off_t longest = off_t{1} << 30;
constexpr std::size_t longest_rest = 1 << 16;
constexpr std::size_t most_objects = 100'000;

/// An open file that closes itself.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int release() { return std::exchange(number, -1); }

  int number;
};

bool is_journal_name(std::string_view name) {
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return false;
  name.remove_prefix(beginning.size());
  return name.size() > ending.size() && is_run_id(name.substr(0, name.size() - ending.size()));
}

// Follows no symbolic link, and does not block on a pipe.
int open_to_read(const std::filesystem::path& file) {
  return ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

// Why this is no journal of ours; empty if it may be one.
std::string misfit(int descriptor) {
  struct stat found {};
  if (descriptor < 0) {
    return errno == ELOOP ? "is a symbolic link" : std::string("cannot be read: ") + std::strerror(errno);
  }
  if (::fstat(descriptor, &found) != 0) return std::string("cannot be read: ") + std::strerror(errno);
  if (!S_ISREG(found.st_mode)) return "is not a file";
  if (found.st_uid != ::geteuid()) return "belongs to another user";
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "may be written by other users";
  if (found.st_size > longest) return "is longer than any journal";
  return {};
}

}  // namespace

std::string journal_name(const std::string& run) {
  return std::string(beginning) + run + std::string(ending);
}

std::vector<FoundJournal> find_journals(const std::filesystem::path& folder) {
  std::vector<FoundJournal> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (!is_journal_name(name)) continue;
    const Descriptor opened(open_to_read(entry.path()));
    FoundJournal found{entry.path(), FoundJournal::State::left_behind, misfit(opened.number)};
    if (!found.why.empty()) {
      found.state = FoundJournal::State::unreadable;
    } else if (::flock(opened.number, LOCK_SH | LOCK_NB) != 0) {
      found.state = FoundJournal::State::in_use;
    }
    out.push_back(std::move(found));
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return out;
}

Result<JournalFile> JournalFile::open(const std::filesystem::path& file) {
  JournalFile out(file);
  if (Result<void> taken = out.take(); !taken) return tl::unexpected(taken.error());
  if (Result<void> read = out.read(); !read) return tl::unexpected(read.error());
  return out;
}

JournalFile::JournalFile(JournalFile&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      blank_(other.blank_),
      header_(std::move(other.header_)),
      ledger_(std::move(other.ledger_)),
      last_write_(other.last_write_) {}

JournalFile::~JournalFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> JournalFile::take() {
  Descriptor opened(open_to_read(file_));
  if (const std::string why = misfit(opened.number); !why.empty()) {
    return input_error(file_.string(), why + ", so it is not taken for a journal",
                       "what runs made carries their label: `nodebound clean --by-label` shows it");
  }
  if (::flock(opened.number, LOCK_EX | LOCK_NB) != 0) {
    return unreachable_error(file_.string(), "is in use: its run goes on, or is being cleaned up after",
                             "wait until it has ended; it removes what it made by itself");
  }
  struct stat found {};
  if (::fstat(opened.number, &found) != 0 || found.st_nlink != 1) {
    return unreachable_error(file_.string(), "has just been removed, or has a second name");
  }
  last_write_ = std::chrono::system_clock::from_time_t(found.st_mtime);
  descriptor_ = opened.release();
  return {};
}

// A crash can truncate the last line. That loses nothing: either its request was not sent yet, or the cluster shows its
// effect.
Result<void> JournalFile::read() {
  std::string text;
  std::size_t lines = 0;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(descriptor_, buffer, sizeof buffer);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreachable_error(file_.string(), std::string("cannot be read: ") + std::strerror(errno));
    text.append(buffer, static_cast<std::size_t>(count));
    std::size_t start = 0;
    for (std::size_t end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
      Result<void> read = read_line(std::string_view(text).substr(start, end - start), ++lines);
      if (read && ledger_.size() > most_objects) read = input_error("", "no run makes so much at a time");
      if (read) continue;
      Error error = read.error();
      error.where = file_.string() + ":" + std::to_string(lines);
      return tl::unexpected<Error>(std::move(error));
    }
    text.erase(0, start);
    if (text.size() > longest_rest) return input_error(file_.string(), "has a line that no journal has");
  }
  blank_ = lines == 0;
  return {};
}

Result<void> JournalFile::read_line(std::string_view line, std::size_t number) {
  if (number > 1) {
    const Result<JournalRecord> record = parse_record(line);
    return record ? ledger_.apply(*record) : tl::unexpected<Error>(record.error());
  }
  Result<JournalHeader> header = parse_header(line);
  if (!header) return tl::unexpected<Error>(header.error());
  header_ = std::move(*header);
  if (journal_name(header_.run) == file_.filename()) return {};
  return input_error("", "the journal of run " + header_.run + " has another name");
}

void JournalFile::remove() {
  ::unlink(file_.c_str());
}

}  // namespace nodebound::journal
