#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/kubelet/target/kubelet_files.h"

namespace nodebound::kubelet_conformance {

/// Starts a program. `command` is its name and first flags, separated by blanks; --config, --kubeconfig and
/// --hostname-override are added. The files must outlive it.
Result<std::unique_ptr<KubeletUnderTest>> start_kubelet_process(const std::string& command,
                                                                const KubeletStartup& startup,
                                                                const KubeletFiles& files, const RuleSet& rules);

/// Whether anything accepts connections there, whatever it answers.
bool answers_http(const std::string& host, std::uint16_t port);

/// Waits until a starting kubelet answers there. An error once `ending` says that it has ended or the time is up. If
/// `ending` is empty, the kubelet is running already, and whatever accepts the connection must answer.
Result<void> wait_for_kubelet(const ServerAddress& server, const RequestLimits& limits,
                              const std::function<std::optional<std::string>()>& ending);

}  // namespace nodebound::kubelet_conformance
