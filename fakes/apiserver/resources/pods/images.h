#pragma once

#include <string_view>

namespace nodebound::apiserver {

/// When the kubelet pulls an image if nobody says so: an image without a tag or with the tag `latest` may change; one
/// with a digest may not.
const char* pull_policy_of(std::string_view image);

}  // namespace nodebound::apiserver
