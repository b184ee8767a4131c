#include "fakes/apiserver/webhooks/connect_options.h"

#include <charconv>
#include <string>
#include <vector>

#include "fakes/apiserver/call.h"
#include "reference/authorizer/query_flag.h"

// k8s.io/api/core/v1/types.go and zz_generated.conversion.go in pkg/apis/core/v1

namespace nodebound::apiserver {
namespace {

struct OptionFields {
  std::string_view kind;
  std::vector<const char*> flags;
  std::vector<const char*> texts;
  std::vector<const char*> lists;
  std::vector<const char*> numbers;
};

const OptionFields* option_fields_of(std::string_view kind) {
  static const std::vector<OptionFields> all = {
      {"PodExecOptions", {"stdin", "stdout", "stderr", "tty"}, {"container"}, {"command"}, {}},
      {"PodAttachOptions", {"stdin", "stdout", "stderr", "tty"}, {"container"}, {}, {}},
      {"PodPortForwardOptions", {}, {}, {}, {"ports"}},
      {"PodProxyOptions", {}, {"path"}, {}, {}},
      {"NodeProxyOptions", {}, {"path"}, {}, {}},
      {"ServiceProxyOptions", {}, {"path"}, {}, {}},
  };
  for (const OptionFields& own : all) {
    if (own.kind == kind) return &own;
  }
  return nullptr;
}

Object numbers_of(const std::vector<std::string>& values) {
  Object out = Object::array();
  for (const std::string& value : values) {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size()) out.push_back(number);
  }
  return out;
}

}  // namespace

Object connect_options(const Call& call) {
  Object out = {{"kind", call.subresource->kind}, {"apiVersion", "v1"}};
  const OptionFields* const fields = option_fields_of(call.subresource->kind);
  if (fields == nullptr) return out;
  const auto values = [&](const char* name) { return query_parameters(call.request.target, name); };
  for (const char* name : fields->flags) {
    if (query_flag(call.request.target, name).value_or(false)) out[name] = true;
  }
  for (const char* name : fields->texts) {
    const std::vector<std::string> found = values(name);
    if (!found.empty() && !found.front().empty()) out[name] = found.front();
  }
  for (const char* name : fields->lists) {
    if (std::vector<std::string> found = values(name); !found.empty()) out[name] = std::move(found);
  }
  for (const char* name : fields->numbers) {
    if (Object found = numbers_of(values(name)); !found.empty()) out[name] = std::move(found);
  }
  return out;
}

}  // namespace nodebound::apiserver
