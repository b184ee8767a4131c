#include "harness/kubelet/caller_text.h"

#include <algorithm>
#include <array>

namespace nodebound::kubelet_conformance {
namespace {

// In the order of CallerText::Shows.
constexpr std::array<std::string_view, 12> caller_words = {"nobody",
                                                           "certificate",
                                                           "token",
                                                           "websocket-token",
                                                           "basic",
                                                           "expired",
                                                           "not-yet-valid",
                                                           "other-ca",
                                                           "server-usage",
                                                           "no-common-name",
                                                           "bad-certificate-and-token",
                                                           "certificate-and-bad-token"};

}  // namespace

std::optional<CallerText> CallerText::of(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const auto found = std::find(caller_words.begin(), caller_words.end(), text.substr(0, blank));
  if (found == caller_words.end()) return std::nullopt;
  const std::string_view name = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  return CallerText{static_cast<CallerText::Shows>(found - caller_words.begin()), std::string(name)};
}

std::vector<std::string> CallerText::words() {
  return {caller_words.begin(), caller_words.end()};
}

bool CallerText::has_certificate() const {
  return shows != CallerText::Shows::nobody && shows != CallerText::Shows::token &&
         shows != CallerText::Shows::websocket_token && shows != CallerText::Shows::basic;
}

bool CallerText::has_good_certificate() const {
  return shows == CallerText::Shows::certificate || shows == CallerText::Shows::certificate_and_bad_token;
}

bool CallerText::has_token() const {
  return shows == CallerText::Shows::token || shows == CallerText::Shows::websocket_token ||
         shows == CallerText::Shows::bad_certificate_and_token || shows == CallerText::Shows::certificate_and_bad_token;
}

std::string to_text(const CallerText& caller) {
  std::string out(caller_words[static_cast<std::size_t>(caller.shows)]);
  return caller.given_name.empty() ? out : out + " " + caller.given_name;
}

}  // namespace nodebound::kubelet_conformance
