#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/simulate/plan/plan.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::simulate {

/// A kind of kubelets: those that are started alike, as far as their own API is concerned.
struct KubeletKind {
  Version version;
  GateSettings gates;

  auto operator<=>(const KubeletKind&) const = default;
  /// `1.30.0`, `1.33.0 with KubeletFineGrainedAuthz=false`
  [[nodiscard]] std::string name() const;
};

/// Records who is refused what, step by step. If a client was refused before a step and still is after it, that is not
/// a new refusal. While servers answer differently, a client counts as refused as long as one of them refuses it.
class RefusalLedger {
 public:
  /// Similar refusals of one client.
  struct Seen {
    std::size_t kind = 0;
    std::size_t place = 0;  ///< see Origin
    std::size_t step = 0;   ///< the step after which it began
    std::size_t count = 0;  ///< including those of the clients that it represents
    Plan::Time first{0};
    Plan::Time last{0};
    std::optional<Plan::Time> healed;
    std::set<std::size_t> refusing;    ///< kinds of running servers that refuse it, as far as the client knows
    std::set<std::size_t> allowing;    ///< kinds that allow it
    std::set<std::size_t> refused_by;  ///< all kinds that refused it since it last healed
    std::set<std::size_t> allowed_by;  ///< kinds that allowed it while others refused it
    std::optional<Plan::Time> by_all;  ///< since when no server allows it any more, if some did
    std::set<KubeletKind> kubelets;    ///< that refused it, if their own API was asked
  };

  /// The origin of an answer.
  struct Origin {
    Origin(std::size_t kind_of_servers, std::size_t place_of_request, std::optional<KubeletKind> of_kubelet = {})
        : servers(kind_of_servers), place(place_of_request), kubelet(std::move(of_kubelet)) {}
    std::size_t servers;  ///< their kind: servers of one kind answer alike
    std::size_t place;    ///< index among an agent's requests: an answer heals only refusals of the same request
    std::optional<KubeletKind> kubelet;  ///< if a kubelet's own API gave it, and not a server
  };

  /// A kind of similar refusals: of one group of clients, for one verb on one resource, by one rule.
  struct Kind {
    std::string who;
    Attributes attributes;  ///< of the first request
    int status = 0;
    std::string rule;
    bool kubelet = false;  ///< whether kubelets refuse it
  };

  /// The first refusal by servers of one kind, because releases word the same refusal differently. Of kubelets only the
  /// very first refusal is kept.
  struct Told {
    std::size_t servers = 0;  ///< their kind
    std::string example;      ///< `GET /api/v1/nodes`
    std::string body;         ///< of that request
    std::string reason;
    std::string node;                    ///< of the client; empty if it has none
    std::optional<KubeletKind> kubelet;  ///< if a kubelet refused it, and not a server
  };

  struct Client {
    std::string who;
    std::string node;        ///< empty: none
    std::size_t weight = 1;  ///< how many clients it represents, including itself
    std::vector<Seen> seen;
  };

  /// Returns the client's number.
  std::size_t add_client(std::string who, std::string node, std::size_t weight);
  void note(std::size_t client, const HttpRequest& request, const HttpResponse& response, Plan::Time now,
            const Origin& from = {0, 0});
  /// From now on these kinds of servers run.
  void servers_are(const std::set<std::size_t>& kinds, Plan::Time now);
  void next_step() { ++step_; }

  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  /// The words of the refusals that are new after that step, the first one first; never empty.
  [[nodiscard]] const std::vector<Told>& told(std::size_t kind, std::size_t step) const {
    return told_.at({kind, step});
  }
  [[nodiscard]] const std::vector<Client>& clients() const { return clients_; }
  [[nodiscard]] std::size_t requests() const { return requests_; }

  /// Number of refusals by slice of time and rule, or by status if no rule is known.
  using Slices = std::map<std::pair<std::size_t, std::string>, std::size_t>;
  void set_slice(Plan::Time slice) { slice_ = slice; }
  [[nodiscard]] const Slices& slices() const { return slices_; }

 private:
  void add(Client& client, const HttpRequest& request, const HttpResponse& response, Plan::Time now,
           const Origin& from);
  void note_told(const Client& client, const Seen& seen, const HttpRequest& request, const HttpResponse& response,
                 const Origin& from);
  static void note_refused(Seen& seen, Plan::Time now, std::size_t servers);
  static void note_well(Seen& seen, Plan::Time now, std::size_t servers);
  std::size_t kind_of(const Client& client, const HttpRequest& request, const HttpResponse& response, bool kubelet);

  std::vector<Client> clients_;
  std::vector<Kind> kinds_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Told>> told_;  ///< by kind and step
  std::map<std::string, std::size_t> by_text_;
  Slices slices_;
  Plan::Time slice_ = std::chrono::hours(1);
  std::size_t step_ = 0;
  std::size_t requests_ = 0;
};

/// Whether a request opens a connection to a kubelet, or to something behind it.
bool is_connection(const Attributes& attributes);

/// `list nodes`, `create serviceaccounts/token`, `get /healthz`.
std::string request_in_short(const Attributes& attributes);

}  // namespace nodebound::simulate
