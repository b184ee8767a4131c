#include "harness/endpoint/credentials/kubeconfig.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <yaml-cpp/yaml.h>

#include "harness/endpoint/loopback.h"
#include "harness/objects/input_file.h"
#include "reference/encoding/ascii.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

Result<std::string> read_text(const std::filesystem::path& file, const std::string& asked_by) {
  auto bytes = bytes_of_file(file, input_limit::credentials);
  if (!bytes) return input_error(asked_by, "cannot read " + file.string() + ": " + bytes.error());
  if (bytes->empty()) return input_error(asked_by, file.string() + " is empty");
  return std::move(*bytes);
}

/// A mapping of the kubeconfig that reads its values with their places. Values stay undefined where keys are absent.
class Section {
 public:
  Section(std::string file, const YAML::Node& node) : file_(std::move(file)), node_(node) {}

  [[nodiscard]] std::string where() const { return where(node_); }
  [[nodiscard]] std::string where(const YAML::Node& node) const {
    return file_ + ":" + std::to_string(node.Mark().line + 1);
  }
  [[nodiscard]] YAML::Node get(const std::string& key) const {
    const YAML::Node& node = node_;
    return node.IsMap() ? node[key] : YAML::Node(YAML::NodeType::Undefined);
  }
  [[nodiscard]] bool has(const std::string& key) const {
    const YAML::Node value = get(key);
    return value.IsDefined() && !value.IsNull();
  }

  /// Empty where the key is absent.
  [[nodiscard]] Result<std::string> text(const std::string& key) const {
    if (!has(key)) return std::string();
    const YAML::Node value = get(key);
    if (!value.IsScalar()) return input_error(where(value), "'" + key + "' must be a string");
    return value.Scalar();
  }

  [[nodiscard]] Result<bool> flag(const std::string& key) const {
    if (!has(key)) return false;
    bool value = false;
    if (!YAML::convert<bool>::decode(get(key), value)) {
      return input_error(where(get(key)), "'" + key + "' must be true or false");
    }
    return value;
  }

  [[nodiscard]] Result<std::filesystem::path> path(const std::string& key) const {
    const auto value = text(key);
    if (!value) return tl::unexpected(value.error());
    if (value->empty()) return std::filesystem::path();
    return (std::filesystem::path(file_).parent_path() / *value).lexically_normal();
  }

  /// The bytes of `KEY-data`, in base64, or of the file that `KEY` names. As in kubectl, the data win.
  [[nodiscard]] Result<std::string> bytes(const std::string& key) const {
    const std::string inline_key = key + "-data";
    if (has(inline_key)) {
      const auto encoded = text(inline_key);
      if (!encoded) return tl::unexpected(encoded.error());
      auto decoded = base64_decode(*encoded);
      if (!decoded) return input_error(where(get(inline_key)), "'" + inline_key + "' is not base64");
      return *decoded;
    }
    const auto file = path(key);
    if (!file) return tl::unexpected(file.error());
    if (file->empty()) return std::string();
    return read_text(*file, where(get(key)));
  }

  [[nodiscard]] Result<Section> mapping(const std::string& key) const {
    if (!get(key).IsDefined() || !get(key).IsMap())
      return input_error(where(), "expected a mapping '" + key + "' here");
    return Section(file_, get(key));
  }

  /// The mapping `field` of the entry of the list `list` that is called `name`.
  [[nodiscard]] Result<Section> entry(const std::string& list, const std::string& name, const std::string& field,
                                      const std::string& asked_by) const {
    const YAML::Node entries = get(list);
    std::string known;
    if (entries.IsDefined() && entries.IsSequence()) {
      for (const YAML::Node& item : entries) {
        const Section candidate(file_, item);
        const auto own_name = candidate.text("name");
        if (!own_name) return tl::unexpected(own_name.error());
        if (*own_name != name) {
          known += (known.empty() ? "" : ", ") + *own_name;
          continue;
        }
        return candidate.mapping(field);
      }
    }
    return input_error(asked_by, "there is no entry '" + name + "' in '" + list + "'",
                       known.empty() ? "'" + list + "' is empty" : "it has: " + known);
  }

 private:
  std::string file_;
  YAML::Node node_;
};

std::optional<Error> refuse(const Section& section, std::initializer_list<std::pair<const char*, const char*>> keys) {
  for (const auto& [key, hint] : keys) {
    if (section.has(key)) {
      return Error{Error::Kind::input, section.where(section.get(key)), std::string("'") + key + "' is not supported",
                   hint};
    }
  }
  return std::nullopt;
}

