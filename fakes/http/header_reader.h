#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fakes/http/handler.h"

namespace nodebound {

/// The fields of a header or a trailer, line by line, as Go's net/textproto reads them: a line may end with LF alone,
/// and goes on with the next where that begins with a blank.
class HeaderReader {
 public:
  enum class State { more, done, broken };

  /// `input` begins where the fields do, and has all of them that has come so far, which was read before, too.
  State read(std::string_view input);

  /// How much of the input was theirs, with the empty line; once they are done.
  [[nodiscard]] std::size_t taken() const { return position_; }
  [[nodiscard]] HeaderFields& fields() { return fields_; }
  /// What is wrong with them, once they are broken.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  State broken(std::string_view what, std::string_view line);
  State add(std::string_view line);

  std::size_t position_ = 0;
  HeaderFields fields_;
  std::string error_;
};

/// `name` as fields have it.
std::string lower_case(std::string_view name);

/// Whether it may be the name of a field, or a method.
bool is_token(std::string_view text);

/// Without the blanks that it begins and ends with.
std::string_view without_blanks(std::string_view text);

}  // namespace nodebound
