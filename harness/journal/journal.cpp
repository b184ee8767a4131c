#include "harness/journal/journal.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "harness/journal/journal_file.h"

namespace nodebound::journal {
namespace {

// Another process that lists the journals of a folder locks each of them for a moment.
constexpr std::chrono::seconds lock_patience{5};

// The directory entry of the new file must survive a crash of the machine too.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Result<std::unique_ptr<Journal>> Journal::create(const std::filesystem::path& folder, const JournalHeader& header) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  auto journal = std::make_unique<Journal>();
  journal->file_ = folder / journal_name(header.run);
  const std::string file = journal->file_.string();
  journal->descriptor_ =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (journal->descriptor_ < 0) {
    return input_error(file, std::string("cannot make the journal of what is made: ") + std::strerror(errno),
                       errno == EEXIST ? "the run has made nothing; start it again, or give another folder with --out"
                                       : "choose a folder you may write to with --out");
  }
  if (Result<void> locked = journal->lock(); !locked) return tl::unexpected(locked.error());
  if (Result<void> written = journal->append(to_line(header), true); !written) {
    ::unlink(file.c_str());
    return tl::unexpected(written.error());
  }
  sync_folder(folder);
  return journal;
}

Result<void> Journal::lock() {
  const auto end = std::chrono::steady_clock::now() + lock_patience;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int problem = errno;
    if (problem == EINTR) continue;
    if (problem != EWOULDBLOCK || std::chrono::steady_clock::now() > end) {
      return input_error(file_.string(), std::string("cannot be locked: ") + std::strerror(problem),
                         "choose a folder on another file system with --out");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  // A concurrent `clean` may have locked the new file first, and it removes empty journals.
  struct stat found {};
  if (::fstat(descriptor_, &found) == 0 && found.st_nlink == 1) return {};
  return input_error(file_.string(), "was removed while it was made", "is `nodebound clean` at work in this folder?");
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> Journal::broken(const std::string& what, int problem) {
  failure_ =
      Error{Error::Kind::unreachable, file_.string(),
            "cannot write down what is about to be made, so nothing more is: " + what + ": " + std::strerror(problem),
            "make room, or choose another folder with --out"};
  return tl::unexpected<Error>(*failure_);
}

Result<void> Journal::append(const std::string& line, bool to_disk) {
  if (descriptor_ < 0) return {};
  if (failure_) return tl::unexpected<Error>(*failure_);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::write(descriptor_, line.data() + done, line.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      return broken("write", errno);
    }
  }
  if (to_disk && ::fdatasync(descriptor_) != 0) return broken("sync", errno);
  return {};
}

Result<std::uint64_t> Journal::write_down(const std::string& path, Manner manner, bool marked) {
  const std::lock_guard lock(mutex_);
  JournalRecord record;
  record.number = last_ + 1;
  record.path = path;
  record.manner = manner;
  record.marked = marked;
  if (Result<void> written = append(to_line(record), true); !written) return tl::unexpected<Error>(written.error());
  ++last_;
  if (Result<void> applied = ledger_.apply(record); !applied) return tl::unexpected<Error>(applied.error());
  return last_;
}

Result<void> Journal::write_down_finalizer(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (ledger_.finalizers().contains(name)) return {};
  JournalRecord record;
  record.kind = JournalRecord::Kind::finalizer;
  record.finalizer = name;
  if (Result<void> written = append(to_line(record), true); !written) return written;
  return ledger_.apply(record);
}

bool Journal::has_finalizer(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return ledger_.finalizers().contains(name);
}

void Journal::note(const JournalRecord& record) {
  const std::lock_guard lock(mutex_);
  // The entry is kept in memory in any case, so that the run can clean up.
  if (ledger_.apply(record)) static_cast<void>(append(to_line(record), false));
}

void Journal::note_made(std::uint64_t number, const std::string& uid, const std::string& path) {
  JournalRecord record;
  record.kind = JournalRecord::Kind::made;
  record.number = number;
  record.uid = uid;
  record.path = path;
  note(record);
}

void Journal::note_not_made(std::uint64_t number) {
  JournalRecord record;
  record.kind = JournalRecord::Kind::not_made;
  record.number = number;
  note(record);
}

void Journal::note_gone(std::uint64_t number) {
  JournalRecord record;
  record.kind = JournalRecord::Kind::gone;
  record.number = number;
  note(record);
}

std::optional<Error> Journal::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::size_t Journal::left() {
  const std::lock_guard lock(mutex_);
  return ledger_.size();
}

void Journal::finish() {
  const std::lock_guard lock(mutex_);
  if (descriptor_ < 0 || !ledger_.empty() || closed_) return;
  // The file is still locked, so nobody can take it for the journal of a killed run.
  ::unlink(file_.c_str());
  closed_ = true;
  failure_ = Error{Error::Kind::unreachable, file_.string(), "the run has ended, and its journal is closed", ""};
}

}  // namespace nodebound::journal
