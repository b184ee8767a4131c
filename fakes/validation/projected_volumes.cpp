#include <algorithm>
#include <array>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/core/validation/validation.go, for projected volumes.

namespace nodebound::validation {
namespace {

constexpr std::array<std::string_view, 6> key_types = {"RSA3072",   "RSA4096",   "ECDSAP256",
                                                       "ECDSAP384", "ECDSAP521", "ED25519"};
constexpr std::int64_t least_token_seconds = 600;
constexpr std::int64_t most_token_seconds = std::int64_t{1} << 32;
constexpr std::int64_t least_certificate_seconds = 3600;
constexpr std::int64_t most_certificate_seconds = std::int64_t{91} * 86400;
constexpr std::int64_t most_certificate_seconds_of_kubernetes = 86400;

FieldMistakes wrong_local_path(const std::string& path, const std::string& field) {
  FieldMistakes out;
  if (path.starts_with('/')) out.push_back(invalid_field(field, path, "must be a relative path"));
  const std::string closed = "/" + path + "/";
  if (closed.find("/../") != std::string::npos) {
    out.push_back(invalid_field(field, path, "must not contain '..'"));
  } else if (path.starts_with("..")) {
    out.push_back(invalid_field(field, path, "must not start with '..'"));
  }
  return out;
}

/// Checks the sources of one volume, and remembers the paths that earlier sources use.
class Projection {
 public:
  Projection(std::string volume, std::set<std::string>& paths) : volume_(std::move(volume)), paths_(paths) {}

  FieldMistakes wrong(const Object& source, const std::string& field) {
    int kinds = 0;
    const auto each = [&](const char* kind, void (Projection::*check)(const Object&, const std::string&)) {
      const Object& of_kind = member(source, kind);
      if (of_kind.is_null()) return;
      ++kinds;
      (this->*check)(of_kind, field + "." + kind);
    };
    each("secret", &Projection::named_object);
    each("configMap", &Projection::named_object);
    each("downwardAPI", &Projection::downward_api);
    each("serviceAccountToken", &Projection::token);
    each("clusterTrustBundle", &Projection::trust_bundle);
    each("podCertificate", &Projection::certificate);
    if (kinds > 1) out_.push_back(forbidden_field(field, "may not specify more than 1 volume type per source"));
    return std::move(out_);
  }

 private:
  void named_object(const Object& source, const std::string& field) {
    if (text(source, "name").empty()) out_.push_back(required_field(field + ".name", ""));
    std::size_t at = 0;
    for (const Object& item : member(source, "items")) {
      const std::string own = field + ".items[" + std::to_string(at++) + "]";
      const std::string path(text(item, "path"));
      if (text(item, "key").empty()) out_.push_back(required_field(own + ".key", ""));
      if (path.empty()) out_.push_back(required_field(own + ".path", ""));
      local(path, own + ".path");
      if (!path.empty()) take(path, std::string(text(source, "name")));
    }
  }

  void downward_api(const Object& source, const std::string& field) {
    for (const Object& item : member(source, "items")) {
      const std::string path(text(item, "path"));
      if (path.empty()) out_.push_back(required_field(field + ".path", ""));
      local(path, field + ".path");
      if (!path.empty()) take(path, path);
    }
  }

  void token(const Object& source, const std::string& field) {
    const Object& seconds = member(source, "expirationSeconds");
    if (seconds.is_number_integer() && seconds.get<std::int64_t>() < least_token_seconds) {
      out_.push_back(invalid_field(field + ".expirationSeconds", Shown(seconds),
                                   "may not specify a duration less than 10 minutes"));
    }
    if (seconds.is_number_integer() && seconds.get<std::int64_t>() > most_token_seconds) {
      out_.push_back(invalid_field(field + ".expirationSeconds", Shown(seconds),
                                   "may not specify a duration larger than 2^32 seconds"));
    }
    // The error names the volume, not the source.
    if (text(source, "path").empty()) out_.push_back(required_field(volume_ + ".path", ""));
  }

  void trust_bundle(const Object& source, const std::string& field) {
    const Object& name = member(source, "name");
    const Object& signer = member(source, "signerName");
    if (!name.is_null() && !signer.is_null()) {
      out_.push_back(invalid_field(field, as_in_go(source), "only one of name and signerName may be used"));
    } else if (!name.is_null()) {
      named_bundle(source, field);
    } else if (!signer.is_null()) {
      if (is_empty_text(signer)) out_.push_back(required_field(field + ".signerName", "must be a valid signer name"));
      append(out_, wrong_signer_name(field + ".signerName", std::string(text(source, "signerName"))));
    } else {
      out_.push_back(required_field(field, "either name or signerName must be specified"));
    }
    const std::string path(text(source, "path"));
    if (path.empty()) out_.push_back(required_field(field + ".path", ""));
    local(path, field + ".path");
    take(path, path);
  }

