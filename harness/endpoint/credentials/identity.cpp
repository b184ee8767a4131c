#include "harness/endpoint/credentials/identity.h"

#include <algorithm>
#include <array>

namespace nodebound {
namespace {

/// Characters of an HTTP token, less '%': the API server reads it as the start of an escape.
bool is_plain_in_header_name(unsigned char c) {
  constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kMarks.find(static_cast<char>(c)) != std::string_view::npos;
}

std::string escaped_header_name(std::string_view key) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char character : key) {
    const auto c = static_cast<unsigned char>(character);
    if (is_plain_in_header_name(c)) {
      out += character;
    } else {
      out += {'%', kHex[c >> 4U], kHex[c & 15U]};
    }
  }
  return out;
}

/// Servers trim white space from both ends of a header's value, and a control character ends the header or the request.
bool survives_header(const std::string& value) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (!value.empty() && (is_blank(value.front()) || is_blank(value.back()))) return false;
  return std::none_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
  });
}

void append(std::string& key, const std::string& text) {
  key += std::to_string(text.size()) + ":" + text;
}

}  // namespace

bool is_anonymous(const Subject& subject) {
  return subject.name == "system:anonymous";
}

Subject as_presented(Subject subject) {
  std::erase(subject.groups, "system:authenticated");
  return subject;
}

bool fits_certificate(const Subject& subject) {
  return subject.uid.empty() && subject.extra.empty() && !subject.name.empty();
}

Result<Credentials> impersonating(Credentials administrator, const Subject& subject) {
  HttpHeaders headers{{"Impersonate-User", subject.name}};
  if (!subject.uid.empty()) headers.emplace_back("Impersonate-Uid", subject.uid);
  for (const std::string& group : as_presented(subject).groups) headers.emplace_back("Impersonate-Group", group);
  for (const auto& [key, values] : subject.extra) {
    for (const std::string& value : values) {
      headers.emplace_back("Impersonate-Extra-" + escaped_header_name(key), value);
    }
  }
  for (auto& [name, value] : headers) {
    if (value.empty() || !survives_header(value)) {
      return input_error("subject '" + subject.name + "'",
                         "cannot be impersonated: no header carries the value of " + name +
                             " unchanged; expected text without control characters and white space at its ends",
                         "certificates carry any name: --identity=ca or csr");
    }
    administrator.headers.emplace_back(name, std::move(value));
  }
  return administrator;
}

std::string key_of(const Subject& subject) {
  std::string key;
  append(key, subject.name);
  append(key, subject.uid);
  key += std::to_string(subject.groups.size()) + ";";
  for (const std::string& group : subject.groups) append(key, group);
  for (const auto& [name, values] : subject.extra) {
    append(key, name);
    key += std::to_string(values.size()) + ";";
    for (const std::string& value : values) append(key, value);
  }
  return key;
}

Result<IssuedCertificate> CertificateStore::of(const Subject& subject) {
  const std::string key = key_of(subject);
  // Held while a certificate is issued, so that two sessions never request the same one twice.
  const std::lock_guard lock(mutex_);
  if (const auto found = issued_.find(key); found != issued_.end()) return found->second;
  auto issued = issue_(as_presented(subject));
  if (issued) issued_.emplace(key, *issued);
  return issued;
}

}  // namespace nodebound
