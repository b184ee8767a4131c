#pragma once

#include "reference/release/version.h"

namespace nodebound {

/// The form of a kubelet's answers in one release (shapes.toml).
struct KubeletShapes {
  bool null_creation_timestamp = false;
  bool status_metadata = false;
  bool metrics_escaping_values = false;
  bool metrics_escaping_underscores = false;
  bool log_streams = false;
  bool log_path_as_sent = false;
  bool configz_kind = false;
  bool zpages_need_accept = false;
  bool statusz_blank = false;
  bool zpage_objects = false;
  bool zpage_objects_beta = false;
  bool websocket_v5 = false;
  bool stream_protocol_missed = false;

  static KubeletShapes of(const Version& version);
};

}  // namespace nodebound
