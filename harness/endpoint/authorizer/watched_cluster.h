#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/endpoint/authorizer/authorizer_endpoint.h"

namespace nodebound {

/// An authorizer's cluster as an API server on 127.0.0.1, over HTTPS, for an implementation that watches it.
class WatchedCluster {
 public:
  struct Options {
    std::uint16_t port = 0;  ///< 0: any free port
    std::string folder;      ///< for the kubeconfig; empty: a temporary one, which ends with the run
  };

  static Result<std::unique_ptr<WatchedCluster>> serve(std::shared_ptr<AuthorizerCluster> cluster,
                                                       const Options& options);
  ~WatchedCluster();
  WatchedCluster(const WatchedCluster&) = delete;
  WatchedCluster& operator=(const WatchedCluster&) = delete;

  /// Its user may do everything.
  [[nodiscard]] const std::filesystem::path& kubeconfig() const;

 private:
  class Serving;
  explicit WatchedCluster(std::unique_ptr<Serving> serving);
  std::unique_ptr<Serving> serving_;
};

}  // namespace nodebound
