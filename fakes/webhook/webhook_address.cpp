#include "fakes/webhook/webhook_address.h"

#include <cstddef>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "fakes/wire/yaml/yaml.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

namespace nodebound::webhook {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_file_bytes = std::size_t{2} << 20U;

Result<std::string> text_of_file(const fs::path& file, const std::string& where) {
  std::error_code problem;
  if (!fs::exists(file, problem)) return input_error(where, "there is no file " + file.string());
  if (!fs::is_regular_file(file, problem)) return input_error(where, file.string() + " is no file");
  if (fs::file_size(file, problem) > most_file_bytes || problem) {
    return input_error(where, file.string() + " has more than " + std::to_string(most_file_bytes) + " bytes");
  }
  std::ifstream in(file, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(in), {}};
  if (!in && !in.eof()) return input_error(where, "cannot read " + file.string());
  if (out.empty()) return input_error(where, file.string() + " is empty");
  return out;
}

/// One mapping of the file.
struct KubeconfigPart {
  const fs::path& file;
  std::string name;  ///< `cluster "webhook"`
  const Object& fields;

  [[nodiscard]] std::string where(const std::string& key = {}) const {
    return file.string() + ": " + name + (key.empty() ? "" : ": " + key);
  }

  [[nodiscard]] Result<std::string> text_of(const std::string& key) const {
    const Object& value = member(fields, key);
    if (!value.is_null() && !value.is_string()) return input_error(where(key), "expected a string");
    return std::string(text(fields, key));
  }

  [[nodiscard]] Result<bool> flag(const std::string& key) const {
    const Object& value = member(fields, key);
    if (!value.is_null() && !value.is_boolean()) return input_error(where(key), "expected true or false");
    return is_true(fields, key);
  }

  [[nodiscard]] Result<fs::path> path(const std::string& key) const {
    return text_of(key).map([&](const std::string& named) {
      return named.empty() ? fs::path() : (file.parent_path() / named).lexically_normal();
    });
  }

  /// The bytes of `KEY-data`, in base64, or of the file that `KEY` names.
  [[nodiscard]] Result<std::string> bytes(const std::string& key) const {
    const std::string inline_key = key + "-data";
    const auto encoded = text_of(inline_key);
    if (!encoded) return tl::unexpected(encoded.error());
    const auto named = path(key);
    if (!named) return tl::unexpected(named.error());
    if (encoded->empty()) return named->empty() ? std::string() : text_of_file(*named, where(key));
    if (!named->empty()) return input_error(where(key), "is given, and so is " + inline_key, "keep one of them");
    auto decoded = base64_decode(*encoded);
    if (!decoded) return input_error(where(inline_key), "is not base64");
    return std::move(*decoded);
  }

  /// An error for keys that this client does not take.
  [[nodiscard]] Result<void> without(std::initializer_list<const char*> keys, const std::string& hint) const {
    for (const char* key : keys) {
      if (!member(fields, key).is_null()) return input_error(where(key), "is not supported here", hint);
    }
    return {};
  }
};

/// The entry of a list (`clusters`) with that name, and of it the mapping (`cluster`).
Result<KubeconfigPart> part_of(const fs::path& file, const Object& root, const std::string& list,
                               const std::string& field, const std::string& name) {
  const Object& entries = member(root, list);
  if (!entries.is_null() && !entries.is_array()) return input_error(file.string() + ": " + list, "expected a list");
  for (const Object& entry : entries) {
    if (text(entry, "name") != name) continue;
    const Object& fields = member(entry, field);
    if (!fields.is_null() && !fields.is_object()) {
      return input_error(file.string() + ": " + field + " \"" + name + "\"", "expected a mapping");
    }
    return KubeconfigPart{file, field + " \"" + name + "\"", fields};
  }
  return input_error(file.string(), "there is no entry \"" + name + "\" in " + list);
}

/// Puts what a reader found where it belongs, or keeps the first error.
class Intake {
 public:
  template <typename T>
  void take(T& target, Result<T> found) {
    if (failed_) return;
    if (found) {
      target = std::move(*found);
    } else {
      failed_ = std::move(found.error());
    }
  }
  void take(Result<void> checked) {
    if (!failed_ && !checked) failed_ = std::move(checked.error());
  }
  [[nodiscard]] std::optional<Error>& failed() { return failed_; }

