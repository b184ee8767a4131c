#include "fakes/kubelet_api/configuration/kubelet_configuration.h"

#include "fakes/kubelet_api/configuration/configuration_fields.h"
#include "fakes/wire/go/go_duration.h"

namespace nodebound::kubelet_api {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::int64_t nanoseconds_per_millisecond = 1'000'000;

const Object& at(const Object& object, std::initializer_list<std::string_view> path) {
  const Object* here = &object;
  for (const std::string_view name : path) here = &member(*here, name);
  return *here;
}

// Each keeps the old value if the file has none, or only a zero value that Go cannot tell from none.
void read(const Object& value, bool& out) {
  if (value.is_boolean()) out = value.get<bool>();
}

void read(const Object& value, int& out) {
  if (value.is_number_integer()) out = value.get<int>();
}

void read(const Object& value, std::string& out) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) out = value.get<std::string>();
}

void read_duration(const Object& value, std::int64_t& out) {
  if (!value.is_string()) return;
  const auto time = parse_go_duration(value.get_ref<const std::string&>());
  if (time && *time != 0) out = *time / nanoseconds_per_millisecond;
}

Result<void> check_port(const char* what, int port, int least) {
  if (port >= least && port <= 65535) return {};
  return input_error("", "invalid configuration: " + std::string(what) + " " + std::to_string(port) +
                             " must be between " + std::to_string(least) + " and 65535, inclusive");
}

// Go omits such a field from JSON if it is empty.
void put(Ordered& out, const char* name, const std::string& value) {
  if (!value.empty()) out[name] = value;
}

Ordered authentication(const KubeletConfiguration& configuration) {
  const KubeletSettings& settings = configuration.settings;
  Ordered x509 = Ordered::object();
  put(x509, "clientCAFile", configuration.client_ca_file);
  return {{"x509", x509},
          {"webhook", {{"enabled", settings.token_webhook}, {"cacheTTL", go_duration(settings.token_ttl)}}},
          {"anonymous", {{"enabled", settings.anonymous}}}};
}

Ordered authorization(const KubeletSettings& settings) {
  return {{"mode", settings.authorization_mode},
          {"webhook",
           {{"cacheAuthorizedTTL", go_duration(settings.allowed_ttl)},
            {"cacheUnauthorizedTTL", go_duration(settings.denied_ttl)}}}};
}

// Fields that flags may have overridden since the file was read.
Ordered settled(const KubeletConfiguration& configuration) {
  const KubeletSettings& settings = configuration.settings;
  Ordered out = {{"address", configuration.address},
                 {"port", settings.port},
                 {"authentication", authentication(configuration)},
                 {"authorization", authorization(settings)},
                 {"enableDebuggingHandlers", settings.debugging_handlers},
                 {"enableSystemLogHandler", settings.system_log_handler},
                 {"enableProfilingHandler", settings.profiling_handler},
                 {"enableDebugFlagsHandler", settings.debug_flags_handler},
                 {"healthzPort", configuration.healthz_port},
                 {"healthzBindAddress", configuration.healthz_address},
                 {"contentType", configuration.content_type}};
  put(out, "tlsCertFile", configuration.tls_cert_file);
  put(out, "tlsPrivateKeyFile", configuration.tls_private_key_file);
  if (settings.read_only_port != 0) out["readOnlyPort"] = settings.read_only_port;
  return out;
}

bool is_empty(const Object& value) {
  return value.is_null() || is_empty_text(value) || value == 0 || (value.is_structured() && value.empty());
}

}  // namespace

KubeletConfiguration KubeletConfiguration::of_flags(const RuleSet& rules) {
  KubeletConfiguration out;
  out.settings = KubeletSettings::of_flags(rules);
  return out;
}

KubeletConfiguration KubeletConfiguration::of_file(const KubeletConfigurationFile& file, const RuleSet& rules) {
  KubeletConfiguration out;
  out.file = file.object;
  KubeletSettings& settings = out.settings = KubeletSettings::of_file(rules);
  read(at(out.file, {"authentication", "anonymous", "enabled"}), settings.anonymous);
  read(at(out.file, {"authentication", "webhook", "enabled"}), settings.token_webhook);
  read_duration(at(out.file, {"authentication", "webhook", "cacheTTL"}), settings.token_ttl);
  read(at(out.file, {"authentication", "x509", "clientCAFile"}), out.client_ca_file);
  read(at(out.file, {"authorization", "mode"}), settings.authorization_mode);
  read_duration(at(out.file, {"authorization", "webhook", "cacheAuthorizedTTL"}), settings.allowed_ttl);
  read_duration(at(out.file, {"authorization", "webhook", "cacheUnauthorizedTTL"}), settings.denied_ttl);
  read(at(out.file, {"enableDebuggingHandlers"}), settings.debugging_handlers);
  read(at(out.file, {"enableSystemLogHandler"}), settings.system_log_handler);
  read(at(out.file, {"enableProfilingHandler"}), settings.profiling_handler);
  read(at(out.file, {"enableDebugFlagsHandler"}), settings.debug_flags_handler);
  // Go reads port 0 as no port.
  int port = 0;
  read(at(out.file, {"port"}), port);
  if (port != 0) settings.port = port;
  read(at(out.file, {"readOnlyPort"}), settings.read_only_port);
  read(at(out.file, {"healthzPort"}), out.healthz_port);
  read(at(out.file, {"healthzBindAddress"}), out.healthz_address);
  read(at(out.file, {"address"}), out.address);
  read(at(out.file, {"tlsCertFile"}), out.tls_cert_file);
  read(at(out.file, {"tlsPrivateKeyFile"}), out.tls_private_key_file);
  read(at(out.file, {"contentType"}), out.content_type);
  settings.client_ca = !out.client_ca_file.empty();
  return out;
}

Result<void> KubeletConfiguration::valid() const {
  if (auto ok = check_port("port (--port)", settings.port, 0); !ok) return ok;
  if (auto ok = check_port("readOnlyPort (--read-only-port)", settings.read_only_port, 0); !ok) return ok;
  return check_port("healthzPort (--healthz-port)", healthz_port, 0);
}

std::string KubeletConfiguration::text(const Version& version, bool with_kind) const {
  Ordered out = Ordered::object();
  if (with_kind) out = {{"kind", "KubeletConfiguration"}, {"apiVersion", "kubelet.config.k8s.io/v1beta1"}};
  const Ordered own = settled(*this);
  for (const ConfigurationField& field : configuration_fields()) {
    if (field.path.find('.') != std::string::npos || !field.releases.contains(version)) continue;
    const Object& said = member(file, field.path);
    Ordered value = field.default_in(version);
    if (!is_empty(said)) value = Ordered::parse(said.dump());
    if (own.contains(field.path)) value = own[field.path];
    if (!value.is_null()) out[field.path] = std::move(value);
  }
  return out.dump();
}

}  // namespace nodebound::kubelet_api
