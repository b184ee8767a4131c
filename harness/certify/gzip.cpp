#include "harness/certify/gzip.h"

#include <algorithm>
#include <new>
#include <zlib.h>

namespace nodebound::certify {
namespace {

constexpr int gzip_window = MAX_WBITS + 16;
constexpr std::size_t block_size = std::size_t{1} << 18U;

// zlib takes sizes as 32 bits.
uInt part_of(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::size_t{1} << 30U));
}

Bytef* bytes_at(std::string_view text) {
  // zlib's interface does not say that it only reads.
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT(cppcoreguidelines-pro-type-*)
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out;
  std::string block(block_size, '\0');
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      stream.avail_in = part_of(bytes.size());
      stream.next_in = bytes_at(bytes);
      bytes.remove_prefix(stream.avail_in);
    }
    stream.next_out = bytes_at(block);
    stream.avail_out = part_of(block.size());
    state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(block, 0, block.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

struct GzipLines::Stream {
  explicit Stream(std::string_view compressed) : rest(compressed) {
    if (inflateInit2(&z, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  z_stream z{};
  std::string_view rest;
};

GzipLines::GzipLines(std::string_view compressed, std::string where, Limits limits)
    : where_(std::move(where)), limits_(limits), stream_(std::make_unique<Stream>(compressed)) {}

GzipLines::~GzipLines() = default;

// False at the end of the file.
Result<bool> GzipLines::inflate_more() {
  z_stream& z = stream_->z;
  if (z.avail_in == 0) {
    z.avail_in = part_of(stream_->rest.size());
    z.next_in = bytes_at(stream_->rest);
    stream_->rest.remove_prefix(z.avail_in);
  }
  if (z.avail_in == 0) {
    if (!in_member_) return false;
    return input_error(where_, "ends in the middle", "it was cut off: get it anew");
  }
  in_member_ = true;
  std::string block(block_size, '\0');
  z.next_out = bytes_at(block);
  z.avail_out = part_of(block.size());
  const int state = inflate(&z, Z_NO_FLUSH);
  if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
    return input_error(where_, "is not what gzip writes, or was changed", "get it anew");
  }
  const std::size_t size = block.size() - z.avail_out;
  inflated_ += size;
  if (inflated_ > limits_.all) {
    return input_error(where_, "holds more than " + std::to_string(limits_.all) + " bytes once decompressed");
  }
  read_.append(block, 0, size);
  if (state == Z_STREAM_END) {
    in_member_ = false;
    inflateReset(&z);
  }
  return true;
}

Result<std::optional<std::string>> GzipLines::next() {
  std::size_t looked = at_;
  for (;;) {
    const std::size_t end = read_.find('\n', looked);
    if (end != std::string::npos) {
      std::string line = read_.substr(at_, end - at_);
      at_ = end + 1;
      return line;
    }
    if (read_.size() - at_ > limits_.line) {
      return input_error(where_, "has a line of more than " + std::to_string(limits_.line) + " bytes");
    }
    read_.erase(0, at_);
    at_ = 0;
    looked = read_.size();
    const Result<bool> more = inflate_more();
    if (!more) return tl::unexpected<Error>(more.error());
    if (*more) continue;
    if (read_.empty()) return std::nullopt;
    return input_error(where_, "ends in the middle of a line", "it was cut off: get it anew");
  }
}

}  // namespace nodebound::certify
