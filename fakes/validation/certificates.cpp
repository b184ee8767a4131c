#include <algorithm>
#include <array>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/admission/certificate_signing_request.h"
#include "reference/cluster/names.h"
#include "reference/encoding/base64.h"
#include "reference/release/refusal_text.h"

// pkg/apis/certificates/validation/validation.go

namespace nodebound::validation {
namespace {

constexpr std::array<std::string_view, 23> known_usages = {"any",
                                                           "cert sign",
                                                           "client auth",
                                                           "code signing",
                                                           "content commitment",
                                                           "crl sign",
                                                           "data encipherment",
                                                           "decipher only",
                                                           "digital signature",
                                                           "email protection",
                                                           "encipher only",
                                                           "ipsec end system",
                                                           "ipsec tunnel",
                                                           "ipsec user",
                                                           "key agreement",
                                                           "key encipherment",
                                                           "microsoft sgc",
                                                           "netscape sgc",
                                                           "ocsp signing",
                                                           "s/mime",
                                                           "server auth",
                                                           "signing",
                                                           "timestamping"};

constexpr std::size_t most_uid_bytes = 128;
constexpr std::int64_t least_certificate_seconds = 3600;
constexpr std::int64_t day_seconds = 86400;

FieldMistakes wrong_usages(const Object& usages) {
  if (usages.empty()) return {required_field("spec.usages", "")};
  FieldMistakes out;
  const std::vector<std::string> supported(known_usages.begin(), known_usages.end());
  std::size_t at = 0;
  for (const Object& usage : usages) {
    const bool known =
        usage.is_string() && std::find(supported.begin(), supported.end(), usage.get<std::string>()) != supported.end();
    const std::string field = "spec.usages[" + std::to_string(at++) + "]";
    if (!known) out.push_back(unsupported_field(field, usage, supported));
  }
  std::set<Object> seen;
  for (std::size_t i = 0; i < usages.size(); ++i) {
    if (!seen.insert(usages[i]).second)
      out.push_back(duplicate_field("spec.usages[" + std::to_string(i) + "]", usages[i]));
  }
  return out;
}

// The first invalid part between dots, with all errors in it.
FieldMistakes wrong_part(const std::string& field, const std::string& parts,
                         std::vector<std::string> (*wrong)(std::string_view)) {
  for (std::size_t at = 0; at <= parts.size();) {
    const std::size_t end = std::min(parts.find('.', at), parts.size());
    const std::string part = parts.substr(at, end - at);
    FieldMistakes out;
    for (const std::string& why : wrong(part)) {
      out.push_back(invalid_field(field, parts, "validating label " + go_quoted(part) + ": " + why));
    }
    if (!out.empty()) return out;
    at = end + 1;
  }
  return {};
}

const Object& conditions_of(const Object& request) {
  return member(request, "status", "conditions");
}

Object of_type(const Object& request, std::string_view type) {
  Object found = Object::array();
  for (const Object& condition : conditions_of(request)) {
    if (text(condition, "type") == type) found.push_back(condition);
  }
  return found;
}

bool has_decision(const Object& request, std::string_view type) {
  return !of_type(request, type).empty();
}

bool repeats_types(const Object& request) {
  std::set<std::string> seen;
  const Object& conditions = conditions_of(request);
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Object& one) { return !seen.emplace(text(one, "type")).second; });
}

FieldMistakes wrong_condition_status(const std::string& field, std::string_view type, const std::string& status) {
  if (status.empty()) return {required_field(field, "")};
  const bool decides = type == "Approved" || type == "Denied" || type == "Failed";
  const std::vector<std::string> supported =
      decides ? std::vector<std::string>{"True"} : std::vector<std::string>{"False", "True", "Unknown"};
  if (std::find(supported.begin(), supported.end(), status) != supported.end()) return {};
  return {unsupported_field(field, status, supported)};
}

