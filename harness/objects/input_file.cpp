#include "harness/objects/input_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace nodebound {
namespace {

// Some ten thousand pods. As objects they take about twenty times as much.
constexpr std::size_t largest = std::size_t{128} << 20U;

Result<std::string> read_all(std::istream& in, const std::string& name) {
  std::string text;
  char block[1U << 16U];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest) {
      return input_error(name, "is larger than " + std::to_string(largest >> 20U) + " MiB",
                         "give the objects that the request is about: its namespace, its pods, the volumes");
    }
  }
  return text;
}

}  // namespace

Result<std::string> read_input(const std::string& file) {
  if (file == "-") return read_all(std::cin, "standard input");
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem)) return input_error(file, "is a folder, expected a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) return input_error(file, "cannot be read", "expected a file, or - for standard input");
  return read_all(in, file);
}

}  // namespace nodebound
