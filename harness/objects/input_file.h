#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>

#include "harness/objects/document.h"
#include "reference/result.h"

namespace nodebound {

/// How large what is read may be. As objects, text takes some twenty times as much memory; as nodes of yaml-cpp, which
/// kubeconfigs are read into, more than eighty times.
namespace input_limit {
inline constexpr std::size_t objects = std::size_t{128} << 20U;  ///< some ten thousand pods
inline constexpr std::size_t configuration = std::size_t{16} << 20U;
inline constexpr std::size_t kubeconfig = std::size_t{2} << 20U;
inline constexpr std::size_t credentials = std::size_t{1} << 20U;
}  // namespace input_limit

/// The bytes of a regular file, or of /dev/null. Anything else may have no end, like /dev/zero, or no beginning, like a
/// FIFO that nobody writes. The error says why, as what comes after a colon: "No such file or directory".
tl::expected<std::string, std::string> bytes_of_file(const std::filesystem::path& file, std::size_t most);

/// The bytes of a regular file, or where `file` is `-` of standard input.
Result<std::string> read_input(const std::string& file, std::size_t most = input_limit::objects);

/// The same bytes as somebody asks for them. Standard input can be read once.
Result<TextSource> open_input(const std::string& file);

}  // namespace nodebound
