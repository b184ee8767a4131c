#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/http.h"
#include "fakes/kubelet/kubelet_line.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {

/// A request of a kubelet that was refused, with those like it: the same verb on the same resource, with the same
/// status for the same rule.
struct KubeletRefusal {
  Attributes attributes;  ///< of the first
  int status = 0;
  std::string reason;  ///< what the first was told
  std::string rule;    ///< of the catalogue; empty if the server does not say
  std::size_t count = 0;
  KubeletTime first;
  KubeletTime last;
  /// When such a request was answered well again after the last.
  std::optional<KubeletTime> healed = std::nullopt;
};

/// What a kubelet was refused. It retries what it is refused for as long as it runs, so they are counted.
class KubeletRefusals {
 public:
  [[nodiscard]] const std::vector<KubeletRefusal>& all() const { return refusals_; }

  /// Takes note of an answer.
  void note(const HttpRequest& request, const HttpResponse& response, KubeletTime now);

 private:
  void add(const HttpRequest& request, const HttpResponse& response, KubeletTime now);

  std::vector<KubeletRefusal> refusals_;
};

/// Whether an answer says that a request may not be, rather than how things are: that an object is not there, or is
/// there already, or has changed, is what clients expect to hear.
bool is_refusal(const HttpResponse& response);

/// The rule of the catalogue that decided; empty if the server does not say.
std::string rule_of(const HttpResponse& response);
/// The rule by which an API server refused; empty as well where the rule that decided had let the request pass, and
/// something else (validation, what is not served) refused it.
std::string refusing_rule_of(const HttpResponse& response);
/// The message of its Status, or else its body.
std::string reason_of(const HttpResponse& response);

/// Whether nothing came back: neither a refusal, nor a sign that one has healed.
bool is_unanswered(const HttpResponse& response);

}  // namespace nodebound