Result<ServerAddress> read_cluster(const Section& cluster) {
  if (auto refused = refuse(cluster, {{"proxy-url", "give an address that is reached without a proxy"}})) {
    return tl::unexpected(*refused);
  }
  const auto url = cluster.text("server");
  if (!url) return tl::unexpected(url.error());
  if (url->empty()) return input_error(cluster.where(), "the cluster has no 'server'", "expected https://HOST:PORT");
  auto server = parse_server(*url, cluster.where(cluster.get("server")));
  if (!server) return server;
  auto authority = cluster.bytes("certificate-authority");
  if (!authority) return tl::unexpected(authority.error());
  auto server_name = cluster.text("tls-server-name");
  if (!server_name) return tl::unexpected(server_name.error());
  const auto skip = cluster.flag("insecure-skip-tls-verify");
  if (!skip) return tl::unexpected(skip.error());
  if (*skip && !authority->empty()) {
    return input_error(cluster.where(), "'insecure-skip-tls-verify' and 'certificate-authority' contradict each other");
  }
  server->ca_pem = std::move(*authority);
  server->server_name = std::move(*server_name);
  server->skip_verification = *skip;
  return server;
}

Result<void> read_user(const Section& user, Kubeconfig& out, CredentialNeed need) {
  constexpr const char* kUseCertificateOrToken =
      "use a user with a client certificate or a token, for example from 'kubectl create token'";
  const auto refused = refuse(user, {{"exec", kUseCertificateOrToken},
                                     {"auth-provider", kUseCertificateOrToken},
                                     {"username", kUseCertificateOrToken},
                                     {"password", kUseCertificateOrToken},
                                     {"as", "use a user that is the administrator, not one that impersonates it"}});
  if (refused) return tl::unexpected(*refused);
  auto certificate = user.bytes("client-certificate");
  if (!certificate) return tl::unexpected(certificate.error());
  auto key = user.bytes("client-key");
  if (!key) return tl::unexpected(key.error());
  if (certificate->empty() != key->empty()) {
    return input_error(user.where(), "a client certificate and its client key go together; one of them is missing");
  }
  auto token = user.text("token");
  if (!token) return tl::unexpected(token.error());
  auto token_file = user.path("tokenFile");
  if (!token_file) return tl::unexpected(token_file.error());
  out.certificate_pem = std::move(*certificate);
  out.key_pem = std::move(*key);
  out.token = trimmed(*token);
  out.token_file = std::move(*token_file);
  if (!out.token_file.empty()) {
    const auto readable = read_text(out.token_file, user.where(user.get("tokenFile")));
    if (!readable) return tl::unexpected(readable.error());
  }
  const bool shows_nothing = out.certificate_pem.empty() && out.token.empty() && out.token_file.empty();
  if (shows_nothing && need == CredentialNeed::some) {
    return input_error(user.where(), "user '" + out.user + "' has neither a client certificate nor a token");
  }
  return {};
}

Result<Kubeconfig> resolve(const Section& root, const std::string& file, std::string context, CredentialNeed need) {
  std::string asked_by = root.where();
  if (context.empty()) {
    const auto current = root.text("current-context");
    if (!current) return tl::unexpected(current.error());
    if (current->empty()) return input_error(root.where(), "there is no 'current-context'", "name one: FILE#CONTEXT");
    asked_by = root.where(root.get("current-context"));
    context = *current;
  }
  const auto chosen = root.entry("contexts", context, "context", asked_by);
  if (!chosen) return tl::unexpected(chosen.error());
  const auto cluster_name = chosen->text("cluster");
  if (!cluster_name) return tl::unexpected(cluster_name.error());
  const auto user_name = chosen->text("user");
  if (!user_name) return tl::unexpected(user_name.error());
  const auto cluster = root.entry("clusters", *cluster_name, "cluster", chosen->where());
  if (!cluster) return tl::unexpected(cluster.error());
  const auto user = root.entry("users", *user_name, "user", chosen->where());
  if (!user) return tl::unexpected(user.error());

  auto server = read_cluster(*cluster);
  if (!server) return tl::unexpected(server.error());
  Kubeconfig out;
  out.file = file;
  out.context = std::move(context);
  out.user = *user_name;
  out.server = std::move(*server);
  if (const auto read = read_user(*user, out, need); !read) return tl::unexpected(read.error());
  return out;
}

Result<std::string> default_file() {
  if (const char* listed = std::getenv("KUBECONFIG"); listed != nullptr && *listed != '\0') {
    if (std::string_view(listed).find(':') != std::string_view::npos) {
      return input_error("KUBECONFIG", "names several files, which are not merged here", "name one: kubeconfig:FILE");
    }
    return std::string(listed);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr) return std::string(home) + "/.kube/config";
  return input_error("kubeconfig", "no file is given, and neither $KUBECONFIG nor $HOME is set");
}

}  // namespace

