#include "harness/certify/record_parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "harness/certify/bounded_json.h"
#include "harness/certify/exchange_line.h"
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

tl::unexpected<Error> not_recorded() {
  return unreachable_error("", "the record does not hold it");
}

Result<void> first_of(const std::vector<RecordProblem>& problems, const std::string& where) {
  const auto first = std::min_element(
      problems.begin(), problems.end(),
      [](const RecordProblem& one, const RecordProblem& other) { return one.line - 1 < other.line - 1; });
  if (first == problems.end()) return {};
  return input_error(first->line == 0 ? where : where + ":" + std::to_string(first->line), first->what);
}

std::optional<HttpResponse> PartReader::take_plain_exchange(const Subject& subject, const HttpRequest& request) {
  if (problem_ || rest_.empty()) return std::nullopt;
  std::optional<HttpResponse> out = answer_in_line(next(), subject, request);
  if (out) take_next();
  return out;
}

std::optional<RecordLine> PartReader::take(const char* key, const std::string& wanted) {
  if (problem_) return std::nullopt;
  std::optional<RecordLine> line;
  if (!rest_.empty()) {
    line = parse_bounded_object(take_next());
    if (!line) fail("is not a line of a record");
  }
  if (line && line->contains(key)) return line;
  fail("does not hold what the run " + wanted);
  return std::nullopt;
}

std::optional<RecordProblem> PartReader::finish(bool cut_short) {
  if (!cut_short && !problem_ && !rest_.empty()) fail_at(number_ + 1, "holds more than the run asks");
  while (!problem_ && !rest_.empty()) {
    if (!parse_bounded_object(take_next())) fail("is not a line of a record");
  }
  return problem_;
}

void PartReader::fail_at(std::size_t line, const std::string& what) {
  if (!problem_) problem_ = RecordProblem{line, what};
}

std::string_view PartReader::take_next() {
  const std::string_view line = next();
  rest_.remove_prefix(line.size() + 1);
  ++number_;
  return line;
}

}  // namespace nodebound::certify
