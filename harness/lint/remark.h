#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound::lint {

/// What there is to say about a configuration.
struct Remark {
  enum class Kind {
    refused,  ///< the program does not start with it
    ignored,  ///< the program starts and does not do what the file says
    unsafe,   ///< a node, or anybody, may do more than it should
    unknown,  ///< what the program makes of it cannot be told here
  };

  Kind kind;
  std::string where;   ///< `file:line`, or the file alone
  std::string what;    ///< one sentence without a full stop
  std::string advice;  ///< what to do about it
};

using Remarks = std::vector<Remark>;

/// `refused`, `ignored`, `unsafe` or `unknown`.
std::string_view to_string(Remark::Kind kind);

/// `file:line` of the first line of `text` that contains `word`; the file alone if none does.
std::string place_of(std::string_view word, std::string_view text, const std::string& file);

}  // namespace nodebound::lint
