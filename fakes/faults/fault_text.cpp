// Reads and writes faults as text and JSON.

#include <algorithm>
#include <array>
#include <charconv>

#include "fakes/faults/fault.h"

namespace nodebound::faults {
namespace {

using Kind = Fault::Kind;
using Setting = Result<void> (*)(Fault& fault, const std::string& value);

/// A name that occurs in the text of a fault.
struct Key {
  std::string_view name;
  const char* expected;  ///< the values that it takes
  Setting set;
  std::optional<Kind> kind;  ///< for names that say what goes wrong
  bool of_lag = true;        ///< whether a lag, which concerns no request, may have it
};

tl::unexpected<Error> unexpected_value() {
  return input_error("", "");  // the caller, who knows the name, adds what was expected
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> milliseconds(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> kUnits{{{"ms", 1}, {"s", 1000}, {"m", 60'000}}};
  constexpr std::uint64_t kLongest = 24ULL * 60 * 60 * 1000;
  for (const auto& [unit, factor] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto value = number<std::uint64_t>(text.substr(0, text.size() - unit.size()));
    if (value && *value <= kLongest / factor) return *value * factor;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> count(std::string_view text) {
  const auto value = number<std::uint64_t>(text);
  constexpr std::uint64_t kMost = 1'000'000'000;
  return value && *value <= kMost ? value : std::nullopt;
}

/// Reads `1..5`, or a single number for both bounds.
template <typename Read>
std::optional<Fault::Range> range(std::string_view text, Read read) {
  const std::size_t dots = text.find("..");
  const auto least = read(text.substr(0, dots));
  const auto most = dots == std::string_view::npos ? least : read(text.substr(dots + 2));
  if (!least || !most || *least > *most) return std::nullopt;
  return Fault::Range{*least, *most};
}

template <std::optional<std::uint64_t> (*Read)(std::string_view)>
Result<void> set_amount(Fault& fault, const std::string& value) {
  const auto read = range(value, Read);
  if (!read) return unexpected_value();
  fault.amount = *read;
  fault.amount_is_time = Read == milliseconds;
  return {};
}

Result<void> set_drop(Fault& fault, const std::string& value) {
  if (set_amount<count>(fault, value)) return {};
  return set_amount<milliseconds>(fault, value);
}

Result<void> set_status(Fault& fault, const std::string& value) {
  if (value != "429" && value != "500") return unexpected_value();
  fault.status = value == "429" ? 429 : 500;
  return {};
}

Result<void> set_reset(Fault& fault, const std::string& value) {
  if (value == "before") {
    fault.reset = Fault::Reset::before;
  } else if (value == "after") {
    fault.reset = Fault::Reset::after;
  } else if (value == "body") {
    fault.reset = Fault::Reset::body;
  } else {
    return unexpected_value();
  }
  return {};
}

Result<void> set_expired(Fault&, const std::string& value) {
  return value == "true" ? Result<void>() : unexpected_value();
}

Result<void> set_probability(Fault& fault, const std::string& value) {
  const auto read = number<double>(value);
  if (!read || !(*read > 0) || *read > 1) return unexpected_value();
  fault.probability = *read;
  return {};
}

template <std::string Fault::*Field>
Result<void> set_pattern(Fault& fault, const std::string& value) {
  if (value.empty()) return unexpected_value();
  fault.*Field = value;
  return {};
}

template <typename Field, Field Fault::*Member>
Result<void> set_number(Fault& fault, const std::string& value) {
  const auto read = number<std::uint64_t>(value);
  if (!read) return unexpected_value();
  fault.*Member = *read;
  return {};
}

const std::array<Key, 15> keys{{
    {"latency", "a time like 200ms, or a range like 50ms..2s", set_amount<milliseconds>, Kind::latency},
    {"status", "429 or 500", set_status, Kind::status},
    {"reset", "before, after (the request is handled) or body (in the middle of the answer)", set_reset, Kind::reset},
    {"drop-watch", "a number of events like 5, a time like 10s, or a range like 1..20", set_drop, Kind::drop_watch},
    {"expired", "no value", set_expired, Kind::expired},
    {"stale", "a number of versions like 3, or a range like 1..10", set_amount<count>, Kind::stale},
    {"lag", "a time like 2s, or a range like 50ms..2s", set_amount<milliseconds>, Kind::lag},
    {"path", "a path, * for any text", set_pattern<&Fault::path>, std::nullopt, false},
    {"user", "a user name, * for any text", set_pattern<&Fault::user>, std::nullopt, false},
    {"verb", "a verb like get, * for any text", set_pattern<&Fault::verb>, std::nullopt, false},
    {"resource", "a resource like pods or leases.coordination.k8s.io, * for any text", set_pattern<&Fault::resource>,
     std::nullopt},
    {"p", "a number above 0 and up to 1", set_probability, std::nullopt, false},
    {"seed", "a whole number", set_number<std::uint64_t, &Fault::seed>, std::nullopt},
    {"times", "a whole number", set_number<std::optional<std::uint64_t>, &Fault::times>, std::nullopt, false},
    {"retry-after", "whole seconds", set_number<std::uint64_t, &Fault::retry_after>, std::nullopt, false},
}};

std::string names(bool kinds) {
  std::string out;
  for (const Key& key : keys) {
    if (key.kind.has_value() == kinds) out += (out.empty() ? "" : ", ") + std::string(key.name);
  }
  return out;
}

/// Fields that are shown but not set: a client may send back what it was shown.
bool is_count(std::string_view name) {
  return name == "matched" || name == "hits";
}

Result<void> set(Fault& fault, const Key& key, const std::string& value, bool& has_kind) {
  if (key.kind) {
    if (has_kind) return input_error("", "one fault does one thing, this one more", "write two faults");
    has_kind = true;
    fault.kind = *key.kind;
  }
  if (key.set(fault, value)) return {};
  return input_error("", std::string(key.name) + "=" + value + ": expected " + key.expected);
}

}  // namespace

Result<Fault> Fault::from_json(const Object& object) {
  if (!object.is_object()) return input_error("", "expected a fault as an object like {\"latency\": \"200ms\"}");
  Fault fault;
  bool has_kind = false;
  for (const auto& [name, value] : object.items()) {
    if (is_count(name)) continue;
    const auto* const key = std::find_if(keys.begin(), keys.end(), [&](const Key& own) { return own.name == name; });
    if (key == keys.end()) {
      return input_error("", "\"" + name + "\" is no part of a fault",
                         "there are " + names(true) + "; and besides " + names(false));
    }
    if (value.is_structured() || value.is_null()) return input_error("", name + ": expected " + key->expected);
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (Result<void> done = set(fault, *key, text, has_kind); !done) return tl::unexpected<Error>(done.error());
    fault.source[name] = value;
  }
  if (!has_kind) return input_error("", "it does not say what goes wrong", "there are " + names(true));
  if (fault.kind != Kind::status || fault.status != 429) {
    if (object.contains("retry-after")) return input_error("", "retry-after is for status=429 alone");
  }
  if (fault.kind != Kind::lag) return fault;
  for (const Key& key : keys) {
    if (key.of_lag || !object.contains(key.name)) continue;
    return input_error("", std::string(key.name) + " means nothing for a lag, which is of no request",
                       "a lag takes resource and seed");
  }
  return fault;
}

Result<Fault> Fault::parse(std::string_view text) {
  Object object = Object::object();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name(part.substr(0, equals));
    if (name.empty()) return input_error("", "expected NAME=VALUE, found \"" + std::string(part) + "\"");
    if (object.contains(name)) return input_error("", name + " is given twice");
    object[name] = equals == part.size() ? "true" : std::string(part.substr(equals + 1));
  }
  return from_json(object);
}

}  // namespace nodebound::faults
