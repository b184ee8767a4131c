#include "fakes/proxy/backend_link.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <openssl/x509_vfy.h>

namespace nodebound::proxy {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr int switching_protocols = 101;
constexpr int most_informational = 5;  ///< net/http takes no more answers of 1xx before the one that counts

HeaderFields fields_of(const http::fields& fields) {
  HeaderFields out;
  for (const auto& field : fields) {
    std::string name(field.name_string());
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    out.emplace_back(std::move(name), std::string(field.value()));
  }
  return out;
}

/// The other side's bytes, for the client's connection. The link ends with it.
class LinkBody final : public DuplexStream {
 public:
  explicit LinkBody(std::shared_ptr<BackendLink> link) : link_(std::move(link)) {}
  ~LinkBody() override { link_->close(); }

  LinkBody(const LinkBody&) = delete;
  LinkBody& operator=(const LinkBody&) = delete;

  bool take(std::string& out) override { return link_->take(out); }
  void on_ready(std::function<void()> notify) override { link_->on_ready(std::move(notify)); }
  [[nodiscard]] bool broken() const override { return link_->cut_off(); }
  void receive(std::string_view bytes) override { link_->receive(bytes); }
  [[nodiscard]] bool full() const override { return link_->full(); }

 private:
  std::shared_ptr<BackendLink> link_;
};

}  // namespace

BackendLink::BackendLink(asio::io_context& context, asio::ssl::context& tls, const Onward& to,
                         const Backends::Options& options)
    : context_(context),
      stream_(context, tls),
      to_(to),
      options_(options),
      deadline_(Clock::now() + options.time),
      buffer_(options.head_bytes + piece_size) {}

template <typename Start>
BackendLink::Error BackendLink::wait_for(Start start) {
  const auto done = std::make_shared<std::promise<Error>>();
  std::future<Error> result = done->get_future();
  asio::post(context_, [self = shared_from_this(), start, done] {
    start([self, done](const Error& error, auto&&...) { done->set_value(error); });
  });
  if (result.wait_until(deadline_) == std::future_status::ready) return result.get();
  close();
  result.wait();
  return asio::error::timed_out;
}

Backends::Failure BackendLink::failure_of(const Error& error, bool dialing) const {
  const std::string dial = "dial tcp " + to_.authority() + ": ";
  if (error == asio::error::timed_out)
    return {dialing, dialing ? dial + "i/o timeout" : "timeout awaiting response headers"};
  if (error == asio::error::host_not_found || error == asio::error::host_not_found_try_again) {
    return {true, "dial tcp: lookup " + to_.host + ": no such host"};
  }
  if (error == asio::error::connection_refused) return {true, dial + "connect: connection refused"};
  if (error == asio::error::host_unreachable) return {true, dial + "connect: no route to host"};
  if (error == http::error::end_of_stream || error == asio::error::eof || error == asio::ssl::error::stream_truncated) {
    return {dialing, "EOF"};
  }
  if (error == http::error::partial_message) return {dialing, "unexpected EOF"};
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return {dialing,
            "net/http: server response headers exceeded " + std::to_string(options_.head_bytes) + " bytes; aborted"};
  }
  return {dialing, dialing ? dial + error.message() : error.message()};
}

std::optional<Backends::Failure> BackendLink::connect() {
  tcp::resolver resolver(context_);
  Endpoints endpoints;
  Error error = wait_for([&](auto done) {
    resolver.async_resolve(to_.host, to_.port, [&endpoints, done](const Error& failed, const Endpoints& found) {
      endpoints = found;
      done(failed);
    });
  });
  if (!error) {
    error = wait_for([&](auto done) { asio::async_connect(stream_.next_layer(), endpoints, std::move(done)); });
  }
  if (error) return failure_of(error, true);
  stream_.next_layer().set_option(tcp::no_delay(true), error);
  return to_.tls ? shake_hands() : std::nullopt;
}

std::optional<Backends::Failure> BackendLink::shake_hands() {
  const bool verifies = to_.kubelet && !to_.skip_verification && !options_.kubelet_ca_pem.empty();
  stream_.set_verify_mode(verifies ? asio::ssl::verify_peer : asio::ssl::verify_none);
  if (verifies) stream_.set_verify_callback(asio::ssl::host_name_verification(to_.host));
  const Error error =
      wait_for([&](auto done) { stream_.async_handshake(asio::ssl::stream_base::client, std::move(done)); });
  if (!error) return std::nullopt;
  const long verified = SSL_get_verify_result(stream_.native_handle());
  if (verifies && verified != X509_V_OK) {
    return Backends::Failure{
        true, std::string("tls: failed to verify certificate: x509: ") +
                  (verified == X509_V_ERR_APPLICATION_VERIFICATION || verified == X509_V_ERR_HOSTNAME_MISMATCH
                       ? "certificate is not valid for " + to_.host
                       : "certificate signed by unknown authority")};
  }
  return failure_of(error, true);
}

