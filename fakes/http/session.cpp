#include "fakes/http/session.h"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <ctime>
#include <openssl/x509.h>

#include "fakes/http/duplex_stream.h"
#include "fakes/wire/timestamp.h"

namespace nodebound {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::steady_clock;

constexpr std::size_t kPiece = 1U << 18U;
/// How long the rest of a request that was answered early is read and dropped. Closing a connection with unread bytes
/// would reset it, and the client might never see the answer (net/http's closeWriteAndWait).
constexpr std::chrono::milliseconds kLinger{500};

std::string to_der(X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(certificate, &bytes);
  if (size <= 0) return {};
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

std::vector<std::string> chain_of(SSL* tls) {
  std::vector<std::string> chain;
  X509* own = SSL_get0_peer_certificate(tls);
  if (own == nullptr) return chain;
  chain.push_back(to_der(own));
  STACK_OF(X509)* others = SSL_get_peer_cert_chain(tls);
  for (int i = 0; others != nullptr && i < sk_X509_num(others); ++i) chain.push_back(to_der(sk_X509_value(others, i)));
  return chain;
}

}  // namespace

void HttpsSession::Wake::operator()() {
  const std::lock_guard lock(mutex_);
  if (session_ == nullptr) return;
  asio::post(session_->stream_.get_executor(), [weak = session_->weak_from_this()] {
    if (const auto self = weak.lock(); self && !self->ended_ && self->connection_) self->step();
  });
}

void HttpsSession::Wake::forget() {
  const std::lock_guard lock(mutex_);
  session_ = nullptr;
}

const std::string& http_date() {
  thread_local std::time_t made = 0;
  thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now != made) {
    text = utc_text(now, "%a, %d %b %Y %H:%M:%S GMT");
    made = now;
  }
  return text;
}

HttpsSession::HttpsSession(tcp::socket socket, asio::ssl::context& tls, const HttpsServerOptions& options,
                           HttpHandler& handler)
    : stream_(std::move(socket), tls), options_(options), handler_(handler), deadline_(0) {
  allow(options.handshake_time);
}

HttpsSession::~HttpsSession() {
  wake_->forget();
}

void HttpsSession::allow(Time time) {
  deadline_ = (steady_clock::now() + time).time_since_epoch().count();
}

void HttpsSession::expire(steady_clock::time_point now) {
  if (now.time_since_epoch().count() >= deadline_) abort();
}

void HttpsSession::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] { self->end(); });
}

void HttpsSession::finish() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    if (!self->connection_) return self->end();
    self->connection_->finish();
    if (!self->writing_) self->step();
  });
}

void HttpsSession::start() {
  error_code ignored;
  stream_.next_layer().set_option(tcp::no_delay(true), ignored);
  asio::post(stream_.get_executor(),
             [self = shared_from_this()] { self->options_.tls ? self->detect_tls() : self->serve(); });
}

void HttpsSession::detect_tls() {
  stream_.next_layer().async_read_some(asio::buffer(buffer_),
                                       [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                                         if (error || bytes == 0) return self->end();
                                         constexpr char kHandshakeRecord = 22;
                                         if (self->buffer_[0] == kHandshakeRecord) return self->handshake(bytes);
                                         self->answer_plain_http(bytes);
                                       });
}

void HttpsSession::handshake(std::size_t bytes_read) {
  stream_.async_handshake(asio::ssl::stream_base::server, asio::buffer(buffer_.data(), bytes_read),
                          [self = shared_from_this()](const error_code& error, std::size_t) {
                            return error ? self->end() : self->serve();
                          });
}

void HttpsSession::answer_plain_http(std::size_t bytes_read) {
  const std::string_view begin(buffer_.data(), bytes_read);
  bool is_http = false;
  for (const std::string_view method : {"GET /", "HEAD ", "POST ", "PUT /", "OPTIO"})
    is_http |= begin.starts_with(method);
  if (!is_http) return end();
  allow(kLinger);
  out_ = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
  asio::async_write(stream_.next_layer(), asio::buffer(out_),
                    [self = shared_from_this()](const error_code&, std::size_t) { self->drain(); });
}

