#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fakes/http/handler.h"
#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "fakes/kubelet_api/kubelet_host.h"
#include "reference/kubelet/routes.h"

namespace nodebound::kubelet_api {

/// The answers of a kubelet's handlers. Thread-safe.
class KubeletAnswers {
 public:
  using Flags = std::vector<std::pair<std::string, std::string>>;

  /// `flags` are the given flags; `clock` returns seconds since 1970, and is read now for the kubelet's start time. The
  /// rules and the host must outlive it; without a host it shows a sample.
  KubeletAnswers(const RuleSet& rules, const KubeletConfiguration& configuration, const std::string& node, Flags flags,
                 std::function<std::int64_t()> clock, const KubeletHost* host = nullptr);

  /// Sets the actual port, if the configuration lets the system choose one.
  void listens_on(int port) { port_ = port; }

  /// Dispatches by the handler's name in routes.toml.
  HttpResponse answer(const KubeletRoute& route, const IncomingRequest& request);

  /// The answers of the healthz port, which does not authenticate.
  HttpResponse health(const IncomingRequest& request);

 private:
  struct Call {
    const KubeletRoute& route;
    const IncomingRequest& request;

    [[nodiscard]] std::string parameter(std::size_t index) const {
      return index < route.parameters.size() ? route.parameters[index] : std::string();
    }
    [[nodiscard]] std::string query(std::string_view name) const;
  };
  using Handler = HttpResponse (KubeletAnswers::*)(const Call&);
  static const std::map<std::string, Handler, std::less<>>& handlers();

  HttpResponse healthz(const Call& call);
  HttpResponse pods(const Call& call);
  HttpResponse running_pods(const Call& call);
  HttpResponse allocated_pods(const Call& call);
  HttpResponse summary(const Call& call);
  HttpResponse cadvisor_json(const Call& call);
  HttpResponse run(const Call& call);
  HttpResponse exec(const Call& call);
  HttpResponse attach(const Call& call);
  HttpResponse port_forward(const Call& call);
  HttpResponse container_logs(const Call& call);
  HttpResponse checkpoint(const Call& call);
  HttpResponse logs(const Call& call);
  HttpResponse pprof(const Call& call);
  HttpResponse debug_flags(const Call& call);
  HttpResponse configz(const Call& call);
  HttpResponse flagz(const Call& call);
  HttpResponse statusz(const Call& call);
  HttpResponse cri(const Call& call);
  HttpResponse metrics(const Call& call);
  HttpResponse metrics_cadvisor(const Call& call);
  HttpResponse metrics_resource(const Call& call);
  HttpResponse metrics_probes(const Call& call);
  HttpResponse metrics_slis(const Call& call);

  HttpResponse stream(const Call& call, const std::string& output);
  HttpResponse metrics_answer(const Call& call, std::string body, bool chunked);
  [[nodiscard]] std::string metrics_type(std::string_view accept) const;
  [[nodiscard]] std::string start_time_metric() const;
  [[nodiscard]] std::vector<std::string> checks() const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> shown_flags() const;

  [[nodiscard]] bool has(KubeletTrait trait) const { return rules_.release().has(trait); }

  const RuleSet& rules_;
  KubeletConfiguration configuration_;
  std::string node_;
  SampleHost sample_;
  const KubeletHost& host_;
  Flags flags_;
  std::function<std::int64_t()> clock_;
  std::int64_t started_;
  std::atomic<int> port_;
  std::atomic<std::uint64_t> health_checks_ = 0;
};

}  // namespace nodebound::kubelet_api
