#pragma once

#include <toml++/toml.h>

#include "harness/endpoint/server_settings.h"

namespace nodebound {

/// Reads the table `[server]` of a scenario. What no kube-apiserver starts with is a TomlMistake.
ServerSettings read_server_settings(const toml::table& table);

}  // namespace nodebound
