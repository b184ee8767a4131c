#pragma once

#include <atomic>

namespace nodebound {

/// True once the run was asked to end: whoever waits or loops stops at its next step, so that destructors clean up.
std::atomic<bool>& interrupted();

/// SIGINT, SIGTERM and SIGHUP set `interrupted()` instead of ending the process.
void install_signal_handlers();

}  // namespace nodebound
