// Whole HTTP requests to an API server with a few objects.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fakes/apiserver/api_server.h"
#include "fakes/authentication/token_file.h"
#include "fakes/http/memory_connection.h"
#include "fakes/serving/api_handler.h"
#include "harness/fuzz/structure.h"
#include "reference/test/support.h"

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::authentication;
using namespace nodebound::serving;

namespace {

const std::pair<const char*, const char*> objects[] = {
    {"/api/v1/nodes", R"({"metadata":{"name":"n"}})"},
    {"/api/v1/namespaces", R"({"metadata":{"name":"ns"}})"},
    {"/api/v1/namespaces/ns/secrets", R"({"metadata":{"name":"s"}})"},
    {"/api/v1/namespaces/ns/serviceaccounts", R"({"metadata":{"name":"sa"}})"},
    {"/api/v1/namespaces/ns/configmaps", R"({"metadata":{"name":"c","labels":{"a":"b"}},"data":{"k":"v"}})"},
    {"/api/v1/namespaces/ns/pods", R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","serviceAccountName":"sa",
       "containers":[{"name":"a","image":"i"}],"volumes":[{"name":"v","secret":{"secretName":"s"}}]}})"},
};

/// What all servers share because it takes long to make.
struct Shared {
  RuleSet rules = test::rules_of("1.36.3", {});
  std::shared_ptr<const ApiResources> resources = std::make_shared<const ApiResources>(rules.release());
  RequestAuthenticator authenticator{authenticators()};

  static RequestAuthenticator::Options authenticators() {
    RequestAuthenticator::Options out;
    out.tokens.push_back(
        TokenFile::parse("r,root,1,system:masters\nn,system:node:n,2,system:nodes\n", "t", {}).value());
    return out;
  }
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutated(data, size, most, seed, 0, fuzz::changed_http);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Shared shared;
  ApiServer::Options options;
  options.resources = shared.resources;
  options.history = 16;
  ApiServer server(shared.rules, options);
  for (const auto& [target, object] : objects) {
    const HttpResponse made = server.handle({"root", {"system:masters"}, "", {}},
                                            {"POST", target, "application/json", object, false, {}, {}});
    if (made.status == 201) continue;
    std::fprintf(stderr, "cannot make %s: %s\n", target, made.body.c_str());
    std::abort();
  }
  ApiHandler::Options handling;
  handling.new_id = [] { return std::string("id"); };
  ApiHandler handler(server, shared.authenticator, std::move(handling));
  MemoryConnection connection(handler);
  connection.send({reinterpret_cast<const char*>(data), size});
  return 0;
}
