#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

// What is wrong with a text as a name, one sentence for each error, in the words of apimachinery (pkg/util/validation,
// pkg/api/validate/content); empty if it is valid.

std::vector<std::string> wrong_dns_label(std::string_view text);
std::vector<std::string> wrong_dns_subdomain(std::string_view text);

/// For a DNS search path: a subdomain that may have underscores.
std::vector<std::string> wrong_dns_search(std::string_view text);

/// For a Service: a label that begins with a letter.
std::vector<std::string> wrong_dns_1035_label(std::string_view text);

/// For names that may be any segment of a path.
std::vector<std::string> wrong_path_segment(std::string_view text, bool prefix = false);

/// `app`, `example.com/app`
std::vector<std::string> wrong_label_key(std::string_view text);
std::vector<std::string> wrong_label_value(std::string_view text);

/// For the keys of Secret and ConfigMap data.
std::vector<std::string> wrong_config_key(std::string_view text);

}  // namespace nodebound
