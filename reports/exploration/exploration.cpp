#include "reports/exploration/exploration.h"

namespace nodebound {
namespace {

using Difference = Exploration::Difference;

template <typename Fits>
std::size_t requests_of(const Exploration& exploration, Fits fits) {
  std::size_t out = 0;
  for (const Difference& difference : exploration.differences) {
    if (fits(difference)) out += difference.count;
  }
  return out;
}

}  // namespace

bool is_known(const Difference& difference) {
  return difference.steady && difference.explained == Difference::Explained::deviation;
}

bool is_new(const Difference& difference) {
  return difference.steady && !is_known(difference);
}

const char* to_string(Difference::Explained explained) {
  switch (explained) {
    case Difference::Explained::no:
      return "no";
    case Difference::Explained::deviation:
      return "deviation";
    case Difference::Explained::release:
      return "release";
    case Difference::Explained::defect:
      return "defect";
  }
  return "";
}

std::size_t known_differences(const Exploration& exploration) {
  return requests_of(exploration, is_known);
}

std::size_t new_differences(const Exploration& exploration) {
  return requests_of(exploration, is_new);
}

std::size_t unsteady_differences(const Exploration& exploration) {
  return requests_of(exploration, [](const Difference& one) { return !one.steady; });
}

int exit_code(const Exploration& exploration) {
  if (exploration.requests == 0) return 4;
  if (new_differences(exploration) != 0) return 1;
  return unsteady_differences(exploration) != 0 ? 3 : 0;
}

}  // namespace nodebound
