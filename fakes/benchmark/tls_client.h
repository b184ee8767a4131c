#pragma once

#include <cstdint>
#include <memory>
#include <openssl/ssl.h>
#include <string>
#include <string_view>

namespace nodebound {

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* tls) const { SSL_free(tls); }
};

/// A client's certificate and key, in PEM files. It trusts any server.
class TlsContext {
 public:
  /// Throws if they cannot be read.
  TlsContext(const std::string& certificate_file, const std::string& key_file);

  [[nodiscard]] SSL_CTX* get() const { return context_.get(); }

 private:
  std::unique_ptr<SSL_CTX, FreeTls> context_;
};

/// One connection to 127.0.0.1, for one thread, with blocking calls. It throws on errors.
class TlsClient {
 public:
  TlsClient(const TlsContext& context, std::uint16_t port);

  void write(std::string_view request);
  /// Reads a whole answer, drops its body and returns its status.
  int read_answer();

 private:
  void read_more();
  void take(std::size_t size);
  std::string take_until(std::string_view end);

  std::unique_ptr<SSL, FreeTls> tls_;
  std::string input_;
};

}  // namespace nodebound
