// The library: objects, reviews, and bodies of writes to explain. The first byte chooses; objects of one input are
// removed again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "harness/fuzz/structure.h"
#include "harness/library/nodebound.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

/// What every call that may fail has to keep: an error if and only if it failed.
void checked(bool failed, char* error) {
  must(failed == (error != nullptr));
  nodebound_string_free(error);
}

nodebound_reference* reference() {
  static nodebound_reference* const one = nodebound_open("1.36.3", nullptr, nullptr, nullptr);
  return one;
}

void take_and_remove(const std::string& objects) {
  char* error = nullptr;
  const long taken = nodebound_put(reference(), objects.data(), objects.size(), &error);
  checked(taken < 0, error);
  const long removed = nodebound_remove(reference(), objects.data(), objects.size(), &error);
  checked(removed < 0, error);
  must(taken < 0 || removed <= taken);
}

void review(const std::string& text) {
  char* error = nullptr;
  char* answer = nodebound_review(reference(), text.data(), text.size(), &error);
  checked(answer == nullptr, error);
  nodebound_string_free(answer);
}

void explain(const std::string& body) {
  char* error = nullptr;
  char* answer = nodebound_explain(reference(), "node:a", "create", "pods", "shop", body.c_str(), &error);
  checked(answer == nullptr, error);
  nodebound_string_free(answer);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  using namespace nodebound::fuzz;
  return mutated(data, size, most, seed, 1, size > 0 && data[0] % 3 == 1 ? changed_json : changed_yaml);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      take_and_remove(text);
      break;
    case 1:
      review(text);
      break;
    default:
      explain(text);
      break;
  }
  return 0;
}
