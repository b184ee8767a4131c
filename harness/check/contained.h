#pragma once

#include <exception>
#include <new>

#include "reference/result.h"

namespace nodebound {

/// Does the work, which returns a Result, and turns an exception into an error: an unforeseen exception must not keep a
/// run from removing what it has made.
template <typename Work>
auto contained(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return unreachable_error("", "there was not enough memory");
  } catch (const std::exception& error) {
    return unreachable_error("", error.what(), "this is a defect of nodebound; please report it");
  }
}

}  // namespace nodebound
