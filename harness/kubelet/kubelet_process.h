#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/kubelet/kubelet_files.h"

namespace nodebound {

/// Starts a program, of which `command` are the name and its first flags, apart by blanks; it gets --config,
/// --kubeconfig and --hostname-override as well. The files must outlive it.
Result<std::unique_ptr<KubeletUnderTest>> start_kubelet_process(const std::string& command,
                                                                const KubeletStartup& startup,
                                                                const KubeletFiles& files, const RuleSet& rules);

/// Whether anybody takes connections there, whatever the answer.
bool answers_http(const std::string& host, std::uint16_t port);

/// Waits until a kubelet that starts answers there; an error once `ending` says that it has ended, or that the time is
/// up. Where `ending` is empty it has started already: whoever then takes the connection must answer.
Result<void> wait_for_kubelet(const ServerAddress& server, const RequestLimits& limits,
                              const std::function<std::optional<std::string>()>& ending);

}  // namespace nodebound
