#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// What advice.toml says to do where a rule refuses what is meant to be; empty where it says nothing.
std::string advice_for(std::string_view rule);

}  // namespace nodebound
