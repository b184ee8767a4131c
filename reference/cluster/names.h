#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

// What is wrong with a text that is to be a name, one sentence each, in the words of apimachinery
// (pkg/util/validation, pkg/api/validate/content); nothing where nothing is.

std::vector<std::string> wrong_dns_label(std::string_view text);
std::vector<std::string> wrong_dns_subdomain(std::string_view text);

/// Of a service: a label that begins with a letter.
std::vector<std::string> wrong_dns_1035_label(std::string_view text);

/// Of what may be any part of a path.
std::vector<std::string> wrong_path_segment(std::string_view text, bool prefix = false);

/// `app`, `example.com/app`
std::vector<std::string> wrong_label_key(std::string_view text);
std::vector<std::string> wrong_label_value(std::string_view text);

/// Of the data of secrets and config maps.
std::vector<std::string> wrong_config_key(std::string_view text);

}  // namespace nodebound