BackendLink::Error BackendLink::read_head(bool is_head) {
  for (int i = 0; i <= most_informational; ++i) {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(options_.head_bytes));
    parser_->body_limit(boost::none);
    parser_->skip(is_head);
    const Error error = wait_for([&](auto done) {
      over_transport([&](auto& stream) { http::async_read_header(stream, buffer_, *parser_, std::move(done)); });
    });
    if (error) return error;
    const unsigned status = parser_->get().result_int();
    if (status >= 200 || status == switching_protocols) return {};
  }
  return http::make_error_code(http::error::bad_status);
}

tl::expected<Backends::Answer, Backends::Failure> BackendLink::ask(const std::string& bytes, bool is_head) {
  if (auto failed = connect()) {
    close();
    return tl::unexpected(std::move(*failed));
  }
  Error error = wait_for([&](auto done) {
    over_transport([&](auto& stream) { asio::async_write(stream, asio::buffer(bytes), std::move(done)); });
  });
  if (!error) error = read_head(is_head);
  if (error) {
    close();
    return tl::unexpected(failure_of(error, false));
  }
  Backends::Answer out;
  out.status = static_cast<int>(parser_->get().result_int());
  out.headers = fields_of(parser_->get());
  out.body = std::make_shared<LinkBody>(shared_from_this());
  upgraded_ = out.status == switching_protocols;
  begin_body();
  return out;
}

void BackendLink::begin_body() {
  if (upgraded_) {
    // What came with the head belongs to the new protocol.
    const auto data = buffer_.data();
    in_.assign(static_cast<const char*>(data.data()), data.size());
    buffer_.clear();
  }
  asio::post(context_, [self = shared_from_this()] { self->read(); });
}

void BackendLink::read() {
  if (reading_) return;
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || in_.size() >= options_.waiting_bytes) return;
  }
  reading_ = true;
  auto handler = [self = shared_from_this()](const Error& error, std::size_t bytes) { self->came(error, bytes); };
  if (upgraded_) {
    over_transport([&](auto& stream) { stream.async_read_some(asio::buffer(piece_), std::move(handler)); });
    return;
  }
  if (parser_->is_done()) {
    reading_ = false;
    return end(true);
  }
  parser_->get().body().data = piece_.data();
  parser_->get().body().size = piece_.size();
  over_transport([&](auto& stream) { http::async_read_some(stream, buffer_, *parser_, std::move(handler)); });
}

void BackendLink::came(const Error& error, std::size_t bytes) {
  reading_ = false;
  const std::size_t size = upgraded_ ? bytes : piece_.size() - parser_->get().body().size;
  const bool fails = error && error != http::error::need_buffer;
  std::function<void()> notify;
  {
    const std::lock_guard lock(mutex_);
    in_.append(piece_.data(), size);
    notify = notify_;
  }
  if (fails) return end(upgraded_ || parser_->is_done());
  if (notify) notify();
  read();
}

void BackendLink::write() {
  if (writing_) return;
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || out_.empty()) return;
    written_ = std::exchange(out_, {});
  }
  writing_ = true;
  auto done = [self = shared_from_this()](const Error& error, std::size_t) {
    self->writing_ = false;
    self->written_.clear();
    if (error) return self->end(true);
    std::function<void()> notify;
    {
      const std::lock_guard lock(self->mutex_);
      notify = self->notify_;
    }
    if (notify) notify();
    self->write();
  };
  over_transport([&](auto& stream) { asio::async_write(stream, asio::buffer(written_), std::move(done)); });
}

void BackendLink::end(bool whole) {
  std::function<void()> notify;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    cut_off_ = !whole;
    notify = notify_;
  }
  Error ignored;
  stream_.next_layer().close(ignored);
  if (notify) notify();
}

void BackendLink::close() {
  asio::post(context_, [self = shared_from_this()] { self->end(true); });
}

bool BackendLink::take(std::string& out) {
  const std::lock_guard lock(mutex_);
  const bool paused = in_.size() >= options_.waiting_bytes;
  out += in_;
  in_.clear();
  if (paused) asio::post(context_, [self = shared_from_this()] { self->read(); });
  return !ended_;
}

void BackendLink::receive(std::string_view bytes) {
  {
    const std::lock_guard lock(mutex_);
    out_ += bytes;
  }
  asio::post(context_, [self = shared_from_this()] { self->write(); });
}

bool BackendLink::full() const {
  const std::lock_guard lock(mutex_);
  return out_.size() >= options_.waiting_bytes && !ended_;
}

bool BackendLink::cut_off() const {
  const std::lock_guard lock(mutex_);
  return cut_off_;
}

void BackendLink::on_ready(std::function<void()> notify) {
  const std::lock_guard lock(mutex_);
  notify_ = std::move(notify);
}

}  // namespace nodebound::proxy
