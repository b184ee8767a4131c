#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hostile {

/// A client as the server sees it.
class Peer {
 public:
  explicit Peer(int socket) : socket_(socket) {}

  /// False once the client has disconnected.
  bool send(const std::string& bytes);
  /// Repeats the same bytes with a pause in between, until the client has disconnected.
  void send_for_ever(const std::string& bytes, int pause_ms = 0);
  void wait_until_gone();
  /// Resets the connection.
  void reset() const;

 private:
  int socket_;
};

/// How a server treats a request.
struct Behaviour {
  std::string name;
  /// The only path with this behaviour; other paths are answered correctly. Empty: all paths.
  std::string path;
  /// The connection is closed after it.
  std::function<void(Peer&)> act;
  /// The client's error when it asks for the version.
  std::string says;
};

/// All behaviours.
const std::vector<Behaviour>& behaviours();

/// A server on loopback, without TLS.
class Server {
 public:
  /// With `well_at_first`, it correctly answers the requests that every command sends before it makes anything.
  Server(const Behaviour& behaviour, bool well_at_first);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// The number of requests that met the behaviour.
  [[nodiscard]] int met() const { return met_; }

 private:
  void accept_all();
  void serve(int socket);
  bool answer(Peer& peer, const std::string& method, const std::string& path);

  const Behaviour& behaviour_;
  bool well_at_first_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> met_{0};
  std::mutex mutex_;
  bool ending_ = false;
  std::vector<int> sockets_;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace hostile
