#pragma once

#include <string>

/// Where the project is. Only one small source of each test program knows (ci/cmake/NodeboundTargets.cmake): the others
/// compile to the same in every clone, so that ccache finds them.
namespace project {

extern const char* const source_folder;
/// The nodebound program; empty in tests that do not start it.
extern const char* const nodebound_program;

/// A file or folder of the project, named from its root.
inline std::string file(const std::string& name) {
  return std::string(source_folder) + "/" + name;
}

}  // namespace project
