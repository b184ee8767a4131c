#include "fakes/wire/protobuf/wire_check.h"

#include <cstdint>

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

enum WireType : unsigned { varint = 0, fixed64 = 1, bytes = 2, start_group = 3, end_group = 4, fixed32 = 5 };

constexpr const char* cut_off = "unexpected EOF";
// How deeply an unknown field may nest groups; the limit of protobuf's library.
constexpr int deepest_groups = 100;
// An empty message takes two bytes in a body and hundreds in memory. No storable object has this many.
constexpr int most_messages = 250'000;

/// Reads numbers and pieces from the beginning of a message.
class Reader {
 public:
  /// `left`: how many nested messages are still allowed.
  Reader(std::string_view text, const Descriptor& message, int& left) : text_(text), message_(message), left_(left) {}

  std::optional<std::string> error() {
    while (!text_.empty() && error_.empty()) field();
    return error_.empty() ? std::nullopt : std::optional(std::move(error_));
  }

 private:
  bool fail(const std::string& what) {
    if (error_.empty()) error_ = what;
    return false;
  }

  bool number(std::uint64_t& out) {
    out = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (shift >= 64) return fail("proto: integer overflow");
      if (text_.empty()) return fail(cut_off);
      const auto byte = static_cast<unsigned char>(text_.front());
      text_.remove_prefix(1);
      out |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return true;
    }
  }

  bool piece(std::string_view& out) {
    std::uint64_t length = 0;
    if (!number(length)) return false;
    if (static_cast<std::int64_t>(length) < 0) return fail("proto: negative length found during unmarshaling");
    if (length > text_.size()) return fail(cut_off);
    out = text_.substr(0, length);
    text_.remove_prefix(length);
    return true;
  }

  bool skip(std::uint64_t count) {
    if (count > text_.size()) return fail(cut_off);
    text_.remove_prefix(count);
    return true;
  }

  void field() {
    std::uint64_t tag = 0;
    if (!number(tag)) return;
    const auto type = static_cast<unsigned>(tag & 7U);
    const auto id = static_cast<std::int32_t>(tag >> 3U);
    const std::string& name = message_.name();
    if (type == end_group) {
      fail("proto: " + name + ": wiretype end group for non-group");
    } else if (id <= 0) {
      fail("proto: " + name + ": illegal tag " + std::to_string(id) + " (wire type " + std::to_string(type) + ")");
    } else if (const FieldDescriptor* known = message_.FindFieldByNumber(id)) {
      value(*known, type);
    } else {
      unknown(type, 0);
    }
  }

  void value(const FieldDescriptor& field, unsigned type) {
    const bool is_number =
        field.cpp_type() != FieldDescriptor::CPPTYPE_STRING && field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE;
    if (type != (is_number ? varint : bytes)) {
      std::string name = field.name();
      name.front() =
          static_cast<char>(name.front() >= 'a' && name.front() <= 'z' ? name.front() - 'a' + 'A' : name.front());
      fail("proto: wrong wireType = " + std::to_string(type) + " for field " + name);
      return;
    }
    std::uint64_t ignored = 0;
    std::string_view inner;
    if (is_number) {
      number(ignored);
    } else if (piece(inner) && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      if (--left_ < 0) {
        fail("proto: more than " + std::to_string(most_messages) + " messages in one");
        return;
      }
      // No message type contains itself, so the recursion ends.
      if (std::optional<std::string> error = Reader(inner, *field.message_type(), left_).error()) fail(*error);
    }
  }

  bool unknown(unsigned type, int depth) {
    std::uint64_t ignored = 0;
    std::string_view inner;
    switch (type) {
      case varint:
        return number(ignored);
      case fixed64:
        return skip(8);
      case bytes:
        return piece(inner);
      case fixed32:
        return skip(4);
      case start_group:
        return group(depth + 1);
      default:
        return fail("proto: illegal wireType " + std::to_string(type));
    }
  }

  bool group(int depth) {
    if (depth > deepest_groups) return fail("proto: exceeded max depth");
    std::uint64_t tag = 0;
    while (number(tag)) {
      if ((tag & 7U) == end_group) return true;
      if (!unknown(static_cast<unsigned>(tag & 7U), depth)) return false;
    }
    return false;
  }

  std::string_view text_;
  const Descriptor& message_;
  int& left_;
  std::string error_;
};

}  // namespace

std::optional<std::string> wire_error(std::string_view bytes, const Descriptor& message) {
  int left = most_messages;
  return Reader(bytes, message, left).error();
}

}  // namespace nodebound
