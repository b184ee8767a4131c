#include "harness/replay/log_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace nodebound::replay {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18U;
/// A frame that wants a larger window than `zstd` accepts by default could take gigabytes of memory.
constexpr int kMostZstdWindow = 27;

/// Compressed bytes, read block by block.
struct CompressedBytes {
  TextSource source;
  std::vector<char> block = std::vector<char>(kBlock);
  std::size_t at = 0;
  std::size_t end = 0;

  /// Whether there are bytes.
  bool fill() {
    if (at < end) return true;
    at = 0;
    end = source(block.data(), block.size());
    return end > 0;
  }
};

class GzipText {
 public:
  GzipText(CompressedBytes bytes, std::string& broken) : bytes_(std::move(bytes)), broken_(broken) {
    ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK;
  }
  GzipText(const GzipText&) = delete;
  GzipText& operator=(const GzipText&) = delete;
  ~GzipText() {
    if (ready_) inflateEnd(&stream_);
  }

  std::size_t read(char* to, std::size_t size) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(size, kBlock));
    const uInt wanted = stream_.avail_out;
    while (ready_ && stream_.avail_out == wanted) {
      if (!bytes_.fill()) {
        if (within_) end("the gzip data ends too early");
        break;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(bytes_.block.data() + bytes_.at);
      stream_.avail_in = static_cast<uInt>(bytes_.end - bytes_.at);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      within_ = true;
      bytes_.at = bytes_.end - stream_.avail_in;
      if (result == Z_STREAM_END) {
        // Rotated logs may be several members in one file.
        within_ = false;
        inflateReset(&stream_);
      } else if (result != Z_OK) {
        end("the gzip data is broken");
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  void end(const char* why) {
    broken_ = why;
    inflateEnd(&stream_);
    ready_ = false;
  }

  CompressedBytes bytes_;
  std::string& broken_;
  z_stream stream_{};
  bool ready_ = false;
  bool within_ = false;
};

class ZstdText {
 public:
  ZstdText(CompressedBytes bytes, std::string& broken)
      : bytes_(std::move(bytes)), broken_(broken), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_) ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kMostZstdWindow);
  }

  std::size_t read(char* to, std::size_t size) {
    ZSTD_outBuffer out{to, size, 0};
    while (stream_ && out.pos == 0) {
      // What does not fit into `to` stays in the decoder.
      const bool more = bytes_.fill();
      ZSTD_inBuffer in{bytes_.block.data(), bytes_.end, bytes_.at};
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
      bytes_.at = in.pos;
      if (ZSTD_isError(result) != 0) {
        end(std::string("the zstd data is broken: ") + ZSTD_getErrorName(result));
      } else if (more) {
        within_ = result != 0;
      } else if (out.pos == 0) {
        if (within_) end("the zstd data ends too early");
        break;
      }
    }
    return out.pos;
  }

 private:
  void end(std::string why) {
    broken_ = std::move(why);
    stream_.reset();
  }

  CompressedBytes bytes_;
  std::string& broken_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool within_ = false;
};

}  // namespace

TextSource decompressed(TextSource bytes, std::string& broken) {
  CompressedBytes read;
  read.source = std::move(bytes);
  constexpr std::array<unsigned char, 2> gzip = {0x1f, 0x8b};
  constexpr std::array<unsigned char, 4> zstd = {0x28, 0xb5, 0x2f, 0xfd};
  // A pipe may give a byte at a time.
  while (read.end < zstd.size()) {
    const std::size_t count = read.source(read.block.data() + read.end, read.block.size() - read.end);
    if (count == 0) break;
    read.end += count;
  }
  const auto begins_with = [&](const auto& magic) {
    return read.end >= magic.size() && std::memcmp(read.block.data(), magic.data(), magic.size()) == 0;
  };
  if (begins_with(gzip)) {
    auto text = std::make_shared<GzipText>(std::move(read), broken);
    return [text](char* to, std::size_t size) { return text->read(to, size); };
  }
  if (begins_with(zstd)) {
    auto text = std::make_shared<ZstdText>(std::move(read), broken);
    return [text](char* to, std::size_t size) { return text->read(to, size); };
  }
  auto plain = std::make_shared<CompressedBytes>(std::move(read));
  return [plain](char* to, std::size_t size) -> std::size_t {
    if (plain->at == plain->end) return plain->source(to, size);
    const std::size_t count = std::min(size, plain->end - plain->at);
    std::memcpy(to, plain->block.data() + plain->at, count);
    plain->at += count;
    return count;
  };
}

}  // namespace nodebound::replay
