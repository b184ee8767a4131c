#pragma once

#include "reference/admission/admission.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {

/// What admission is asked about an authorized request. Subject and objects must outlive it.
inline AdmissionRequest admission_request(Operation operation, const Subject& subject, const Attributes& attributes,
                                          const Object& object, const Object& old_object) {
  return {operation,
          subject,
          attributes.api_group,
          attributes.resource,
          attributes.subresource,
          attributes.namespace_,
          attributes.name,
          object,
          old_object,
          attributes.api_version};
}

}  // namespace nodebound
