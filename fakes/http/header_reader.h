#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fakes/http/handler.h"

namespace nodebound {

/// Reads the fields of a header or trailer line by line, as Go's net/textproto does: a line may end with a bare LF, and
/// continues on the next line if that begins with a blank.
class HeaderReader {
 public:
  enum class State { more, done, broken };

  /// `input` begins at the fields and contains everything that has come so far, including what earlier calls have read.
  State read(std::string_view input);

  /// How much of the input the fields and the empty line take; call it when they are done.
  [[nodiscard]] std::size_t taken() const { return position_; }
  [[nodiscard]] HeaderFields& fields() { return fields_; }
  /// What is wrong with the fields; call it when they are broken.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  State broken(std::string_view what, std::string_view line);
  State add(std::string_view line);

  std::size_t position_ = 0;
  HeaderFields fields_;
  std::string error_;
};

/// `name` in lower case, as HeaderFields has names.
std::string lower_case(std::string_view name);

/// Whether the text may be a field name or a method.
bool is_token(std::string_view text);

/// `text` without blanks at its beginning and end.
std::string_view without_blanks(std::string_view text);

}  // namespace nodebound
