#include "harness/mutants/inquiry.h"

#include "reference/admission/admission_request.h"
#include "reference/identity/node_identity.h"

namespace nodebound::mutants {

Inquiry Inquiry::of(const Subject& subject, const Attributes& attributes) {
  return {subject, attributes};
}

Inquiry Inquiry::of(const AdmissionRequest& request) {
  Inquiry question{request.subject, {}, true, request.operation, request.object, request.old_object};
  Attributes& attributes = question.attributes;
  attributes.resource_request = true;
  attributes.verb = request.operation == Operation::create   ? "create"
                    : request.operation == Operation::update ? "update"
                                                             : "delete";
  attributes.api_group = request.group;
  attributes.api_version = request.version;
  attributes.resource = request.resource;
  attributes.subresource = request.subresource;
  attributes.namespace_ = request.namespace_;
  attributes.name = request.name;
  return question;
}

AdmissionRequest Inquiry::admission_request() const {
  return nodebound::admission_request(operation, subject, attributes, object, old_object);
}

std::string Inquiry::node() const {
  const std::string_view name = subject.name;
  return name.starts_with(node_user_prefix) ? std::string(name.substr(node_user_prefix.size())) : std::string();
}

}  // namespace nodebound::mutants
