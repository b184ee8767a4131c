#pragma once

namespace nodebound {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace nodebound
