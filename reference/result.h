#pragma once

#include <string>
#include <tl/expected.hpp>

namespace nodebound {

/// Why something failed, for the person who can fix it.
struct Error {
  /// Determines the process's exit code: 2 for `input`, 3 for the others. `unreachable` concerns the target or its
  /// set-up; `withheld` is a request that a run did not send, because it would have changed an object that does not
  /// belong to the run.
  enum class Kind { input, unreachable, withheld };

  Kind kind = Kind::input;
  /// `file:line:column`, a URL, or empty if the error has no place.
  std::string where;
  /// What is wrong and what was expected, as one sentence without a full stop.
  std::string what;
  /// What the user can do next; may be empty.
  std::string hint;
  /// What became of the connection, of an error of one. Programs decide on it; `what` is for people.
  enum class Connection {
    other,
    not_made,
    not_trusted,
    certificate_wanted,  ///< the server ended TLS: it wants a client certificate, or another one
    closed,
  };
  Connection connection = Connection::other;

  [[nodiscard]] std::string text() const {
    std::string out = where.empty() ? what : where + ": " + what;
    if (!hint.empty()) out += "\n  " + hint;
    return out;
  }
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> input_error(std::string where, std::string what, std::string hint = {}) {
  return tl::unexpected<Error>(Error{Error::Kind::input, std::move(where), std::move(what), std::move(hint)});
}

inline tl::unexpected<Error> unreachable_error(std::string where, std::string what, std::string hint = {}) {
  return tl::unexpected<Error>(Error{Error::Kind::unreachable, std::move(where), std::move(what), std::move(hint)});
}

}  // namespace nodebound
