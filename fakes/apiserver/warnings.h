#pragma once

#include <string>
#include <vector>

namespace nodebound::apiserver {

/// `Warning` headers with these texts, each once; shortened if they are too long together
/// (apiserver's pkg/endpoints/filters/warning.go).
std::vector<std::string> warning_headers(const std::vector<std::string>& texts);

}  // namespace nodebound::apiserver
