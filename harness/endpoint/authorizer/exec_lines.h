#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/endpoint/authorizer/access_decider.h"
#include "harness/endpoint/authorizer/authorizer_endpoint.h"

/// The lines that Nodebound and a program of `--target exec:COMMAND` send each other (exec.schema.json).
namespace nodebound::exec {

inline constexpr int protocol_version = 1;

/// The longest line that a program may send.
inline constexpr std::size_t longest_line = std::size_t{64} * 1024;

/// What a program says of itself in its first line.
struct Introduction {
  ObjectsReach objects = ObjectsReach::never;
};

/// One answer of a program.
struct AnswerLine {
  std::uint64_t id = 0;
  AccessAnswer answer;
};

/// The first line: which versions we speak. Each line ends with a line break.
std::string greeting();

std::string event_line(const ObjectEvent& event);

/// `spec` is that of a SubjectAccessReview, in JSON.
std::string question_line(std::uint64_t id, const std::string& spec);

/// An error says what is wrong with the line, and what was expected. `line` has no line break.
Result<Introduction> read_introduction(std::string_view line);
Result<AnswerLine> read_answer_line(std::string_view line);

}  // namespace nodebound::exec
