#include <algorithm>

#include "harness/simulate/plan/plan_reader.h"

namespace nodebound::simulate {
namespace {

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

std::string read_token_id(TomlReader& in, std::string_view key) {
  const toml::node& node = in.required(key);
  std::string id = TomlReader::string_of(node);
  if (id.size() != 6 || !std::all_of(id.begin(), id.end(), is_lower_or_digit)) {
    throw TomlMistake(node, "expected the id of a bootstrap token: six of a-z and 0-9");
  }
  return id;
}

}  // namespace

Plan::BootstrapToken read_bootstrap_token(const toml::table& table) {
  TomlReader in(table);
  Plan::BootstrapToken out;
  out.id = read_token_id(in, "id");
  out.groups = in.texts("groups");
  if (const toml::node* ttl = in.find("ttl")) out.ttl = read_time(*ttl);
  in.done();
  return out;
}

Plan::Certificates read_certificates(const toml::table& table, const Plan::Certificates& before) {
  // The signer's minimum (pkg/controller/certificates/signer/signer.go).
  constexpr auto least = std::chrono::minutes(10);
  TomlReader in(table);
  Plan::Certificates out = before;
  if (const toml::node* last = in.find("last")) {
    out.last = read_time(*last);
    if (out.last < least) throw TomlMistake(*last, "expected ten minutes or more");
  }
  if (const toml::node* ends = in.find("client-ca-ends")) out.authority_ends = read_time(*ends);
  in.done();
  return out;
}

Plan::Join read_join(const toml::table& table) {
  TomlReader in(table);
  Plan::Join out;
  out.token = read_token_id(in, "token");
  if (in.find("rotate") != nullptr) out.rotate = in.flag("rotate");
  in.done();
  return out;
}

}  // namespace nodebound::simulate
