#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/write/defaults.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// What code that fills in missing fields knows of a write.
struct WriteContext {
  const ApiResource& resource;
  const Defaults& defaults;
  const Cluster& cluster;
  const Subject& subject;
  std::string now;
};

/// Status fields that the release's API does not have: a read drops them, and an apply of them is refused.
std::vector<std::string> unknown_status_fields(const WriteContext& write);

/// What decoding adds to a submitted object: the table's defaults, and fields that follow from others.
void decode(const WriteContext& write, Object& object);

/// Removes the fields that the release's feature gates disable, before validation: admission still sees them, the store
/// does not (DropDisabledPodFields in pkg/api/pod/util.go). `before` is null for a create.
void drop_disabled(const WriteContext& write, const Object& before, Object& object);

/// What the strategy of a kind adds to a new object after admission (PrepareForCreate), including the addresses and
/// ports of services.
void prepare_for_create(const WriteContext& write, Object& object);

/// Increments metadata.generation if the spec has changed, for kinds that have a generation.
void count_generation(const Object& before, Object& after);

}  // namespace nodebound
