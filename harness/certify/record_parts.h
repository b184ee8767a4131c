#pragma once

#include <cstddef>
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

}  // namespace nodebound::certify
