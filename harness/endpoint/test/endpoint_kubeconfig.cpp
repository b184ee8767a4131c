#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <stdlib.h>

#include "harness/endpoint/credentials/kubeconfig.h"

BOOST_AUTO_TEST_SUITE(endpoint_kubeconfig)

using namespace nodebound;

namespace {

/// A folder with the kubeconfig `config`; the errors below refer to lines of `text`.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "nodebound-test-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  [[nodiscard]] std::string write(const char* name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

std::string config(const std::string& cluster, const std::string& user) {
  return "apiVersion: v1\n"                           // line 1
         "current-context: one\n"                     // 2
         "contexts:\n"                                // 3
         "- name: one\n"                              // 4
         "  context: {cluster: here, user: me}\n"     // 5
         "- name: lost\n"                             // 6
         "  context: {cluster: nowhere, user: me}\n"  // 7
         "- {name: odd}\n"                            // 8
         "clusters:\n"                                // 9
         "- name: here\n"                             // 10
         "  cluster:\n"                               // 11
         "    " +
         cluster +
         "\n"            // 12
         "users:\n"      // 13
         "- name: me\n"  // 14
         "  user:\n"     // 15
         "    " +
         user + "\n";  // 16
}

constexpr const char* kServer = "server: https://example.com:6443";
constexpr const char* kToken = "token: t";

struct Wrong {
  const char* cluster;
  const char* user;
  const char* context;
  const char* line;
  const char* says;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_context_is_resolved_with_paths_relative_to_the_file) {
  const Folder folder;
  std::filesystem::create_directory(folder.path / "pki");
  BOOST_TEST(!folder.write("pki/ca.crt", "CA").empty());
  BOOST_TEST(!folder.write("pki/me.key", "KEY").empty());
  const std::string file = folder.write(
      "config", config("{server: 'https://[::1]:6443/k8s/', certificate-authority: pki/ca.crt, tls-server-name: kube}",
                       "{client-certificate-data: Q0VSVA==, client-key: pki/me.key}"));
  const auto read = load_kubeconfig(file);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->context == "one");
  BOOST_TEST(read->user == "me");
  BOOST_TEST(read->server.host == "::1");
  BOOST_TEST(read->server.port == 6443);
  BOOST_TEST(read->server.base_path == "/k8s");
  BOOST_TEST(read->server.ca_pem == "CA");
  BOOST_TEST(read->server.server_name == "kube");
  BOOST_TEST(read->certificate_pem == "CERT");
  BOOST_TEST(read->key_pem == "KEY");
  BOOST_TEST(url_of(read->server) == "https://[::1]:6443/k8s");
}

BOOST_AUTO_TEST_CASE(a_token_file_is_read_when_credentials_are_asked_for) {
  const Folder folder;
  BOOST_TEST(!folder.write("token", "first\n").empty());
  const auto read = load_kubeconfig(folder.write("config", config(kServer, "tokenFile: token")));
  BOOST_REQUIRE(read);
  BOOST_TEST(!folder.write("token", "second\n").empty());
  const auto credentials = credentials_of(*read);
  BOOST_REQUIRE(credentials);
  BOOST_REQUIRE_EQUAL(credentials->headers.size(), 1U);
  BOOST_TEST(credentials->headers[0].first == "Authorization");
  BOOST_TEST(credentials->headers[0].second == "Bearer second");
}

