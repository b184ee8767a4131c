#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "harness/endpoint/endpoint.h"

namespace nodebound::mutants {

/// A server that decides as it should, and then shows or stores something else.
enum class ContentFault {
  name_dropped_in_watch,
  field_selector_dropped,
  label_selector_dropped,
  namespace_dropped,
  selectors_dropped_in_table,
  selectors_dropped_in_metadata,
  selectors_dropped_in_protobuf,
  namespace_dropped_in_continue,
  other_object_shown,
  object_left_out,
  last_page_left_out,
  event_left_out,
  initial_event_left_out,
  initial_events_unended,
  earlier_version_shown,
  dry_run_stored,
  refused_write_stored,
  allowed_write_not_stored,
  delete_not_stored,
  labels_not_stored,
  status_write_changes_rest,
  write_changes_status,
};

/// The spelling in `faults.toml` and in the ids of mutants, and its meaning.
struct ContentFaultWords {
  ContentFault fault;
  std::string_view name;
  std::string_view meaning;
};
std::span<const ContentFaultWords> content_faults();

/// The endpoint with the fault, for everybody but its administrator.
std::unique_ptr<Endpoint> with_fault(ContentFault fault, std::unique_ptr<Endpoint> endpoint);

}  // namespace nodebound::mutants
