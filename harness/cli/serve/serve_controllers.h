#pragma once

#include <chrono>
#include <memory>

#include "fakes/controllers/certificate_controller.h"
#include "harness/cli/serve/serve_credentials.h"
#include "harness/cli/serve/serve_flags.h"

namespace nodebound::cli {

/// The controllers that `nodebound serve --controllers` runs beside the API server.
class ServeControllers {
 public:
  /// An input error if a flag names what does not exist. `server` and `release` must outlive it.
  static Result<ServeControllers> make(const ServeFlags& flags, const ServeCredentials& credentials,
                                       const Release& release, apiserver::ApiServer& server);

  /// Does what is to be done, and nothing if it has just looked. It never takes more than a small part of the time.
  void act();

 private:
  std::unique_ptr<controllers::CertificateController> certificates_;  ///< null: none is asked for
  std::chrono::steady_clock::time_point next_;
};

}  // namespace nodebound::cli
