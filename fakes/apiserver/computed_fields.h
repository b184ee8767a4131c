#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/defaults.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// What is known of a write to those who fill in what it leaves out.
struct WriteContext {
  const ApiResource& resource;
  const Defaults& defaults;
  const Cluster& cluster;
  const Subject& subject;
  std::string now;
};

/// Fields of a status that the release's API does not have: they are dropped as they are read, and not to be applied.
std::vector<std::string> unknown_status_fields(const WriteContext& write);

/// What decoding makes of a submitted object: the table's defaults, and what follows from other fields.
void decode(const WriteContext& write, Object& object);

/// Takes away what the release has no room for as its feature gates are, before validation: between admission, which
/// sees what was submitted, and the store (DropDisabledPodFields in pkg/api/pod/util.go). `before` is null for a
/// create.
void drop_disabled(const WriteContext& write, const Object& before, Object& object);

/// What the strategy of a kind adds to an object that is made, after admission (PrepareForCreate), and what is drawn
/// for it: addresses and ports of services.
void prepare_for_create(const WriteContext& write, Object& object);

/// Counts a change of what is wanted of an object, of the kinds that count them.
void count_generation(const Object& before, Object& after);

}  // namespace nodebound
