#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace nodebound::simulate {

/// The requests of a user in an audit log (audit.k8s.io/v1, one event a line), each once, in the order in which they
/// were first sent: `watch v1 secrets default/password?fieldSelector=metadata.name=password`. `node` is called NODE in
/// them. Of the query only what says which objects are wanted is kept; Events have no names. `file` is for errors.
Result<std::vector<std::string>> asked_by(std::string_view user, std::string_view node, std::string_view audit_log,
                                          const std::string& file);

/// What only one of two kubelets asked, one line each: `only the stock kubelet: create v1 events default/`.
std::vector<std::string> asked_differently(const std::vector<std::string>& stock, const std::vector<std::string>& fake);

}  // namespace nodebound::simulate
