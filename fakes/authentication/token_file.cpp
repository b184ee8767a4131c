#include "fakes/authentication/token_file.h"

#include <algorithm>

namespace nodebound::authentication {
namespace {

/// One line of CSV: a quoted field may contain commas, and quotes written twice.
Result<std::vector<std::string>> fields_of(std::string_view line, const std::string& where) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return input_error(where, "a quoted field does not end on its line");
  return fields;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<TokenFile>> TokenFile::parse(std::string_view text, const std::string& name,
                                                    std::vector<std::string> audiences) {
  auto file = std::make_unique<TokenFile>();
  file->audiences_ = std::move(audiences);
  std::size_t number = 0;
  for (const std::string& raw : split(text, '\n')) {
    ++number;
    const std::string_view line = raw.ends_with('\r') ? std::string_view(raw).substr(0, raw.size() - 1) : raw;
    if (line.empty()) continue;
    const std::string where = name + ":" + std::to_string(number);
    const Result<std::vector<std::string>> fields = fields_of(line, where);
    if (!fields) return tl::unexpected<Error>(fields.error());
    if (fields->size() < 3) {
      return input_error(
          where, "expected at least 3 columns (token, user name, user uid), found " + std::to_string(fields->size()));
    }
    if ((*fields)[0].empty()) continue;  // kube-apiserver skips it, too
    Subject subject{(*fields)[1], {}, (*fields)[2], {}};
    if (fields->size() > 3) subject.groups = split((*fields)[3], ',');
    file->subjects_[(*fields)[0]] = std::move(subject);
  }
  return file;
}

Authentication TokenFile::authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                       const apiserver::FindObject& /*find*/) const {
  std::vector<std::string> audiences = in_common(audiences_, wanted);
  const auto found = subjects_.find(std::string(token));
  if (found == subjects_.end() || audiences.empty()) return Authentication::no_opinion();
  return {found->second, std::move(audiences), {}};
}

}  // namespace nodebound::authentication
