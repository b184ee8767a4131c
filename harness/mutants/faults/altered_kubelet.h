#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/kubelet/target/embedded_kubelet.h"

// The kinds of faults of a kubelet.

namespace nodebound {

using AlteredAccess = std::function<std::optional<AccessVerdict>(Reviewer&, Subject, Attributes)>;
using AlteredToken = std::function<std::optional<TokenVerdict>(Reviewer&, const std::string&)>;
using AlteredAnswer = decltype(KubeletFault::answer);

/// Reviews have another result.
KubeletFault reviewing(AlteredAccess access, AlteredToken token = {});
/// Reviews are about another user.
KubeletFault naming(std::function<void(Subject&)> change);
/// Access reviews ask for another access.
KubeletFault asking(std::function<void(Attributes&)> change);
/// The kubelet ignores a setting of its configuration.
KubeletFault configured(std::function<void(KubeletConfiguration&)> change);
/// Reviews of that kind have another spec.
KubeletFault sending(const std::string& kind, std::function<void(Object&)> change);
/// The kubelet answers differently.
KubeletFault answering(AlteredAnswer answer);
/// Requests to the main port that satisfy the condition are let in without checks.
KubeletFault letting_in(std::function<bool(const IncomingRequest&)> whom);

}  // namespace nodebound
