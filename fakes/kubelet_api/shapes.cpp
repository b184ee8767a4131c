#include "fakes/kubelet_api/shapes.h"

#include <map>
#include <string>
#include <string_view>

#include "reference/release/release_range.h"

namespace nodebound {

namespace data {
std::string_view kubelet_shapes_text();
}  // namespace data

KubeletShapes KubeletShapes::of(const Version& version) {
  using Field = bool KubeletShapes::*;
  const std::map<std::string, Field, std::less<>> fields = {
      {"null-creation-timestamp", &KubeletShapes::null_creation_timestamp},
      {"status-metadata", &KubeletShapes::status_metadata},
      {"metrics-escaping-values", &KubeletShapes::metrics_escaping_values},
      {"metrics-escaping-underscores", &KubeletShapes::metrics_escaping_underscores},
      {"log-streams", &KubeletShapes::log_streams},
      {"log-path-as-sent", &KubeletShapes::log_path_as_sent},
      {"configz-kind", &KubeletShapes::configz_kind},
      {"zpages-need-accept", &KubeletShapes::zpages_need_accept},
      {"statusz-blank", &KubeletShapes::statusz_blank},
      {"zpage-objects", &KubeletShapes::zpage_objects},
      {"zpage-objects-beta", &KubeletShapes::zpage_objects_beta},
      {"websocket-v5", &KubeletShapes::websocket_v5},
      {"stream-protocol-missed", &KubeletShapes::stream_protocol_missed},
  };
  KubeletShapes out;
  const toml::table file = parse_toml(data::kubelet_shapes_text(), "fakes/kubelet_api/shapes.toml");
  TomlReader(file).tables("shape", [&](const toml::table& table) {
    TomlReader shape(table);
    const Field field = fields.at(shape.text("name", true));
    out.*field = ReleaseRange::read_versions(shape).contains(version);
  });
  return out;
}

}  // namespace nodebound
