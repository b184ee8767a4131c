#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace nodebound {

/// True once the run was asked to end: whoever waits or loops stops at its next step, so that destructors clean up.
std::atomic<bool>& interrupted();

/// How often it was asked to end. A request ends when this changes while it is under way; one that begins later, as
/// those of the clean-up do, is made.
std::uint64_t interruptions();

/// Why the run ends before its end, as a clause: a signal, or `--timeout`.
std::string interruption();

/// SIGINT, SIGTERM and SIGHUP set `interrupted()` instead of ending the process.
void install_signal_handlers();

/// Sets `interrupted()` after that time; the first call counts. Needs the handlers.
void end_run_after(std::chrono::milliseconds time);

}  // namespace nodebound
