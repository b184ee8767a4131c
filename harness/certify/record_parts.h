#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/certify/record.h"
#include "reference/result.h"

namespace nodebound::certify {

/// Lines of a record that follow each other: those of one scenario, or of the run itself.
struct RecordPart {
  std::string scenario;        ///< its id; empty: the run itself
  std::size_t first_line = 0;  ///< of `text` in the record, from 1
  std::string text;            ///< each line with its end; not the line that names the scenario
};

/// What was asked of one server.
struct RecordOfServer {
  std::size_t line = 0;  ///< where `server` stands in the record, from 1
  RecordLine server;
  RecordPart of_run;
  std::vector<RecordPart> scenarios;
};

/// The record in parts, in its order. An error, with the line, if it is not whole or does not begin with a server.
/// Lines of parts are not read yet.
Result<std::vector<RecordOfServer>> split_record(std::string_view compressed, const std::string& where);

/// Something that keeps a record from being that of the run.
struct RecordProblem {
  std::size_t line;  ///< of the record; 0: the record has no line of that scenario
  std::string what;
};

/// What a replay answers where the record has no answer.
tl::unexpected<Error> not_recorded();

/// The first of them as an error; what has no line comes last.
Result<void> first_of(const std::vector<RecordProblem>& problems, const std::string& where);

/// The lines of a part, one after the other. After the first problem it gives no more. For one thread at a time.
class PartReader {
 public:
  explicit PartReader(const RecordPart& part) : number_(part.first_line - 1), rest_(part.text) {}

  /// Takes the next line if it is plainly an exchange that asks this; otherwise it stays.
  std::optional<HttpResponse> take_plain_exchange(const Subject& subject, const HttpRequest& request);

  /// Takes the next line, which must have the key. `wanted` is what the run does at this place.
  std::optional<RecordLine> take(const char* key, const std::string& wanted);

  /// It is the line last taken that is wrong.
  void fail(const std::string& what) { fail_at(number_, what); }

  [[nodiscard]] bool has_failed() const { return problem_.has_value(); }

  /// What is wrong, when the run asks no more. `cut_short`: because of a problem in some part; then the lines that it
  /// did not come to are wrong only if they are none of a record, so that chance does not decide which problem is told.
  std::optional<RecordProblem> finish(bool cut_short);

 private:
  void fail_at(std::size_t line, const std::string& what);
  [[nodiscard]] std::string_view next() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view take_next();

  std::size_t number_;  ///< of the line last taken
  std::string_view rest_;
  std::optional<RecordProblem> problem_;
};

}  // namespace nodebound::certify
