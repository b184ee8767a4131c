#include "harness/replay/log_files.h"

#include <utility>

#include "harness/objects/input_file.h"
#include "harness/replay/log_bytes.h"

namespace nodebound::replay {

Result<std::unique_ptr<LogFiles>> LogFiles::open(const std::vector<std::string>& files, const Following* following) {
  if (files.size() > most_files) {
    return input_error("LOG", std::to_string(files.size()) + " files, expected at most " + std::to_string(most_files),
                       "join them: zcat -f FILES | nodebound replay -");
  }
  auto out = std::make_unique<LogFiles>();
  for (const std::string& name : files) {
    Result<TextSource> source = following == nullptr ? open_input(name) : follow_file(name, *following);
    if (!source) return tl::unexpected<Error>(source.error());
    auto file = std::make_unique<File>();
    file->name = name == "-" ? "standard input" : name;
    file->documents = std::make_unique<LogDocuments>(decompressed(std::move(*source), file->broken));
    file->reader = std::make_unique<EventReader>(file->name, out->troubles_, out->counts_);
    out->files_.push_back(std::move(file));
  }
  return out;
}

void LogFiles::fill(File& file) {
  while (file.ready.empty() && file.documents) {
    const std::optional<LogDocument> document = file.documents->next();
    if (!document) {
      if (!file.broken.empty()) troubles_.add(LogTrouble::broken_bytes, file.name, 0);
      return;
    }
    file.reader->read(*document, [&](LoggedRequest&& request) { file.ready.push_back(std::move(request)); });
  }
}

bool LogFiles::next(LoggedRequest& out) {
  File* first = nullptr;
  for (const auto& file : files_) {
    if (file->ready.empty()) fill(*file);
    if (file->ready.empty()) continue;
    if (first == nullptr || file->ready.front().answered < first->ready.front().answered) first = file.get();
  }
  if (first == nullptr) return false;
  out = std::move(first->ready.front());
  first->ready.pop_front();
  return true;
}

std::size_t LogFiles::bytes() const {
  std::size_t out = 0;
  for (const auto& file : files_) out += file->documents->bytes();
  return out;
}

}  // namespace nodebound::replay
