// Parts of a request line: path, selectors, continue tokens, list options, media types.
#include <cstdint>

#include "fakes/apiserver/read/list_options.h"
#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/read/representation.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/test/support.h"

using namespace nodebound;
using namespace nodebound::apiserver;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RuleSet rules = test::rules_of("1.36.3", {});
  static const ApiResources resources(rules.release());
  static const ApiResource& pods = *resources.find("", "v1", "pods");
  static const Object pod = Object::parse(R"({"metadata":{"name":"p","namespace":"ns","labels":{"a":"1","b/c":""}},
                                              "spec":{"nodeName":"n"},"status":{"phase":"Running"}})");
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(attributes_of("GET", text));
  if (const auto labels = LabelSelector::parse(text)) static_cast<void>(labels->matches(pod));
  if (const auto fields = FieldSelector::parse(pods, text)) static_cast<void>(fields->matches(pod));
  if (const auto token = Continuation::parse(text, true)) static_cast<void>(token->token(true));
  for (const bool watch : {false, true}) {
    if (const auto options = read_list_options(pods, text, {watch, true})) static_cast<void>(options->selects(pod));
  }
  static_cast<void>(Representation::of(text, "/", {}));
  HttpResponse response{404, "application/json", R"({"kind":"Status","apiVersion":"v1","code":404})", {}};
  encode(response, text);
  return 0;
}
