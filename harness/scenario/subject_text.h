#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Who asks, in the words of a scenario: `node a`, `widened a`, `admin`, `anonymous`, or a name of its subjects.
struct SubjectText {
  enum class Kind {
    node,
    widened_node,   ///< a node that the administrator lets past the authorizers
    administrator,  ///< of the endpoint
    anonymous,
    named,  ///< in the scenario's subjects
  };

  Kind kind = Kind::named;
  std::string name;  ///< of the node or the named subject

  /// Any text is one: what is nothing else is a name.
  static SubjectText of(std::string_view text);

  [[nodiscard]] bool is_node() const { return kind == Kind::node || kind == Kind::widened_node; }

  bool operator==(const SubjectText&) const = default;
};

std::string to_text(const SubjectText& subject);

}  // namespace nodebound
