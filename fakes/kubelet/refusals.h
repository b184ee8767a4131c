#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/kubelet/kubelet_line.h"
#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::fake_kubelet {

/// A refused request of a kubelet, together with those like it: the same verb on the same resource, with the same
/// status by the same rule.
struct KubeletRefusal {
  Attributes attributes;  ///< of the first such request
  int status = 0;
  std::string reason;  ///< the reason given to the first such request
  std::string rule;    ///< rule of the catalogue; empty if the server does not name it
  std::size_t count = 0;
  KubeletTime first;
  KubeletTime last;
  /// When such a request first succeeded after the last refusal.
  std::optional<KubeletTime> healed = std::nullopt;
};

/// The refusals of a kubelet. It retries refused requests as long as it runs, so they are counted.
class KubeletRefusals {
 public:
  [[nodiscard]] const std::vector<KubeletRefusal>& all() const { return refusals_; }

  /// Records an answer.
  void note(const HttpRequest& request, const HttpResponse& response, KubeletTime now);

 private:
  void add(const HttpRequest& request, const HttpResponse& response, KubeletTime now);

  std::vector<KubeletRefusal> refusals_;
};

/// Whether an answer means that the request is not allowed. That an object does not exist, already exists or has
/// changed is no refusal: clients expect such answers.
bool is_refusal(const HttpResponse& response);

/// The rule of the catalogue that decided; empty if the server does not name it.
std::string rule_of(const HttpResponse& response);
/// The rule by which an API server refused; also empty if the named rule allowed the request and something else
/// (validation, an unserved path) refused it.
std::string refusing_rule_of(const HttpResponse& response);
/// The message of the answer's Status, or else its body.
std::string reason_of(const HttpResponse& response);

/// Whether no answer came: that is neither a refusal nor a sign that one has healed.
bool is_unanswered(const HttpResponse& response);

}  // namespace nodebound::fake_kubelet
