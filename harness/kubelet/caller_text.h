#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound::kubelet_conformance {

/// Who asks a kubelet, in the words of a step: `nobody`, `certificate NAME`, `token NAME`.
struct CallerText {
  /// The credentials that the caller shows.
  enum class Shows {
    nobody,
    certificate,
    token,
    websocket_token,
    basic,
    expired,
    not_yet_valid,
    other_ca,
    server_usage,
    no_common_name,
    bad_certificate_and_token,
    certificate_and_bad_token,
  };

  Shows shows = Shows::nobody;
  std::string given_name = {};  ///< empty if the step gives none

  /// Nothing if the first word is none of words().
  static std::optional<CallerText> of(std::string_view text);
  static std::vector<std::string> words();

  [[nodiscard]] std::string name() const { return given_name.empty() ? "somebody" : given_name; }
  [[nodiscard]] bool has_certificate() const;
  [[nodiscard]] bool has_good_certificate() const;
  /// Good or bad.
  [[nodiscard]] bool has_token() const;
  [[nodiscard]] bool has_good_token() const { return has_token() && shows != Shows::certificate_and_bad_token; }
};

std::string to_text(const CallerText& caller);

}  // namespace nodebound::kubelet_conformance
