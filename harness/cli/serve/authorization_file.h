#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/authorizer/webhook_authorizer.h"
#include "reference/release/release.h"
#include "reference/result.h"

namespace nodebound::cli {

/// The file of --authorization-config. An API server reads it when it starts, and again whenever it changes
/// (pkg/kubeapiserver/authorizer/reload.go).
class AuthorizationFile {
 public:
  struct Authorizers {
    std::vector<AuthorizationMode> modes;
    std::vector<std::shared_ptr<const AuthorizationWebhook>> webhooks;
  };

  /// `release` must outlive it, and what is made of the file.
  AuthorizationFile(std::filesystem::path file, const Release& release) : file_(std::move(file)), release_(release) {}

  /// Reads the file for the first time. The error is why kube-apiserver would not start, in its words where they are of
  /// the file's values.
  Result<Authorizers> load();

  /// Reads a file that has changed: what it now says, or why it is not followed. Nothing if it is as before, and for a
  /// file that still cannot be read. Which
  /// authorizers there are besides webhooks cannot change.
  std::optional<Result<Authorizers>> changed();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

 private:
  Result<std::string> read() const;
  [[nodiscard]] Result<Authorizers> authorizers_of(const std::string& text) const;

  const std::filesystem::path file_;
  const Release& release_;
  std::string text_;  ///< as last read
  bool unreadable_ = false;
  std::optional<std::set<AuthorizationMode>> others_ = std::nullopt;  ///< besides webhooks, at the start
};

/// Lets a server follow its file, and tells so on standard error.
void follow(AuthorizationFile& file, apiserver::ApiServer& server);

}  // namespace nodebound::cli
