#pragma once

#include <string>

#include "harness/simulate/plan.h"

namespace nodebound {

/// Why the version skew policy does not allow a kubelet at an API server; empty if it does. From 1.28 on kubelets may
/// be three minors older, if they are of 1.25 or later.
std::string wrong_skew(const Version& kubelet, const Version& server);

/// Why a control plane cannot go from one version to the other; empty if it can.
std::string wrong_upgrade(const Version& from, const Version& to);

/// Whether all steps of a plan keep to both.
bool keeps_to_policy(const Plan& plan);

}  // namespace nodebound