// What an object had already is tolerated.
FieldMistakes wrong_conditions(const Object& request, const Object& before) {
  FieldMistakes out;
  const std::string field = "status.conditions";
  const bool may_be_both = has_decision(before, "Approved") && has_decision(before, "Denied");
  const bool may_have_no_type = has_decision(before, "");
  const bool may_repeat = repeats_types(before);
  std::set<std::string> seen;
  std::size_t at = 0;
  for (const Object& condition : conditions_of(request)) {
    const std::string item = field + "[" + std::to_string(at++) + "]";
    const std::string type(text(condition, "type"));
    if (type.empty() && !may_have_no_type) out.push_back(required_field(item + ".type", ""));
    append(out, wrong_condition_status(item + ".status", type, std::string(text(condition, "status"))));
    const char* const opposite = type == "Approved" ? "Denied" : type == "Denied" ? "Approved" : nullptr;
    if (opposite != nullptr && !may_be_both && seen.contains(opposite)) {
      out.push_back(invalid_field(field, type, "Approved and Denied conditions are mutually exclusive"));
    }
    if (!seen.insert(type).second && !may_repeat) out.push_back(duplicate_field(item + ".type", type));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_signer_name(const std::string& field, const std::string& name) {
  if (name.empty()) return {required_field(field, "")};
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || name.find('/', slash + 1) != std::string::npos) {
    return {
        invalid_field(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")};
  }
  constexpr std::size_t longest_name = 253;
  constexpr std::size_t longest_label = 63;
  const std::string domain = name.substr(0, slash);
  FieldMistakes out;
  if (domain.size() > longest_name) out.push_back(too_long_field(field, longest_name));
  append(out, wrong_part(field, domain, wrong_dns_label));
  if (domain.find('.') == std::string::npos) {
    out.push_back(invalid_field(field, domain, "should be a domain with at least two segments separated by dots"));
  }
  append(out, wrong_part(field, name.substr(slash + 1), wrong_dns_subdomain));
  constexpr std::size_t longest = longest_name + 1 + longest_name + 1 + longest_label;
  if (name.size() > longest) out.push_back(too_long_field(field, longest));
  return out;
}

FieldMistakes wrong_signing_request(const Object& request) {
  FieldMistakes out;
  const Object& spec = member(request, "spec");
  const std::optional<std::string> pem = base64_decode(text(spec, "request"));
  const bool is_pem = pem && pem->find("-----BEGIN CERTIFICATE REQUEST-----") != std::string::npos;
  if (!is_pem || !common_name_of(*pem)) {
    out.push_back(invalid_field("spec.request", member(spec, "request"), "PEM block type must be CERTIFICATE REQUEST"));
  }
  // v1beta1 requires neither, and knows a signer for requests from before signerName existed.
  if (text(request, "apiVersion") == "certificates.k8s.io/v1beta1") return out;
  append(out, wrong_usages(member(spec, "usages")));
  const std::string signer(text(spec, "signerName"));
  if (signer == "kubernetes.io/legacy-unknown") {
    out.push_back(
        invalid_field("spec.signerName", signer, "the legacy signerName is not allowed via this API version"));
  } else {
    append(out, wrong_signer_name("spec.signerName", signer));
  }
  const Object& seconds = member(spec, "expirationSeconds");
  if (seconds.is_number() && seconds.get<std::int64_t>() < 600) {
    out.push_back(invalid_field("spec.expirationSeconds", seconds,
                                "may not specify a duration less than 600 seconds (10 minutes)"));
  }
  return out;
}

FieldMistakes wrong_pod_certificate_request(const Object& request) {
  const Object& spec = member(request, "spec");
  const std::string signer(text(spec, "signerName"));
  FieldMistakes out = wrong_signer_name("spec.signerName", signer);
  for (const char* of : {"pod", "serviceAccount", "node"}) {
    const std::string field = std::string("spec.") + of;
    const std::string name(text(spec, std::string(of) + "Name"));
    const std::string uid(text(spec, std::string(of) + "UID"));
    append(out, invalid_field_each(field + "Name", name, wrong_dns_subdomain(name)));
    if (uid.empty()) out.push_back(invalid_field(field + "UID", uid, "must not be empty"));
    if (uid.size() > most_uid_bytes) out.push_back(too_long_field(field + "UID", most_uid_bytes));
  }
  const Object& seconds = member(spec, "maxExpirationSeconds");
  if (!seconds.is_number_integer()) return out;
  const std::string host = signer.substr(0, signer.find('/'));
  const std::int64_t most =
      host == "kubernetes.io" || host.ends_with(".kubernetes.io") ? day_seconds : 91 * day_seconds;
  if (seconds.get<std::int64_t>() < least_certificate_seconds || seconds.get<std::int64_t>() > most) {
    out.push_back(invalid_field(
        "spec.maxExpirationSeconds", seconds,
        "must be in the range [" + std::to_string(least_certificate_seconds) + ", " + std::to_string(most) + "]"));
  }
  return out;
}

FieldMistakes wrong_signing_request_conditions(const Object& request, const Object& before, bool approval) {
  FieldMistakes out;
  // v1beta1 takes any.
  if (text(request, "apiVersion") == "certificates.k8s.io/v1") out = wrong_conditions(request, before);
  const auto forbid = [&](const char* what, const char* type) {
    out.push_back(forbidden_field("status.conditions",
                                  std::string("updates may not ") + what + " a condition of type " + go_quoted(type)));
  };
  for (const char* type : {"Approved", "Denied", "Failed"}) {
    if (of_type(request, type).size() < of_type(before, type).size()) forbid("remove", type);
  }
  for (const char* type : {"Approved", "Denied"}) {
    if (!approval && of_type(request, type).size() > of_type(before, type).size()) forbid("add", type);
  }
  const std::string certificate(text(before, "status", "certificate"));
  if (text(request, "status", "certificate") != certificate && !certificate.empty()) {
    out.push_back(forbidden_field("status.certificate", "updates may not modify existing certificate content"));
  }
  return out;
}

}  // namespace nodebound::validation