void HttpsSession::serve() {
  auto peer = std::make_shared<Peer>();
  error_code error;
  const tcp::endpoint remote = stream_.next_layer().remote_endpoint(error);
  if (!error) peer->address = remote.address().to_string();
  peer->certificates = chain_of(stream_.native_handle());
  connection_.emplace(handler_, std::move(peer), options_.limits);
  step();
}

void HttpsSession::step() {
  if (ended_ || writing_) return;
  connection_->set_date(http_date());
  out_ = connection_->advance();
  if (connection_->stream() != watched_) watch_stream();
  const Time delay = connection_->take_delay();
  delay > Time(0) ? wait(delay) : send();
}

void HttpsSession::wait(Time time) {
  writing_ = true;
  allow(time + options_.write_time);
  delay_.emplace(stream_.get_executor(), time);
  delay_->async_wait([self = shared_from_this()](const error_code& error) {
    if (error || self->ended_) return;
    self->writing_ = false;
    self->send();
  });
}

void HttpsSession::send() {
  if (!out_.empty()) {
    written_ = 0;
    return write();
  }
  if (connection_->state() == HttpConnection::State::closing) return close();
  read();
}

void HttpsSession::watch_stream() {
  watched_ = connection_->stream();
  if (watched_ != nullptr) watched_->on_ready([wake = wake_] { (*wake)(); });
}

void HttpsSession::write() {
  writing_ = true;
  allow(options_.write_time);
  const std::size_t size = std::min(kPiece, out_.size() - written_);
  auto written = [self = shared_from_this()](const error_code& error, std::size_t bytes) {
    self->writing_ = false;
    if (error) return self->end();
    self->written_ += bytes;
    if (self->written_ < self->out_.size()) return self->write();
    self->step();
  };
  over_transport(
      [&](auto& stream) { asio::async_write(stream, asio::buffer(out_.data() + written_, size), std::move(written)); });
}

void HttpsSession::read() {
  if (connection_->state() == HttpConnection::State::streaming) {
    deadline_ = steady_clock::time_point::max().time_since_epoch().count();
  } else if (connection_->phase() == HttpConnection::Phase::between) {
    allow(options_.idle_time);
  }
  const auto* const duplex = dynamic_cast<const DuplexStream*>(connection_->stream());
  if (reading_ || (duplex != nullptr && duplex->full())) return;
  reading_ = true;
  // Reads also while a stream is sent, to notice that the client is gone.
  auto came = [self = shared_from_this()](const error_code& error, std::size_t bytes) {
    self->reading_ = false;
    if (error || self->ended_) return self->end();
    const HttpConnection::Phase before = self->connection_->phase();
    if (!self->connection_->receive({self->buffer_.data(), bytes})) return self->end();
    // The deadline covers a whole header or body; otherwise a byte now and then would postpone it for ever.
    if (before == HttpConnection::Phase::between) self->allow(self->options_.header_time);
    self->step();
    const bool in_body = !self->ended_ && self->connection_->phase() == HttpConnection::Phase::body;
    if (in_body && before != HttpConnection::Phase::body) self->allow(self->options_.body_time);
  };
  over_transport([&](auto& stream) { stream.async_read_some(asio::buffer(buffer_), std::move(came)); });
}

void HttpsSession::close() {
  if (connection_->resets()) return reset();
  writing_ = true;  // nothing is sent after it
  allow(kLinger);
  if (!options_.tls) return drain();
  stream_.async_shutdown([self = shared_from_this()](const error_code&) { self->drain(); });
}

void HttpsSession::reset() {
  error_code ignored;
  stream_.next_layer().set_option(asio::socket_base::linger(true, 0), ignored);
  end();
}

void HttpsSession::drain() {
  if (ended_) return;
  error_code error;
  stream_.next_layer().shutdown(tcp::socket::shutdown_send, error);
  if (error) return end();
  reading_ = true;
  auto again = [self = shared_from_this()](const error_code& failed, std::size_t) {
    failed ? self->end() : self->drain();
  };
  stream_.next_layer().async_read_some(asio::buffer(buffer_), again);
}

void HttpsSession::end() {
  if (ended_) return;
  ended_ = true;
  if (delay_) delay_->cancel();
  error_code ignored;
  stream_.next_layer().close(ignored);
  // Release the stream now: others may wait for that.
  watched_ = nullptr;
  connection_.reset();
}

}  // namespace nodebound