  void named_bundle(const Object& source, const std::string& field) {
    const std::string name(text(source, "name"));
    if (name.empty()) out_.push_back(required_field(field + ".name", "must be a valid object name"));
    for (const std::string& why : wrong_dns_subdomain(name)) {
      // The bundle of a signer has the signer and a colon in its name.
      if (name.find(':') == std::string::npos)
        out_.push_back(invalid_field(field + ".name", name, "not a valid clustertrustbundlename: " + why));
    }
    const Object& selector = member(source, "labelSelector");
    if (selector.is_null()) return;
    out_.push_back(
        invalid_field(field + ".labelSelector", Shown(selector), "labelSelector must be unset if name is specified"));
  }

  // The internal Go type has no JSON names, so errors show its Go names.
  static Shown as_in_go(const Object& source) {
    const auto of = [&](const char* field) { return Shown(member(source, field)); };
    return {{"Name", of("name")},         {"SignerName", of("signerName")}, {"LabelSelector", of("labelSelector")},
            {"Optional", of("optional")}, {"Path", text(source, "path")},   {"User", of("user")}};
  }

  void certificate(const Object& source, const std::string& field) {
    const std::string signer(text(source, "signerName"));
    append(out_, wrong_signer_name(field + ".signerName", signer));
    const std::string type(text(source, "keyType"));
    if (std::find(key_types.begin(), key_types.end(), type) == key_types.end()) {
      out_.push_back(unsupported_field(field + ".keyType", type, {key_types.begin(), key_types.end()}));
    }
    certificate_lasts(member(source, "maxExpirationSeconds"), signer, field + ".maxExpirationSeconds");
    bool has_path = false;
    for (const char* name : {"credentialBundlePath", "keyPath", "certificateChainPath"}) {
      const std::string path(text(source, name));
      if (path.empty()) continue;
      has_path = true;
      local(path, field + "." + name);
      take(path, path);
    }
    if (has_path) return;
    out_.push_back(
        required_field(field, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath"));
  }

  void certificate_lasts(const Object& seconds, const std::string& signer, const std::string& field) {
    if (!seconds.is_number_integer()) return;
    const std::string host = signer.substr(0, signer.find('/'));
    const bool own = host == "kubernetes.io" || host.ends_with(".kubernetes.io");
    const std::int64_t most = own ? most_certificate_seconds_of_kubernetes : most_certificate_seconds;
    if (seconds.get<std::int64_t>() < least_certificate_seconds) {
      out_.push_back(invalid_field(field, Shown(seconds), "if provided, maxExpirationSeconds must be >= 3600"));
    }
    if (seconds.get<std::int64_t>() > most) {
      out_.push_back(
          invalid_field(field, Shown(seconds), "if provided, maxExpirationSeconds must be <= " + std::to_string(most)));
    }
  }

  void local(const std::string& path, const std::string& field) { append(out_, wrong_local_path(path, field)); }

  void take(const std::string& path, const std::string& told) {
    if (!paths_.insert(path).second) out_.push_back(invalid_field(volume_, told, "conflicting duplicate paths"));
  }

  std::string volume_;
  std::set<std::string>& paths_;
  FieldMistakes out_;
};

}  // namespace

FieldMistakes wrong_projected_volume(const Object& projected, const std::string& field) {
  FieldMistakes out;
  std::set<std::string> paths;
  std::size_t at = 0;
  for (const Object& source : member(projected, "sources")) {
    append(out, Projection(field, paths).wrong(source, field + ".sources[" + std::to_string(at++) + "]"));
  }
  return out;
}

FieldMistakes wrong_token_paths(const Object& pod, const Release& release) {
  FieldMistakes out;
  if (!release.does(Behaviour::local_token_paths)) return out;
  std::size_t at = 0;
  for (const Object& volume : member(pod, "spec", "volumes")) {
    // The error names the volume, not the source.
    const std::string field = "spec.volumes[" + std::to_string(at++) + "].projected.path";
    for (const Object& source : member(volume, "projected", "sources")) {
      append(out, wrong_local_path(std::string(text(source, "serviceAccountToken", "path")), field));
    }
  }
  return out;
}

}  // namespace nodebound::validation
