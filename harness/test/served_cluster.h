#pragma once

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/https_client.h"
#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

namespace command_line {

/// The API server of a cluster: a process of `nodebound serve` on a free port, which ends with the test.
class ServedCluster {
 public:
  /// `tokens` is the text of a --token-auth-file; `{folder}` in a flag stands for the folder of its files.
  explicit ServedCluster(const std::string& tokens = "", const std::vector<std::string>& flags = {})
      : arguments_({"serve", "--secure-port", "0", "--kubeconfig-out", folder.path.string()}) {
    if (!tokens.empty()) {
      folder.write("tokens.csv", tokens);
      arguments_.insert(arguments_.end(), {"--token-auth-file", (folder.path / "tokens.csv").string()});
    }
    for (std::string flag : flags) {
      const std::string word = "{folder}";
      if (const std::size_t at = flag.find(word); at != flag.npos) flag.replace(at, word.size(), folder.path.string());
      arguments_.push_back(std::move(flag));
    }
    start();
  }

  /// Waits until it serves. Also starts it again, with the same flags, once it has ended.
  void start() {
    const std::string log = "server." + std::to_string(++starts_) + ".log";
    server = nodebound::ChildProcess::start(project::nodebound_program, arguments_, folder.path / log).value();
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (server->last_lines(5).find("Serving") == std::string::npos && !server->ending() &&
           std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    auto read = nodebound::load_kubeconfig(admin_file());
    if (!read) BOOST_FAIL(read.error().text() + "; the server said: " + server->last_lines(10));
    admin = std::move(*read);
  }

  /// A connection with the kubeconfig of `who`: admin, or node-NAME for a node of --node.
  [[nodiscard]] std::unique_ptr<nodebound::HttpClient> client(const std::string& who = "admin",
                                                              const nodebound::RequestLimits& limits = {}) const {
    const auto kubeconfig = nodebound::load_kubeconfig((folder.path / (who + ".kubeconfig")).string()).value();
    return nodebound::make_http_client(kubeconfig.server, nodebound::credentials_of(kubeconfig).value(), limits)
        .value();
  }

  nodebound::HttpResponse ask(const nodebound::Credentials& credentials, const std::string& method,
                              const std::string& target, const std::string& body = "",
                              const std::string& type = "application/json") const {
    const auto client = nodebound::make_http_client(admin.server, credentials, {}).value();
    return client->send({method, target, type, body, false}).value();
  }
  nodebound::HttpResponse ask_as_admin(const std::string& method, const std::string& target,
                                       const std::string& body = "",
                                       const std::string& type = "application/json") const {
    return ask(nodebound::credentials_of(admin).value(), method, target, body, type);
  }

  [[nodiscard]] std::string admin_file() const { return (folder.path / "admin.kubeconfig").string(); }

  Folder folder;  ///< holds what --kubeconfig-out writes
  std::unique_ptr<nodebound::ChildProcess> server;
  nodebound::Kubeconfig admin;

 private:
  std::vector<std::string> arguments_;
  int starts_ = 0;
};

}  // namespace command_line
