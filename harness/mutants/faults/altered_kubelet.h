#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/kubelet/target/embedded_kubelet.h"

// The kinds of faults of a kubelet.

namespace nodebound::mutants {

using AlteredAccess = std::function<std::optional<AccessVerdict>(Reviewer&, Subject, Attributes)>;
using AlteredToken = std::function<std::optional<TokenVerdict>(Reviewer&, const std::string&)>;
using AlteredAnswer = decltype(kubelet_conformance::KubeletFault::answer);

/// Reviews have another result.
kubelet_conformance::KubeletFault reviewing(AlteredAccess access, AlteredToken token = {});
/// Reviews are about another user.
kubelet_conformance::KubeletFault naming(std::function<void(Subject&)> change);
/// Access reviews ask for another access.
kubelet_conformance::KubeletFault asking(std::function<void(Attributes&)> change);
/// The kubelet ignores a setting of its configuration.
kubelet_conformance::KubeletFault configured(std::function<void(kubelet_api::KubeletConfiguration&)> change);
/// Reviews of that kind have another spec.
kubelet_conformance::KubeletFault sending(const std::string& kind, std::function<void(Object&)> change);
/// The kubelet answers differently.
kubelet_conformance::KubeletFault answering(AlteredAnswer answer);
/// Requests to the main port that satisfy the condition are let in without checks.
kubelet_conformance::KubeletFault letting_in(std::function<bool(const IncomingRequest&)> whom);

}  // namespace nodebound::mutants
