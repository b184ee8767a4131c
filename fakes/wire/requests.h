#pragma once

#include <string>

#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {

/// Whether the method is one that changes something.
bool is_write(const HttpRequest& request);

/// Whether a request for a resource asks that nothing be stored. With a body, the API server ignores the query of a
/// DELETE.
bool is_dry_run(const HttpRequest& request);

/// The path of an object: `/api/v1/namespaces/shop/secrets/db`; without a name, of the collection.
std::string api_path(const std::string& group_version, const std::string& resource, const std::string& namespace_,
                     const std::string& name = {});

/// The path of the object `name` of the collection that a request is for, whatever subresource it names.
std::string object_path(const Attributes& request, const std::string& name);

/// A target with one more parameter, `limit=2`, in its query.
std::string with_parameter(std::string target, const std::string& parameter);

/// A target without the first parameter of that name.
std::string without_parameter(std::string target, const std::string& name);

}  // namespace nodebound
