#include "fakes/spdy/frame.h"

#include <array>
#include <zlib.h>

namespace nodebound::spdy {
namespace {

constexpr unsigned control = 0x8000;
constexpr unsigned version = 3;
constexpr unsigned last_flag = 1;
constexpr std::size_t head_size = 8;
constexpr std::size_t most_header_bytes = 1U << 16U;

// The dictionary of SPDY/3, section 2.6.10.1: words with their lengths, then text without.
constexpr std::string_view dictionary_words[] = {"options",
                                                 "head",
                                                 "post",
                                                 "put",
                                                 "delete",
                                                 "trace",
                                                 "accept",
                                                 "accept-charset",
                                                 "accept-encoding",
                                                 "accept-language",
                                                 "accept-ranges",
                                                 "age",
                                                 "allow",
                                                 "authorization",
                                                 "cache-control",
                                                 "connection",
                                                 "content-base",
                                                 "content-encoding",
                                                 "content-language",
                                                 "content-length",
                                                 "content-location",
                                                 "content-md5",
                                                 "content-range",
                                                 "content-type",
                                                 "date",
                                                 "etag",
                                                 "expect",
                                                 "expires",
                                                 "from",
                                                 "host",
                                                 "if-match",
                                                 "if-modified-since",
                                                 "if-none-match",
                                                 "if-range",
                                                 "if-unmodified-since",
                                                 "last-modified",
                                                 "location",
                                                 "max-forwards",
                                                 "pragma",
                                                 "proxy-authenticate",
                                                 "proxy-authorization",
                                                 "range",
                                                 "referer",
                                                 "retry-after",
                                                 "server",
                                                 "te",
                                                 "trailer",
                                                 "transfer-encoding",
                                                 "upgrade",
                                                 "user-agent",
                                                 "vary",
                                                 "via",
                                                 "warning",
                                                 "www-authenticate",
                                                 "method",
                                                 "get",
                                                 "status",
                                                 "200 OK",
                                                 "version",
                                                 "HTTP/1.1",
                                                 "url",
                                                 "public",
                                                 "set-cookie",
                                                 "keep-alive",
                                                 "origin"};

constexpr std::string_view dictionary_tail =
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Au"
    "thoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidd"
    "en404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr Ma"
    "y Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,imag"
    "e/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicpri"
    "vatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

std::uint32_t number(std::string_view text, std::size_t at, std::size_t size) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < size; ++i) out = out << 8U | static_cast<unsigned char>(text[at + i]);
  return out;
}

void append(std::string& out, std::uint32_t value, std::size_t size) {
  for (; size > 0; --size) out += static_cast<char>(value >> (8 * (size - 1)) & 0xFFU);
}

void append(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint32_t>(text.size()), 4);
  out += text;
}

const std::string& dictionary() {
  static const std::string all = [] {
    std::string out;
    for (const std::string_view word : dictionary_words) append(out, word);
    return out.append(dictionary_tail);
  }();
  return all;
}

const Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

/// Name and value pairs, as they stand in a block once it is inflated.
std::optional<Headers> parse(std::string_view block) {
  Headers out;
  const auto take = [&]() -> std::optional<std::string> {
    if (block.size() < 4) return std::nullopt;
    const std::size_t size = number(block, 0, 4);
    if (size > block.size() - 4) return std::nullopt;
    std::string text(block.substr(4, size));
    block.remove_prefix(4 + size);
    return text;
  };
  if (block.size() < 4) return std::nullopt;
  std::uint32_t pairs = number(block, 0, 4);
  block.remove_prefix(4);
  for (; pairs > 0; --pairs) {
    auto name = take();
    auto value = take();
    if (!name || !value) return std::nullopt;
    out[std::move(*name)] = std::move(*value);
  }
  return out;
}

}  // namespace

