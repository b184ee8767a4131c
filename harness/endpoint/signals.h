#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace nodebound {

/// True once the run was asked to end. Every wait and loop stops at its next step, so that destructors clean up.
std::atomic<bool>& interrupted();

/// How often the run was asked to end. A change ends the requests that are under way. Requests that begin later, such
/// as those of the clean-up, are sent.
std::uint64_t interruptions();

/// Why the run ended early, as a clause: a signal, or `--timeout`.
std::string interruption();

/// SIGINT, SIGTERM and SIGHUP set `interrupted()` instead of ending the process.
void install_signal_handlers();

/// Sets `interrupted()` after that time; the first call counts. Needs the handlers.
void end_run_after(std::chrono::milliseconds time);

}  // namespace nodebound
