#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"

/// Changes that know what they change: bytes alone hardly ever make another tree of JSON, or a request whose length
/// fits.
namespace nodebound::fuzz {

/// All that is drawn by chance for one change.
class Chance {
 public:
  explicit Chance(unsigned seed) : drawn_(seed) {}

  /// From 0 to below `count`; 0 if that is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : drawn_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }
  /// Bytes changed as libFuzzer changes them, by its dictionary, too.
  std::string bytes(std::string_view text, std::size_t more = 64);

 private:
  std::minstd_rand drawn_;
};

/// Changes a value somewhere in it: takes away, doubles, exchanges, renames, nests, replaces.
void change(Object& tree, Chance& chance);

/// A text with its values changed; nothing where it is no such text, or one that is too deep to be walked through.
using Changed = std::function<std::optional<std::string>(std::string_view text, Chance& chance)>;
std::optional<std::string> changed_json(std::string_view text, Chance& chance);
/// As YAML, or as JSON, which is YAML, too. Of several documents one is changed.
std::optional<std::string> changed_yaml(std::string_view text, Chance& chance);
std::optional<std::string> changed_toml(std::string_view text, Chance& chance);
/// Lines of JSON each, one of which is changed.
std::optional<std::string> changed_lines(std::string_view text, Chance& chance);
/// Requests of a connection: their fields, bodies and order. Most still have the length that they say.
std::optional<std::string> changed_http(std::string_view text, Chance& chance);

/// What LLVMFuzzerCustomMutator gives: most often `changed` is asked, else, or where it knows nothing, bytes are
/// changed. The first `prefix` bytes, which choose the kind of input, are left as they are most often.
std::size_t mutated(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::size_t prefix,
                    const Changed& changed);

}  // namespace nodebound::fuzz
