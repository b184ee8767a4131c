#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodebound {

/// A number of seconds as kubectl writes it (apimachinery's duration.HumanDuration): `5d`, `3h12m`, `12s`.
std::string elapsed(std::int64_t seconds);

/// The time between two timestamps, written the same way; `<unknown>` if one is malformed.
std::string age_between(std::string_view since, std::string_view now);

}  // namespace nodebound