std::string write(const SpdyFrame& frame) {
  std::string out;
  if (frame.type == Type::data) {
    append(out, frame.stream, 4);
  } else {
    append(out, control | version, 2);
    append(out, static_cast<std::uint32_t>(frame.type), 2);
  }
  append(out, frame.last ? last_flag : 0U, 1);
  append(out, static_cast<std::uint32_t>(frame.payload.size()), 3);
  return out + frame.payload;
}

std::optional<SpdyFrame> take_frame(std::string& input) {
  if (input.size() < head_size) return std::nullopt;
  const std::size_t size = number(input, 5, 3);
  if (size > longest_frame || input.size() < head_size + size) return std::nullopt;
  SpdyFrame out;
  out.last = (number(input, 4, 1) & last_flag) != 0;
  out.payload = input.substr(head_size, size);
  const bool is_control = (number(input, 0, 2) & control) != 0;
  out.type = is_control ? static_cast<Type>(number(input, 2, 2)) : Type::data;
  if (!is_control) out.stream = number(input, 0, 4);
  const bool names_stream = out.type == Type::syn_stream || out.type == Type::syn_reply || out.type == Type::rst_stream;
  if (is_control && names_stream && size >= 4) out.stream = number(out.payload, 0, 4) & 0x7FFFFFFFU;
  input.erase(0, head_size + size);
  return out;
}

struct HeaderInflater::Inflation {
  Inflation() { ready = inflateInit(&stream) == Z_OK; }
  ~Inflation() { inflateEnd(&stream); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  z_stream stream{};
  bool ready = false;
};

HeaderInflater::HeaderInflater() : inflation_(std::make_unique<Inflation>()) {}
HeaderInflater::~HeaderInflater() = default;

std::optional<Headers> HeaderInflater::read(std::string_view block) {
  if (!inflation_->ready) return std::nullopt;
  z_stream& stream = inflation_->stream;
  stream.next_in = const_cast<Bytef*>(bytes_of(block));
  stream.avail_in = static_cast<uInt>(block.size());
  std::string out;
  std::array<char, 4096> piece{};
  do {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    int result = inflate(&stream, Z_SYNC_FLUSH);
    if (result == Z_NEED_DICT) {
      result = inflateSetDictionary(&stream, bytes_of(dictionary()), static_cast<uInt>(dictionary().size()));
      if (result == Z_OK) continue;
    }
    // Z_BUF_ERROR: nothing is left to do.
    if (result != Z_OK && result != Z_BUF_ERROR) return std::nullopt;
    out.append(piece.data(), piece.size() - stream.avail_out);
    if (result == Z_BUF_ERROR) break;
  } while (out.size() <= most_header_bytes && (stream.avail_in > 0 || stream.avail_out == 0));
  return out.size() > most_header_bytes ? std::nullopt : parse(out);
}

struct HeaderDeflater::Deflation {
  Deflation() {
    ready = deflateInit(&stream, Z_DEFAULT_COMPRESSION) == Z_OK &&
            deflateSetDictionary(&stream, bytes_of(dictionary()), static_cast<uInt>(dictionary().size())) == Z_OK;
  }
  ~Deflation() { deflateEnd(&stream); }
  Deflation(const Deflation&) = delete;
  Deflation& operator=(const Deflation&) = delete;

  z_stream stream{};
  bool ready = false;
};

HeaderDeflater::HeaderDeflater() : deflation_(std::make_unique<Deflation>()) {}
HeaderDeflater::~HeaderDeflater() = default;

std::string HeaderDeflater::write(const Headers& headers) {
  std::string plain;
  append(plain, static_cast<std::uint32_t>(headers.size()), 4);
  for (const auto& [name, value] : headers) {
    append(plain, name);
    append(plain, value);
  }
  std::string out;
  if (!deflation_->ready) return out;
  z_stream& stream = deflation_->stream;
  stream.next_in = const_cast<Bytef*>(bytes_of(plain));
  stream.avail_in = static_cast<uInt>(plain.size());
  std::array<char, 4096> piece{};
  do {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    deflate(&stream, Z_SYNC_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  } while (stream.avail_out == 0);
  return out;
}

}  // namespace nodebound::spdy
