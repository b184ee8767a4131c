#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hostile {

/// A client, from the server's side.
class Peer {
 public:
  explicit Peer(int socket) : socket_(socket) {}

  /// False once the client is gone.
  bool send(const std::string& bytes);
  /// The same bytes again and again, with a pause between, until the client is gone.
  void send_for_ever(const std::string& bytes, int pause_ms = 0);
  void wait_until_gone();
  /// Ends the connection with a RST.
  void reset() const;

 private:
  int socket_;
};

/// What a server does with a request.
struct Behaviour {
  std::string name;
  /// Only there; elsewhere the server is well. Empty: everywhere.
  std::string path;
  /// After it the connection is closed.
  std::function<void(Peer&)> act;
  /// What the client says of it, where it is asked for its version.
  std::string says;
};

/// The table of them all.
const std::vector<Behaviour>& behaviours();

/// Listens on loopback, in clear.
class Server {
 public:
  /// With `well_at_first` it answers well what every command asks before it makes anything.
  Server(const Behaviour& behaviour, bool well_at_first);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Requests that met the behaviour.
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
