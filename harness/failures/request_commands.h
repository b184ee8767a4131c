#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound::failures {

/// A word for a POSIX shell, in quotes where it needs them.
std::string shell_word(const std::string& text);

/// How to send a check's request by hand: commands for a shell, in which $SERVER, $TOKEN and the like stand for what
/// differs by place or is secret. Empty if there is no such command.
struct RequestCommands {
  std::string curl;
  std::string kubectl;
  std::string pipe;  ///< for a program behind `exec:`
};

/// `target` is the target's name: it says what an authorizer alone is asked by.
RequestCommands commands_of(const CheckResult& check, const std::string& target);

}  // namespace nodebound::failures