BOOST_AUTO_TEST_CASE(every_mistake_is_an_input_error_with_its_line) {
  const Wrong wrongs[] = {
      {kServer, kToken, "#two", "1", "no entry 'two' in 'contexts'"},
      {kServer, kToken, "#odd", "8", "expected a mapping 'context'"},
      {kServer, kToken, "#lost", "7", "no entry 'nowhere' in 'clusters'"},
      {"server: ftp://example.com", kToken, "", "12", "not an https URL"},
      {"server: http://example.com", kToken, "", "12", "loopback only"},
      {"server: http://127.evil.example", kToken, "", "12", "loopback only"},
      {"server: http://127.0.0.1.evil.example:8080", kToken, "", "12", "loopback only"},
      {"server: http://127.1", kToken, "", "12", "loopback only"},
      {"server: http://128.0.0.1", kToken, "", "12", "loopback only"},
      {"server: 'http://[::2]:80'", kToken, "", "12", "loopback only"},
      {"server: https://example.com:99999", kToken, "", "12", "port"},
      {"server: https://", kToken, "", "12", "no host"},
      {"server: [https]", kToken, "", "12", "'server' must be a string"},
      {"proxy-url: http://p", kToken, "", "12", "'proxy-url' is not supported"},
      {"certificate-authority-data: QQ==", kToken, "", "12", "no 'server'"},
      {"{server: 'https://h', certificate-authority-data: 'Q*'}", kToken, "", "12", "is not base64"},
      {"{server: 'https://h', certificate-authority: none.crt}", kToken, "", "12", "none.crt"},
      {"{server: 'https://h', insecure-skip-tls-verify: maybe}", kToken, "", "12", "true or false"},
      {"{server: 'https://h', insecure-skip-tls-verify: true, certificate-authority-data: QQ==}", kToken, "", "12",
       "contradict"},
      {kServer, "exec: {command: aws}", "", "16", "'exec' is not supported"},
      {kServer, "auth-provider: {name: gcp}", "", "16", "'auth-provider' is not supported"},
      {kServer, "username: admin", "", "16", "'username' is not supported"},
      {kServer, "as: root", "", "16", "'as' is not supported"},
      {kServer, "client-certificate-data: QQ==", "", "16", "go together"},
      {kServer, "tokenFile: none", "", "16", "none"},
      {kServer, "{}", "", "16", "neither a client certificate nor a token"},
  };
  const Folder folder;
  for (const Wrong& wrong : wrongs) {
    const std::string file = folder.write("config", config(wrong.cluster, wrong.user));
    const auto read = load_kubeconfig(file + wrong.context);
    BOOST_REQUIRE_MESSAGE(!read, wrong.says);
    BOOST_TEST((read.error().kind == Error::Kind::input));
    BOOST_TEST(read.error().where == file + ":" + wrong.line);
    BOOST_TEST_CONTEXT(read.error().what) BOOST_TEST(read.error().what.find(wrong.says) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_user_without_credentials_is_one_where_none_are_needed) {
  const Folder folder;
  const std::string file = folder.write("config", config(kServer, "{}"));
  const auto read = load_kubeconfig(file, CredentialNeed::none);
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(credentials_of(*read)->headers.empty());
}

BOOST_AUTO_TEST_CASE(a_missing_context_lists_those_there_are) {
  const Folder folder;
  const auto read = load_kubeconfig(folder.write("config", config(kServer, kToken)) + "#two");
  BOOST_REQUIRE(!read);
  BOOST_TEST(read.error().hint == "it has: one, lost, odd");
}

BOOST_AUTO_TEST_CASE(what_is_no_kubeconfig_is_said_to_be_none) {
  const Folder folder;
  const auto broken = load_kubeconfig(folder.write("broken", "a: 1\nb: [\n"));
  BOOST_REQUIRE(!broken);
  BOOST_TEST(broken.error().where.starts_with((folder.path / "broken").string() + ":"));
  BOOST_TEST(broken.error().what.find("YAML") != std::string::npos);
  const auto list = load_kubeconfig(folder.write("list", "- 1\n"));
  BOOST_REQUIRE(!list);
  BOOST_TEST(list.error().where == (folder.path / "list").string() + ":1");
  BOOST_TEST(!load_kubeconfig((folder.path / "none").string()));
  const auto empty = load_kubeconfig(folder.write("mapping", "apiVersion: v1\n"));
  BOOST_REQUIRE(!empty);
  BOOST_TEST(empty.error().what.find("current-context") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_a_file_the_environment_names_it) {
  const Folder folder;
  const std::string file = folder.write("config", config(kServer, kToken));
  setenv("KUBECONFIG", file.c_str(), 1);
  const auto named = load_kubeconfig("#one");
  BOOST_REQUIRE(named);
  BOOST_TEST(named->file == file);
  setenv("KUBECONFIG", (file + ":" + file).c_str(), 1);
  BOOST_TEST(!load_kubeconfig(""));
  unsetenv("KUBECONFIG");
}

BOOST_AUTO_TEST_SUITE_END()
