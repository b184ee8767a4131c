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

/// Changes that know the structure of their input: random bytes hardly ever give another JSON tree, or a request whose
/// length fits.
namespace nodebound::fuzz {

/// All random choices for one change.
class Chance {
 public:
  explicit Chance(unsigned seed) : drawn_(seed) {}

  /// From 0 to `count` - 1; 0 if `count` is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : drawn_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }
  /// Bytes changed by libFuzzer's own mutations, which use its dictionary, too.
  std::string bytes(std::string_view text, std::size_t more = 64);

 private:
  std::minstd_rand drawn_;
};

/// Changes a random value of the tree: removes, doubles, exchanges, renames, nests or replaces it.
void change(Object& tree, Chance& chance);

/// A text with changed values; nothing if the text does not have the format, or is nested too deep.
using Changed = std::function<std::optional<std::string>(std::string_view text, Chance& chance)>;
std::optional<std::string> changed_json(std::string_view text, Chance& chance);
/// Changes one of the documents of a YAML text. JSON is YAML, too.
std::optional<std::string> changed_yaml(std::string_view text, Chance& chance);
std::optional<std::string> changed_toml(std::string_view text, Chance& chance);
/// Changes one line of a text with a JSON value on each line.
std::optional<std::string> changed_lines(std::string_view text, Chance& chance);
/// Changes the fields, bodies and order of a connection's requests. Most requests still have a correct length.
std::optional<std::string> changed_http(std::string_view text, Chance& chance);

/// The body of LLVMFuzzerCustomMutator: mostly calls `changed`; otherwise, or if `changed` returns nothing, changes
/// bytes. The first `prefix` bytes, which choose the kind of input, mostly stay.
std::size_t mutated(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::size_t prefix,
                    const Changed& changed);

}  // namespace nodebound::fuzz
