#pragma once

#include <memory>

#include "harness/certify/record.h"
#include "harness/endpoint/endpoint.h"

namespace nodebound::certify {

/// The target, whose answers, and all else that a run takes from outside, go into the record. Both must outlive it.
/// The record is complete once the endpoint is gone.
std::unique_ptr<Endpoint> make_recording_endpoint(Endpoint& target, RecordWriter& record);

}  // namespace nodebound::certify
