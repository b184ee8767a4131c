#pragma once

#include <functional>
#include <string>

#include "harness/objects/document.h"

namespace nodebound::replay {

/// How long a log is followed.
struct Following {
  std::function<bool()> ended;
  std::function<void()> idle;  ///< called now and then while there is nothing new
};

/// The text of a file that grows: waits for more until following ends. If the file is renamed and another one takes its
/// name, as log rotation does, the rest of the one and then the other is read; if it is cut, it is read from its
/// beginning. A line that was cut off there ends there. `following` must outlive the source.
Result<TextSource> follow_file(const std::string& file, const Following& following);

}  // namespace nodebound::replay