Result<ServerAddress> parse_server(const std::string& url, const std::string& where) {
  const auto wrong = [&](const std::string& what) {
    return input_error(where, "server '" + url + "' " + what, "expected https://HOST:PORT");
  };
  ServerAddress out;
  out.tls = url.rfind("https://", 0) == 0;
  if (!out.tls && url.rfind("http://", 0) != 0) return wrong("is not an https URL");
  std::string rest = url.substr(out.tls ? 8 : 7);
  if (rest.find_first_of("?#@ ") != std::string::npos) return wrong("has parts that a server's address cannot have");
  if (const auto slash = rest.find('/'); slash != std::string::npos) {
    out.base_path = rest.substr(slash);
    while (!out.base_path.empty() && out.base_path.back() == '/') out.base_path.pop_back();
    rest.resize(slash);
  }
  const auto bracket = rest.find(']');
  const auto colon = rest.find(':', bracket == std::string::npos ? 0 : bracket);
  out.host = rest.substr(0, colon);
  if (bracket != std::string::npos && rest.front() == '[') out.host = rest.substr(1, bracket - 1);
  out.port = out.tls ? 443 : 80;
  if (colon != std::string::npos) {
    const char* const first = rest.data() + colon + 1;
    const char* const last = rest.data() + rest.size();
    const auto [end, problem] = std::from_chars(first, last, out.port);
    if (problem != std::errc() || end != last || out.port == 0) return wrong("has no valid port");
  }
  if (out.host.empty()) return wrong("has no host");
  if (!out.tls && !is_loopback(out.host)) return wrong("would carry credentials in clear: http is for loopback only");
  return out;
}

Result<Kubeconfig> load_kubeconfig(std::string_view spec, CredentialNeed need) {
  const auto hash = spec.find('#');
  std::string file(spec.substr(0, hash));
  std::string context(hash == std::string_view::npos ? std::string_view() : spec.substr(hash + 1));
  if (file.empty()) {
    auto found = default_file();
    if (!found) return tl::unexpected(found.error());
    file = std::move(*found);
  }
  const auto text = bytes_of_file(file, input_limit::kubeconfig);
  if (!text || text->empty()) {
    return input_error(file, text ? "is empty" : "cannot be read: " + text.error(),
                       "expected a kubeconfig: kubeconfig:FILE#CONTEXT");
  }
  try {
    const YAML::Node root = YAML::Load(*text);
    if (!root.IsMap()) return input_error(file + ":1", "is not a kubeconfig: expected a mapping");
    return resolve(Section(file, root), file, std::move(context), need);
  } catch (const YAML::Exception& problem) {
    const std::string where = problem.mark.is_null() ? file : file + ":" + std::to_string(problem.mark.line + 1);
    return input_error(where, "is not valid YAML: " + problem.msg);
  }
}

std::string warning_of(const Kubeconfig& kubeconfig) {
  if (!kubeconfig.server.skip_verification) return {};
  return kubeconfig.file.string() + ": insecure-skip-tls-verify: whoever answers for " + url_of(kubeconfig.server) +
         " gets the credentials of user '" + kubeconfig.user + "', and what it answers is believed";
}

Result<Credentials> credentials_of(const Kubeconfig& kubeconfig) {
  Credentials out{kubeconfig.certificate_pem, kubeconfig.key_pem, {}};
  std::string token = kubeconfig.token;
  if (!kubeconfig.token_file.empty()) {
    auto text = read_text(kubeconfig.token_file, kubeconfig.file.string());
    if (!text) return tl::unexpected(text.error());
    token = trimmed(*text);
  }
  if (!token.empty()) out.headers.emplace_back("Authorization", "Bearer " + token);
  return out;
}

std::string to_kubeconfig(const std::string& url, std::string_view ca_pem, const std::string& user,
                          const IssuedCertificate& certificate) {
  return "apiVersion: v1\nkind: Config\n"
         "clusters:\n- name: nodebound\n  cluster:\n    server: " +
         url + "\n    certificate-authority-data: " + base64_encode(ca_pem) + "\nusers:\n- name: \"" + user +
         "\"\n  user:\n    client-certificate-data: " + base64_encode(certificate.certificate_pem) +
         "\n    client-key-data: " + base64_encode(certificate.key_pem) +
         "\ncontexts:\n- name: nodebound\n  context:\n    cluster: nodebound\n    user: \"" + user +
         "\"\ncurrent-context: nodebound\n";
}

}  // namespace nodebound
