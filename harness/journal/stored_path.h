#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Whether this is the path of one stored object, of no subresource and with no query, spelled in the one way that
/// `stored_path` spells it: `/api/v1/nodes/a`, `/apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME`. What a
/// stranger may have written is sent to a cluster only if it is.
bool is_object_path(std::string_view path);

/// The same of all objects of a kind, in one namespace or at cluster scope: `/api/v1/namespaces/shop/pods`.
bool is_collection_path(std::string_view path);

/// The path of the object of that name; empty if the two make none.
std::string stored_path(std::string_view collection, std::string_view name);

/// The path of the object that a request is about: its target without a query and without a subresource.
std::string object_path_of(std::string_view target);

/// `/api/v1/namespaces/a` and no other.
bool is_namespace_path(std::string_view path);

}  // namespace nodebound
