#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/kubelet/api_server_line.h"
#include "fakes/kubelet/kubelets.h"
#include "fakes/test/whole_pod.h"
#include "reference/test/support.h"

namespace nodebound::test {

inline const Subject admin{"admin", {"system:masters"}, "", {}};

/// The requests that were sent, one a line.
using Lines = std::vector<std::string>;

inline void check(const Lines& found, const Lines& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

/// `GET pods?spec.nodeName=a watch`: a request in short, without the parts that differ between runs.
inline std::string brief(const HttpRequest& request) {
  const Attributes attributes = attributes_of(request.method, request.target);
  std::string out = request.method + " ";
  if (!attributes.resource_request) return out + attributes.path;
  if (!attributes.api_group.empty()) out += attributes.api_group + "/" + attributes.api_version + " ";
  out += attributes.full_resource();
  if (!attributes.name.empty() && attributes.verb != "list" && attributes.verb != "watch") out += " " + attributes.name;
  const std::string selector = query_parameter(request.target, "fieldSelector");
  if (!selector.empty()) out += " " + selector;
  return attributes.verb == "watch" ? out + " watch" : out;
}

/// An API server of a release, kubelets, and their virtual time.
class KubeletCluster {
 public:
  explicit KubeletCluster(std::string_view release) : rules_(rules_of(release)) {
    apiserver::ApiServer::Options options;
    options.namespaces_first = true;
    options.resources = std::make_shared<const ApiResources>(rules_.release(), RuntimeConfig::defaults);
    options.clock = [this] { return std::chrono::system_clock::time_point(time); };
    server = std::make_unique<apiserver::ApiServer>(rules_, options);
  }

  HttpResponse answer(const Subject& subject, const HttpRequest& request) {
    sent.push_back(brief(request));
    requests.push_back(request);
    if (sent.back() == refused) {
      return {403, "application/json", R"({"kind":"Status","message":"no"})", {}};
    }
    return server->handle(subject, request);
  }

  std::unique_ptr<fake_kubelet::ApiServerLine> line(const std::string& node, bool streams = true) const {
    const Subject bootstrap{"system:bootstrap:a", {"system:bootstrappers", "system:authenticated"}, "", {}};
    return std::make_unique<fake_kubelet::ApiServerLine>(
        answering_, fake_kubelet::ApiServerLine::Options{fake_kubelet::node_subject(node), bootstrap, streams});
  }
  std::size_t add(std::string_view release, const fake_kubelet::KubeletOptions& options = {},
                  const std::string& name = "a", bool streams = true) {
    auto traits = fake_kubelet::KubeletTraitsTable::built_in().at(Version::parse(release).value()).value();
    return kubelets.add({name, std::move(traits), std::make_shared<const fake_kubelet::KubeletOptions>(options)},
                        line(name, streams), time);
  }
  fake_kubelet::FakeKubelet& start(std::string_view release, const fake_kubelet::KubeletOptions& options = {},
                                   const std::string& name = "a") {
    const std::size_t number = add(release, options, name);
    run();
    return kubelets[number];
  }

  void run(std::chrono::seconds seconds = std::chrono::seconds(0)) {
    const fake_kubelet::KubeletTime end = time + seconds;
    for (fake_kubelet::KubeletTime next = kubelets.next(); next <= end; next = kubelets.next()) {
      time = std::max(time, next);
      kubelets.act(time, 1);
    }
    time = end;
    server->tick();
  }

  Object call(const char* method, const std::string& target, const std::string& body = {},
              const std::string& type = "application/json") {
    last = server->handle(admin, {method, target, type, whole_pod(method, target, body)});
    return Object::parse(last.body, nullptr, false);
  }
  Object get(const std::string& target) { return call("GET", target); }
  Object make(const std::string& target, const std::string& body) { return call("POST", target, body); }
  void make_shop() {
    make("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
    make(shop + "serviceaccounts", R"({"metadata":{"name":"default"}})");
    make(shop + "configmaps", R"({"metadata":{"name":"kube-root-ca.crt"}})");
  }

  /// What was sent since the last call.
  Lines taken() { return std::exchange(sent, {}); }

  const std::string shop = "/api/v1/namespaces/shop/";
  fake_kubelet::KubeletTime time{std::chrono::seconds(1'800'000'000)};
  std::unique_ptr<apiserver::ApiServer> server;
  std::vector<std::string> sent;
  std::vector<HttpRequest> requests;
  std::string refused;  ///< requests that are refused, whatever the server says
  HttpResponse last;
  fake_kubelet::Kubelets kubelets;

 private:
  RuleSet rules_;
  std::shared_ptr<const fake_kubelet::ApiServerLine::Answering> answering_ =
      std::make_shared<const fake_kubelet::ApiServerLine::Answering>(
          [this](const Subject& subject, const HttpRequest& request) { return answer(subject, request); });
};

inline std::string lines(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& line : all) out += line + "\n";
  return out;
}

}  // namespace nodebound::test
