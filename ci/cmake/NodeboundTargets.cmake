# How every target of the project is built: one place for the language, the warnings and the sanitizers.

set(NODEBOUND_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them: address,undefined or thread")
option(NODEBOUND_BENCHMARKS "Build the benchmark programs" OFF)
option(NODEBOUND_TIDY "Run clang-tidy on every file that is compiled" OFF)

add_library(nodebound_options INTERFACE)
target_compile_features(nodebound_options INTERFACE cxx_std_20)
target_include_directories(nodebound_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(nodebound_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlaps in `"text" + std::to_string(n)` that are not there once it inlines.
  target_compile_options(nodebound_options INTERFACE -Wno-restrict)
endif()
if(NODEBOUND_SANITIZE)
  target_compile_options(nodebound_options INTERFACE -fsanitize=${NODEBOUND_SANITIZE} -fno-omit-frame-pointer
                                                     -fno-sanitize-recover=all)
  target_link_options(nodebound_options INTERFACE -fsanitize=${NODEBOUND_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  target_link_options(nodebound_options INTERFACE -fuse-ld=mold)
endif()

# nodebound_library(NAME SOURCES ... LINK ...): a static library named nodebound_NAME.
function(nodebound_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(nodebound_${name} STATIC ${arg_SOURCES})
  target_link_libraries(nodebound_${name} PUBLIC nodebound_options ${arg_LINK})
  nodebound_tidy(nodebound_${name})
endfunction()

# nodebound_embed(NAME FILE OUT_VARIABLE): a source file that defines nodebound::data::NAME_text() with the file's text, so
# that the binary needs no file beside it.
function(nodebound_embed name file out)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}_data.cpp)
  set(script ${CMAKE_SOURCE_DIR}/ci/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DOUT=${generated} -P ${script}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${script})
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# nodebound_test(NAME SOURCES ... LINK ...): one Boost.Test program, run by ctest as NAME.
function(nodebound_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE nodebound_options ${arg_LINK} Boost::unit_test_framework)
  target_compile_definitions(test_${name} PRIVATE BOOST_TEST_DYN_LINK BOOST_TEST_MODULE=${name}
                                                  NODEBOUND_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND test_${name} --color_output=no)
endfunction()

function(nodebound_tidy target)
  if(NODEBOUND_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "clang-tidy-16;--quiet;--warnings-as-errors=*")
  endif()
endfunction()
