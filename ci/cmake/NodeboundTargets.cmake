# How every target of the project is built: one place for the language, the warnings and the sanitizers.

set(NODEBOUND_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them: address,undefined or thread")
option(NODEBOUND_BENCHMARKS "Build the benchmark programs" OFF)
option(NODEBOUND_FUZZ "Build the fuzz targets (Clang's libFuzzer)" OFF)

add_library(nodebound_options INTERFACE)
target_compile_features(nodebound_options INTERFACE cxx_std_20)
target_include_directories(nodebound_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(nodebound_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlaps in `"text" + std::to_string(n)` that are not there once it inlines.
  target_compile_options(nodebound_options INTERFACE -Wno-restrict)
  if(NODEBOUND_SANITIZE MATCHES "address")
    # With its sanitizers it takes members of the standard library's own for uninitialized.
    target_compile_options(nodebound_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  if(NODEBOUND_SANITIZE MATCHES "thread")
    # Asio has fences, which GCC's thread sanitizer does not follow.
    target_compile_options(nodebound_options INTERFACE -Wno-tsan)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(nodebound_options INTERFACE -Wreserved-identifier)
endif()
if(NODEBOUND_SANITIZE)
  target_compile_options(nodebound_options INTERFACE -fsanitize=${NODEBOUND_SANITIZE} -fno-omit-frame-pointer
                                                     -fno-sanitize-recover=all)
  target_link_options(nodebound_options INTERFACE -fsanitize=${NODEBOUND_SANITIZE})
  if(NODEBOUND_SANITIZE MATCHES "address")
    # What the sanitizers keep of each place is full of addresses; to relocate them takes a third of each program.
    target_link_options(nodebound_options INTERFACE -no-pie)
  endif()
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  # Each test program holds the debug information of most of the project: compressed, all of them take 2 GB instead of 4.
  target_link_options(nodebound_options INTERFACE -fuse-ld=mold -Wl,--compress-debug-sections=zlib)
endif()

# nodebound_library(NAME SOURCES ... LINK ...): a static library named nodebound_NAME.
function(nodebound_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(nodebound_${name} STATIC ${arg_SOURCES})
  target_link_libraries(nodebound_${name} PUBLIC nodebound_options ${arg_LINK})
  if(NODEBOUND_FUZZ)
    target_compile_options(nodebound_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
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
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# nodebound_test(NAME [LONG] SOURCES ... LINK ...): one Boost.Test program, run by ctest as NAME.
function(nodebound_test name)
  cmake_parse_arguments(arg "LONG" "" "SOURCES;LINK" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  set_target_properties(test_${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(test_${name} PRIVATE nodebound_options ${arg_LINK} Boost::unit_test_framework)
  target_compile_definitions(test_${name} PRIVATE BOOST_TEST_DYN_LINK BOOST_TEST_MODULE=${name}
                                                  NODEBOUND_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NODEBOUND_SANITIZE AND NOT arg_LONG)
    # With sanitizers most of a build goes into optimising tests. Templates that a test shares with the libraries come
    # from the test, so one that runs long is optimised all the same.
    target_compile_options(test_${name} PRIVATE -O0)
  endif()
  add_test(NAME ${name} COMMAND test_${name} --color_output=no)
endfunction()

# nodebound_fuzz(NAME LINK ...): the fuzz target fuzz_NAME of NAME.cpp. ci/fuzz runs it, with the seeds of seeds/NAME.
function(nodebound_fuzz name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(fuzz_${name} ${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE nodebound_options ${arg_LINK})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_property(GLOBAL APPEND PROPERTY NODEBOUND_FUZZ_TARGETS fuzz_${name})
endfunction()
