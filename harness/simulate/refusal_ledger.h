#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/apiserver/http.h"
#include "harness/simulate/plan.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {

/// Kubelets that are started alike, as far as their own API goes.
struct KubeletKind {
  Version version;
  GateSettings gates;

  auto operator<=>(const KubeletKind&) const = default;
  /// `1.30.0`, `1.33.0 with KubeletFineGrainedAuthz=false`
  [[nodiscard]] std::string name() const;
};

/// Who is refused what, step by step. A client that goes on being refused what it was refused before a step is not
/// refused newly by it. While servers answer differently it goes on being refused as long as one of them refuses it.
class RefusalLedger {
 public:
  /// Those of a client that are alike.
  struct Seen {
    std::size_t kind = 0;
    std::size_t place = 0;  ///< as of Origin
    std::size_t step = 0;   ///< after which it began
    std::size_t count = 0;  ///< with those of whom it stands for
    Plan::Time first{0};
    Plan::Time last{0};
    std::optional<Plan::Time> healed;
    std::set<std::size_t> refusing;    ///< kinds of servers that run and refuse it, as far as the client knows
    std::set<std::size_t> allowing;    ///< and those that do not
    std::set<std::size_t> refused_by;  ///< all that have refused it since it was last healed
    std::set<std::size_t> allowed_by;  ///< and those that allowed it while others refused it
    std::optional<Plan::Time> by_all;  ///< since when no server allows it any more, where some did
    std::set<KubeletKind> kubelets;    ///< that refused it, where it was one's own API that was asked
  };

  /// Where an answer comes from.
  struct Origin {
    Origin(std::size_t kind_of_servers, std::size_t place_of_request, std::optional<KubeletKind> of_kubelet = {})
        : servers(kind_of_servers), place(place_of_request), kubelet(std::move(of_kubelet)) {}
    std::size_t servers;  ///< their kind: servers of one kind answer alike
    std::size_t place;    ///< of the request among those of an agent: of one place, answers heal refusals
    std::optional<KubeletKind> kubelet;  ///< where it comes from one's own API, and from no server
  };

  /// Refusals that are alike: of one group of clients, for one verb on one resource, by one rule.
  struct Kind {
    std::string who;
    Attributes attributes;  ///< of the first
    int status = 0;
    std::string rule;
    bool kubelet = false;  ///< whether kubelets refuse it
  };

  /// What servers of one kind said first of a refusal: releases word the same refusal differently.
  struct Told {
    std::size_t servers = 0;  ///< their kind
    std::string example;      ///< `GET /api/v1/nodes`
    std::string body;         ///< of that request
    std::string reason;
    std::string node;  ///< of the client; empty: of none
  };

  struct Client {
    std::string who;
    std::string node;        ///< empty: of none
    std::size_t weight = 1;  ///< how many it stands for, itself included
    std::vector<Seen> seen;
  };

  /// Gives the client's number.
  std::size_t add_client(std::string who, std::string node, std::size_t weight);
  void note(std::size_t client, const HttpRequest& request, const HttpResponse& response, Plan::Time now,
            const Origin& from = {0, 0});
  /// From now on there are servers of these kinds.
  void servers_are(const std::set<std::size_t>& kinds, Plan::Time now);
  void next_step() { ++step_; }

  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  /// What those were told who have been refused newly after that step, the first of them first; never empty.
  [[nodiscard]] const std::vector<Told>& told(std::size_t kind, std::size_t step) const {
    return told_.at({kind, step});
  }
  [[nodiscard]] const std::vector<Client>& clients() const { return clients_; }
  [[nodiscard]] std::size_t requests() const { return requests_; }

  /// Refusals by slice of time and rule (or status, where no rule is known).
  using Slices = std::map<std::pair<std::size_t, std::string>, std::size_t>;
  void set_slice(Plan::Time slice) { slice_ = slice; }
  [[nodiscard]] const Slices& slices() const { return slices_; }

 private:
  void add(Client& client, const HttpRequest& request, const HttpResponse& response, Plan::Time now,
           const Origin& from);
  void note_told(const Client& client, const Seen& seen, const HttpRequest& request, const HttpResponse& response,
                 std::size_t servers);
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

/// Whether a request goes on to a kubelet, or to what is behind it.
bool is_connection(const Attributes& attributes);

/// `list nodes`, `create serviceaccounts/token`, `get /healthz`.
std::string request_in_short(const Attributes& attributes);

}  // namespace nodebound
