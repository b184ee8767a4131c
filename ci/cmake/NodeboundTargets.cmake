# How every target of the project is built: one place for the language, the warnings and the sanitizers.

set(NODEBOUND_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them: address,undefined or thread")
option(NODEBOUND_BENCHMARKS "Build the benchmark programs" OFF)
option(NODEBOUND_FUZZ "Build the fuzz targets (Clang's libFuzzer)" OFF)

add_library(nodebound_options INTERFACE)
target_compile_features(nodebound_options INTERFACE cxx_std_20)
target_include_directories(nodebound_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(nodebound_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlaps and overruns in `"text" + std::to_string(n)` that are not there once it inlines.
  target_compile_options(nodebound_options INTERFACE -Wno-restrict -Wno-array-bounds
    $<$<CONFIG:Release>:-Wno-stringop-overflow>)
  # A tenth of its time goes into looking for memory that it could use again.
  target_compile_options(nodebound_options INTERFACE --param=ggc-min-expand=200 --param=ggc-min-heapsize=500000)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # GCC 13 and 14 take what a function returns for a part of any temporary among its arguments.
    target_compile_options(nodebound_options INTERFACE -Wno-dangling-reference)
  endif()
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

# If tests were optimized, they would take a third longer to compile, and with sanitizers four times as long. What they call is
# optimized (nodebound_optimized_first).
set(unoptimized)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  set(unoptimized -O0)
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

# What is shipped reads files of strangers and answers of hostile servers with powerful credentials at hand, and is the same
# wherever it is built. ci/release/check-hardening looks for all of it.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT NODEBOUND_SANITIZE)
  target_compile_options(nodebound_options INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection)
  # Of the library that is installed, too, only what its header declares can be seen from outside; where nothing else can be
  # replaced, position-independent code is as fast as that of a program.
  target_compile_options(nodebound_options INTERFACE
    -fPIC -fno-semantic-interposition -fvisibility=hidden -fvisibility-inlines-hidden -ffunction-sections -fdata-sections)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(nodebound_options INTERFACE -fcf-protection=full)
  endif()
  target_link_options(nodebound_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie> -Wl,-z,relro,-z,now,-z,noexecstack)
  # The same bytes in whatever folder and whenever it is built, of the same sources by the same tools;
  # ci/release/check-reproducible compares. The map that comes last is looked at first. No time of day: a source that asks for it
  # does not compile.
  target_compile_options(nodebound_options INTERFACE
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}/=build/ -Wdate-time)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(nodebound_options INTERFACE -frandom-seed=nodebound)
  endif()
  # In an archive there is no time, user or mode of its members, which are in the order of the CMakeLists.
  set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
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

# Most of what a source costs is the headers of libraries that nearly all sources read. They are parsed once, for the
# libraries (nodebound_precompiled) and for the tests (nodebound_precompiled_tests). The presets of Clang do without: they gain
# next to nothing, and what Clang precompiles holds the path of the clone, so that ccache would not know it in another.
set(precompiled_main ${CMAKE_BINARY_DIR}/generated/precompiled.cpp)
file(CONFIGURE OUTPUT ${precompiled_main} CONTENT "// A target with a precompiled header has a source.\n")
set(common_headers
  <algorithm> <chrono> <filesystem> <fstream> <functional> <iostream> <map> <memory> <mutex> <nlohmann/json.hpp>
  <optional> <set> <sstream> <string> <string_view> <thread> <tl/expected.hpp> <unordered_map> <utility> <variant> <vector>)

function(nodebound_precompiled name)
  add_library(${name} STATIC ${precompiled_main})
  target_link_libraries(${name} PRIVATE nodebound_options nlohmann_json::nlohmann_json tl::expected)
  target_precompile_headers(${name} PRIVATE ${common_headers} ${ARGN})
endfunction()
nodebound_precompiled(nodebound_precompiled)
nodebound_precompiled(nodebound_precompiled_tests <boost/test/unit_test.hpp>)
target_link_libraries(nodebound_precompiled_tests PRIVATE Boost::unit_test_framework)
target_compile_definitions(nodebound_precompiled_tests PRIVATE BOOST_TEST_DYN_LINK)
target_compile_options(nodebound_precompiled_tests PRIVATE ${unoptimized})

# nodebound_library(NAME SOURCES ... LINK ...): a static library named nodebound_NAME.
function(nodebound_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(nodebound_${name} STATIC ${arg_SOURCES})
  target_link_libraries(nodebound_${name} PUBLIC nodebound_options ${arg_LINK})
  target_precompile_headers(nodebound_${name} REUSE_FROM nodebound_precompiled)
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
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# Writes the sources of libraries to a file, one path a line, for builds with other tools (ci/wasm/build).
function(nodebound_list_sources file)
  set(paths "")
  foreach(name ${ARGN})
    get_target_property(folder nodebound_${name} SOURCE_DIR)
    get_target_property(sources nodebound_${name} SOURCES)
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
      string(APPEND paths "${source}\n")
    endforeach()
  endforeach()
  file(GENERATE OUTPUT ${file} CONTENT "${paths}")
endfunction()

# Each object of a test holds unoptimized copies of the templates and inline functions that it calls, the libraries hold
# optimized ones, and the linker takes the first that it reads: let it read the libraries first. Some tests are ten times as
# fast so.
function(nodebound_optimized_first test)
  set(found "")
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open each)
    if(TARGET ${each} AND each MATCHES "^nodebound_" AND NOT each IN_LIST found)
      get_target_property(kind ${each} TYPE)
      if(kind STREQUAL "STATIC_LIBRARY")
        list(APPEND found ${each})
        get_target_property(linked ${each} LINK_LIBRARIES)
        list(APPEND open ${linked})
      endif()
    endif()
  endwhile()
  list(TRANSFORM found REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  target_link_options(${test} PRIVATE ${found})
endfunction()

# Gives a test program what reference/test/project_paths.h declares.
function(nodebound_paths target program)
  set(paths ${CMAKE_CURRENT_BINARY_DIR}/${target}_paths.cpp)
  file(GENERATE OUTPUT ${paths} CONTENT
"namespace project {
extern const char* const source_folder;
extern const char* const nodebound_program;
const char* const source_folder = \"${CMAKE_SOURCE_DIR}\";
const char* const nodebound_program = \"${program}\";
}  // namespace project
")
  set_source_files_properties(${paths} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${paths})
endfunction()

# nodebound_tests(ROOM FOLDERS ... LINK ... PROGRAM ...): one Boost.Test program, test_ROOM, of all sources in those folders. What a
# source tests is one suite, which ctest runs by its name; a source without a suite helps others. PROGRAM is the path of the
# program that they start.
function(nodebound_tests room)
  cmake_parse_arguments(arg "" "PROGRAM" "FOLDERS;LINK" ${ARGN})
  list(TRANSFORM arg_FOLDERS APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FOLDERS})
  set(main ${CMAKE_CURRENT_BINARY_DIR}/test_${room}.cpp)
  file(CONFIGURE OUTPUT ${main}
       CONTENT "#define BOOST_TEST_MODULE ${room}\n#include <boost/test/unit_test.hpp>\n")
  set_source_files_properties(${main} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  add_executable(test_${room} ${main} ${sources})
  target_link_libraries(test_${room} PRIVATE nodebound_options ${arg_LINK} Boost::unit_test_framework)
  target_compile_definitions(test_${room} PRIVATE BOOST_TEST_DYN_LINK)
  nodebound_paths(test_${room} "${arg_PROGRAM}")
  # Tests are compiled in batches, where an unnamed namespace is no longer that of the main file.
  target_compile_options(test_${room} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  target_compile_options(test_${room} PRIVATE ${unoptimized})
  # Boost.Test writes each file's name into the code. Without the clone's path ccache finds in one clone what was built in another.
  target_compile_options(test_${room} PRIVATE -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
  nodebound_optimized_first(test_${room} ${arg_LINK})
  target_precompile_headers(test_${room} REUSE_FROM nodebound_precompiled_tests)
  foreach(source ${sources})
    file(STRINGS ${source} cases REGEX "^BOOST_(AUTO|FIXTURE|DATA|PARAM)_TEST")
    if(cases)
      list(GET cases 0 first)
      list(GET cases -1 last)
      if(NOT first MATCHES "^BOOST_AUTO_TEST_SUITE\\((.*)\\)$")
        message(FATAL_ERROR "${source}: expected BOOST_AUTO_TEST_SUITE(name) before the first test")
      endif()
      set(suite ${CMAKE_MATCH_1})
      if(NOT last STREQUAL "BOOST_AUTO_TEST_SUITE_END()")
        message(FATAL_ERROR "${source}: expected BOOST_AUTO_TEST_SUITE_END() after the last test: ctest runs suites")
      endif()
      add_test(NAME ${suite} COMMAND test_${room} --run_test=${suite} --color_output=no)
    endif()
  endforeach()
endfunction()

# nodebound_fuzz(NAME LINK ...): the fuzz target fuzz_NAME of NAME.cpp. ci/robustness/fuzz runs it, with the seeds of seeds/NAME and
# the words of dictionaries/NAME.dict.
function(nodebound_fuzz name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(fuzz_${name} ${name}.cpp)
  set_target_properties(fuzz_${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(fuzz_${name} PRIVATE nodebound_options nodebound_fuzz_structure ${arg_LINK})
  nodebound_paths(fuzz_${name} "")
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_property(GLOBAL APPEND PROPERTY NODEBOUND_FUZZ_TARGETS fuzz_${name})
endfunction()
