#pragma once

#include <string>
#include <string_view>

namespace nodebound::journal {

/// Whether this is the path of one stored object, without subresource or query, in the exact spelling of `stored_path`:
/// `/api/v1/nodes/a`, `/apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME`. Paths that a stranger may have written
/// are sent to a cluster only in this form.
bool is_object_path(std::string_view path);

/// The same for all objects of a kind, in one namespace or at cluster scope: `/api/v1/namespaces/shop/pods`.
bool is_collection_path(std::string_view path);

/// The path of the object of that name; empty if the two form no valid path.
std::string stored_path(std::string_view collection, std::string_view name);

/// The path of the object that a request concerns: its target without query and subresource.
std::string object_path_of(std::string_view target);

/// Whether the path is that of a namespace: `/api/v1/namespaces/a`.
bool is_namespace_path(std::string_view path);

}  // namespace nodebound::journal
