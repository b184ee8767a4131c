#include "harness/run/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace nodebound {

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& file) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  auto journal = std::make_unique<Journal>();
  journal->file_ = file;
  journal->descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (journal->descriptor_ < 0) {
    return input_error(file.string(), std::string("cannot write the journal of what is made: ") + std::strerror(errno),
                       "choose a folder you may write to with --out");
  }
  return journal;
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::record(const std::string& path) {
  if (descriptor_ < 0) return;
  const std::lock_guard lock(mutex_);
  const std::string line = path + "\n";
  if (::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size())) ::fdatasync(descriptor_);
}

void Journal::close_empty() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  descriptor_ = -1;
  std::error_code error;
  std::filesystem::remove(file_, error);
}

Result<std::vector<std::string>> Journal::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return input_error(file.string(), "cannot read a journal here", "a run that cleaned up leaves none");
  std::vector<std::string> paths;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("/api")) paths.push_back(line);
  }
  std::reverse(paths.begin(), paths.end());
  return paths;
}

}  // namespace nodebound
