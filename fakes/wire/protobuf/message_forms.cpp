#include "fakes/wire/protobuf/message_forms.h"

#include <array>
#include <cstdio>

#include "fakes/wire/go/json.h"
#include "fakes/wire/timestamp.h"
#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr std::int32_t nanos_in_micro = 1'000;
constexpr std::int32_t nanos_in_second = 1'000'000'000;

const FieldDescriptor& field_of(const Message& message, int number) {
  return *message.GetDescriptor()->FindFieldByNumber(number);
}

std::string text_of(const Message& message, int number) {
  return message.GetReflection()->GetString(message, &field_of(message, number));
}

bool has(const Message& message, int number) {
  return message.GetReflection()->HasField(message, &field_of(message, number));
}

void set_text(Message& message, int number, std::string text) {
  message.GetReflection()->SetString(&message, &field_of(message, number), std::move(text));
}

Object time_of(const Message& message, bool with_micros) {
  if (!has(message, 1) && !has(message, 2)) return nullptr;
  std::int64_t seconds = message.GetReflection()->GetInt64(message, &field_of(message, 1));
  if (!with_micros) return timestamp_of_seconds(seconds);
  std::int32_t nanos = message.GetReflection()->GetInt32(message, &field_of(message, 2));
  seconds += nanos / nanos_in_second - (nanos % nanos_in_second < 0 ? 1 : 0);
  nanos = (nanos % nanos_in_second + nanos_in_second) % nanos_in_second;
  std::string out = timestamp_of_seconds(seconds);
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06dZ", nanos / nanos_in_micro);
  return out.replace(out.size() - 1, 1, fraction.data());
}

// The fraction of a second, in nanoseconds.
std::int32_t nanos_of(std::string_view timestamp) {
  const std::size_t point = timestamp.find('.');
  if (point == std::string_view::npos) return 0;
  std::int32_t out = 0;
  std::int32_t unit = nanos_in_second / 10;
  for (const char c : timestamp.substr(point + 1)) {
    if (c < '0' || c > '9' || unit == 0) break;
    out += (c - '0') * unit;
    unit /= 10;
  }
  return out;
}

void set_time(Message& message, const Object& value, bool with_micros) {
  if (!value.is_string()) return;
  const std::string& text = value.get_ref<const std::string&>();
  const std::optional<std::int64_t> seconds = seconds_of(text);
  if (!seconds) return;
  const std::int32_t nanos = with_micros ? nanos_of(text) / nanos_in_micro * nanos_in_micro : 0;
  message.GetReflection()->SetInt64(&message, &field_of(message, 1), *seconds);
  message.GetReflection()->SetInt32(&message, &field_of(message, 2), nanos);
}

Object int_or_string_of(const Message& message) {
  if (message.GetReflection()->GetInt64(message, &field_of(message, 1)) != 0) {
    return valid_utf8(text_of(message, 3));
  }
  return message.GetReflection()->GetInt32(message, &field_of(message, 2));
}

void set_int_or_string(Message& message, const Object& value) {
  const std::int32_t number = value.is_number_integer() ? value.get<std::int32_t>() : 0;
  message.GetReflection()->SetInt64(&message, &field_of(message, 1), value.is_string() ? 1 : 0);
  message.GetReflection()->SetInt32(&message, &field_of(message, 2), number);
  set_text(message, 3, value.is_string() ? value.get<std::string>() : std::string());
}

}  // namespace

encoding::Form form_of(const Message& message) {
  return message.GetDescriptor()->options().GetExtension(encoding::form);
}

Object value_of(const Message& message, encoding::Form form) {
  switch (form) {
    case encoding::TIME:
    case encoding::MICRO_TIME:
      return time_of(message, form == encoding::MICRO_TIME);
    case encoding::JSON:
      return read_json(text_of(message, 1)).value_or(nullptr);
    case encoding::QUANTITY:
      return valid_utf8(text_of(message, 1));
    case encoding::INT_OR_STRING:
      return int_or_string_of(message);
    default:
      return nullptr;
  }
}

void set_value(Message& message, encoding::Form form, const Object& value) {
  switch (form) {
    case encoding::TIME:
    case encoding::MICRO_TIME:
      return set_time(message, value, form == encoding::MICRO_TIME);
    case encoding::JSON:
      if (value.is_null()) return;
      return set_text(message, 1, value.dump(-1, ' ', false, Object::error_handler_t::replace));
    case encoding::QUANTITY:
      return set_text(message, 1,
                      value.is_string()   ? value.get<std::string>()
                      : value.is_number() ? value.dump()
                                          : std::string("0"));
    case encoding::INT_OR_STRING:
      return set_int_or_string(message, value);
    default:
      return;
  }
}

}  // namespace nodebound