 private:
  std::optional<Error> failed_;
};

Result<WebhookAddress> read_server(const KubeconfigPart& cluster) {
  const auto server = cluster.text_of("server");
  if (!server) return tl::unexpected(server.error());
  if (server->empty()) return input_error(cluster.where(), "has no server", "expected https://HOST:PORT/PATH");
  auto url = parse_webhook_url(*server, cluster.where("server"));
  if (!url) return tl::unexpected(std::move(url.error()));
  WebhookAddress out{std::move(*url)};
  Intake intake;
  intake.take(cluster.without({"proxy-url"}, "give an address that is reached without a proxy"));
  intake.take(out.ca_pem, cluster.bytes("certificate-authority"));
  intake.take(out.server_name, cluster.text_of("tls-server-name"));
  intake.take(out.skip_verification, cluster.flag("insecure-skip-tls-verify"));
  if (intake.failed()) return tl::unexpected(std::move(*intake.failed()));
  if (out.skip_verification && !out.ca_pem.empty()) {
    return input_error(cluster.where("insecure-skip-tls-verify"), "contradicts certificate-authority",
                       "keep one of them");
  }
  return out;
}

Result<void> read_credentials(const KubeconfigPart& user, WebhookAddress& out) {
  Intake intake;
  intake.take(user.without({"exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra"},
                           "use a client certificate, a token, or a name with a password"));
  intake.take(out.certificate_pem, user.bytes("client-certificate"));
  intake.take(out.key_pem, user.bytes("client-key"));
  intake.take(out.token, user.text_of("token"));
  intake.take(out.token_file, user.path("tokenFile"));
  intake.take(out.user, user.text_of("username"));
  intake.take(out.password, user.text_of("password"));
  if (intake.failed()) return tl::unexpected(std::move(*intake.failed()));
  if (out.certificate_pem.empty() != out.key_pem.empty()) {
    return input_error(user.where(), "client-certificate and client-key go together; one of them is missing");
  }
  if (!out.user.empty() && (!out.token.empty() || !out.token_file.empty())) {
    return input_error(user.where(), "has a token and a name with a password", "keep one of them");
  }
  if (out.token_file.empty()) return {};
  return text_of_file(out.token_file, user.where("tokenFile")).map([](const std::string& /*token*/) {});
}

}  // namespace

Result<WebhookAddress> read_webhook_kubeconfig(const fs::path& file) {
  const auto text_of_config = text_of_file(file, file.string());
  if (!text_of_config) return tl::unexpected(text_of_config.error());
  const auto root = read_yaml(*text_of_config);
  if (!root) return input_error(file.string(), root.error(), "expected a kubeconfig");
  if (!root->is_object()) return input_error(file.string(), "is no kubeconfig: expected a mapping");
  const std::string current(text(*root, "current-context"));
  if (current.empty()) return input_error(file.string(), "has no current-context", "name one of its contexts");
  const auto context = part_of(file, *root, "contexts", "context", current);
  if (!context) return tl::unexpected(context.error());
  const auto cluster_name = context->text_of("cluster");
  if (!cluster_name) return tl::unexpected(cluster_name.error());
  const auto user_name = context->text_of("user");
  if (!user_name) return tl::unexpected(user_name.error());
  const auto cluster = part_of(file, *root, "clusters", "cluster", *cluster_name);
  if (!cluster) return tl::unexpected(cluster.error());
  auto out = read_server(*cluster);
  if (!out || user_name->empty()) return out;
  const auto user = part_of(file, *root, "users", "user", *user_name);
  if (!user) return tl::unexpected(user.error());
  if (const auto read = read_credentials(*user, *out); !read) return tl::unexpected(read.error());
  return out;
}

}  // namespace nodebound::webhook
