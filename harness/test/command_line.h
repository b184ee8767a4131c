#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>

#include "reference/test/project_paths.h"

namespace command_line {

/// How a command ended, and what it wrote.
struct Ended {
  int code;
  std::string output;
};

inline Ended run_shell(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

/// Runs nodebound with the arguments; standard output and error together.
inline Ended nodebound(const std::string& arguments) {
  std::string command = project::nodebound_program;
  command += " " + arguments + " 2>&1";
  return run_shell(command);
}

/// The same without standard error, for output that a program reads.
inline Ended output(const std::string& arguments) {
  std::string command = project::nodebound_program;
  command += " " + arguments + " 2>/dev/null";
  return run_shell(command);
}

inline bool says(const Ended& ended, const std::string& text) {
  return ended.output.find(text) != std::string::npos;
}

/// A folder that is removed when the test ends.
struct Folder {
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nodebound-cli-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }

  std::filesystem::path path;
};

}  // namespace command_line
