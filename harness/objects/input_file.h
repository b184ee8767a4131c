#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>

#include "harness/objects/document.h"
#include "reference/result.h"

namespace nodebound {

/// The largest accepted inputs. As objects, text takes some twenty times as much memory; as nodes of yaml-cpp, which
/// reads kubeconfigs, more than eighty times.
namespace input_limit {
inline constexpr std::size_t objects = std::size_t{128} << 20U;  ///< some ten thousand pods
inline constexpr std::size_t configuration = std::size_t{16} << 20U;
inline constexpr std::size_t kubeconfig = std::size_t{2} << 20U;
inline constexpr std::size_t credentials = std::size_t{1} << 20U;
}  // namespace input_limit

/// The bytes of a regular file, or of /dev/null. Other files may have no end, like /dev/zero, or never begin, like a
/// FIFO that nobody writes to. The error is the text after a colon: "No such file or directory".
tl::expected<std::string, std::string> bytes_of_file(const std::filesystem::path& file, std::size_t most);

/// The bytes of a regular file, or of standard input if `file` is `-`.
Result<std::string> read_input(const std::string& file, std::size_t most = input_limit::objects);

/// The same bytes, read on demand. Standard input can be read once.
Result<TextSource> open_input(const std::string& file);

}  // namespace nodebound
