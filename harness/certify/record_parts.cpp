#include "harness/certify/record_parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "harness/certify/bounded_json.h"
#include "harness/certify/gzip.h"

namespace nodebound::certify {
namespace {

// How lines of parts begin as they are written, most of a record. Others are read to find out what they are.
constexpr std::array<std::string_view, 4> of_parts = {R"({"answer":)", R"({"ask":)", R"({"decided":)", R"({"drew":)"};

// The line if a part begins with it.
std::optional<RecordLine> head_in(const std::string& line) {
  if (std::any_of(of_parts.begin(), of_parts.end(), [&](std::string_view word) { return line.starts_with(word); })) {
    return std::nullopt;
  }
  std::optional<RecordLine> read = parse_bounded_object(line);
  if (!read) return std::nullopt;
  const auto scenario = read->find("scenario");
  const bool is_head = read->contains("server") || (scenario != read->end() && scenario->is_string());
  return is_head ? std::move(read) : std::nullopt;
}

}  // namespace

Result<std::vector<RecordOfServer>> split_record(std::string_view compressed, const std::string& where) {
  std::vector<RecordOfServer> out;
  RecordPart* part = nullptr;
  GzipLines lines(compressed, where);
  for (std::size_t number = 1;; ++number) {
    Result<std::optional<std::string>> line = lines.next();
    if (!line) return tl::unexpected<Error>(line.error());
    if (!*line) break;
    std::optional<RecordLine> head = head_in(**line);
    if (head && head->contains("server")) {
      out.push_back({number, std::move(*head), {"", number + 1, ""}, {}});
      part = &out.back().of_run;
    } else if (part == nullptr) {
      break;
    } else if (head) {
      part = &out.back().scenarios.emplace_back(
          RecordPart{head->at("scenario").get<std::string>(), number + 1, std::string()});
    } else {
      part->text += **line + "\n";
    }
  }
  if (out.empty()) return input_error(where + ":1", "does not begin with the server that was asked");
  return out;
}

}  // namespace nodebound::certify
