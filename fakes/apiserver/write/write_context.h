#pragma once

#include <string>

#include "fakes/apiserver/write/defaults.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound::apiserver {

struct Strategy;

/// What code that changes or checks a submitted object knows of the write.
struct WriteContext {
  const ApiResource& resource;
  const Strategy& strategy;
  const Defaults& defaults;
  const Cluster& cluster;
  const Subject& subject;
  std::string now;
  bool whole_cluster = false;  ///< this is the API server of a whole cluster: what an object names must exist
};

}  // namespace nodebound::apiserver
