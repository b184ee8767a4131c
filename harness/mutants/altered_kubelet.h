#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/kubelet/embedded_kubelet.h"

// Kinds of what a kubelet may do wrong.

namespace nodebound {

using AlteredAccess = std::function<std::optional<AccessVerdict>(Reviewer&, Subject, Attributes)>;
using AlteredToken = std::function<std::optional<TokenVerdict>(Reviewer&, const std::string&)>;
using AlteredAnswer = decltype(KubeletFault::answer);

/// Reviews come to something else.
KubeletFault reviewing(AlteredAccess access, AlteredToken token = {});
/// Reviews are of somebody else.
KubeletFault naming(std::function<void(Subject&)> change);
/// Access reviews ask for something else.
KubeletFault asking(std::function<void(Attributes&)> change);
/// It does not do what it is configured to do.
KubeletFault configured(std::function<void(KubeletConfiguration&)> change);
/// The spec of reviews of that kind is another.
KubeletFault sending(const std::string& kind, std::function<void(Object&)> change);
/// It answers otherwise.
KubeletFault answering(AlteredAnswer answer);
/// Requests to the main port for which the condition holds are let in without a question.
KubeletFault letting_in(std::function<bool(const IncomingRequest&)> whom);

}  // namespace nodebound
