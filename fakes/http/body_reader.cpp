#include "fakes/http/body_reader.h"

#include <algorithm>

#include "fakes/http/header_reader.h"

namespace nodebound {
namespace {

/// The buffer size of net/http: a line between chunks, or the whole trailer, must fit.
constexpr std::size_t kBuffer = 4096;
constexpr std::int64_t kMostExcess = 16 * 1024;
constexpr std::size_t kMostDigits = 16;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

BodyReader::BodyReader(bool chunked, std::uint64_t length)
    : chunked_(chunked),
      left_(chunked ? 0 : length),
      state_(chunked || length > 0 ? State::more : State::done),
      part_(chunked ? Part::size : Part::data) {}

std::size_t BodyReader::broken(std::string error) {
  error_ = std::move(error);
  state_ = State::broken;
  return 0;
}

std::size_t BodyReader::read(std::string_view input) {
  std::size_t taken = 0;
  while (state_ == State::more) {
    const std::string_view rest = input.substr(taken);
    const Part before = part_;
    std::size_t size = 0;
    switch (part_) {
      case Part::size:
        size = read_size(rest);
        break;
      case Part::data:
        size = read_data(rest);
        break;
      case Part::data_end:
        size = read_data_end(rest);
        break;
      case Part::trailer:
        size = read_trailer(rest);
        break;
    }
    taken += size;
    if (size == 0 && part_ == before) break;
  }
  return taken;
}

std::size_t BodyReader::read_data(std::string_view input) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
  if (keeps_) body_ += input.substr(0, size);
  left_ -= size;
  received_ += size;
  if (left_ == 0) {
    part_ = Part::data_end;
    if (!chunked_) state_ = State::done;
  }
  return size;
}

std::size_t BodyReader::read_size(std::string_view input) {
  const std::size_t end = input.substr(0, kBuffer).find('\n');
  if (end == std::string_view::npos) return input.size() < kBuffer ? 0 : broken("header line too long");
  const std::size_t carriage = input.find('\r');
  if (carriage >= end) return broken("chunked line ends with bare LF");
  if (carriage + 1 != end) return broken("invalid CR in chunked line");
  if (std::string error = begin_chunk(input.substr(0, carriage)); !error.empty()) return broken(std::move(error));
  part_ = left_ == 0 ? Part::trailer : Part::data;
  return end + 1;
}

std::string BodyReader::begin_chunk(std::string_view line) {
  excess_ += static_cast<std::int64_t>(line.size()) + 2;
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  line = line.substr(0, line.find(';'));
  if (line.empty()) return "empty hex number for chunk length";
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const int digit = hex_digit(line[i]);
    if (digit < 0) return "invalid byte in chunk length";
    if (i == kMostDigits) return "http chunk length too large";
    size = size << 4U | static_cast<std::uint64_t>(digit);
  }
  left_ = size;
  // A client may send tiny chunks for ever; it may not send much more framing than data.
  excess_ = std::max<std::int64_t>(excess_ - 16 - static_cast<std::int64_t>(2 * size), 0);
  return excess_ > kMostExcess ? "chunked encoding contains too much non-data" : "";
}

std::size_t BodyReader::read_data_end(std::string_view input) {
  if (input.size() < 2) return 0;
  if (!input.starts_with("\r\n")) return broken("malformed chunked encoding");
  part_ = Part::size;
  return 2;
}

std::size_t BodyReader::read_trailer(std::string_view input) {
  if (input.size() < 2) return 0;
  if (input.starts_with("\r\n")) {
    state_ = State::done;
    return 2;
  }
  if (input.substr(0, kBuffer).find("\r\n\r\n") == std::string_view::npos) {
    return input.size() < kBuffer ? 0 : broken("http: suspiciously long trailer after chunked body");
  }
  HeaderReader trailer;
  if (trailer.read(input) != HeaderReader::State::done) return broken(trailer.error());
  state_ = State::done;
  return trailer.taken();
}

}  // namespace nodebound
