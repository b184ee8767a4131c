#pragma once

#include <string>
#include <string_view>

#include "fakes/apiserver/http.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// What an authorizer or an admission plugin is asked, with objects of its own: a faulty one may take it for another.
struct Inquiry {
  Subject subject;
  Attributes attributes;  ///< of a write that waits to be admitted, too; its verb is then create, update or delete
  bool admission = false;
  Operation operation = Operation::create;
  Object object = {};
  Object old_object = {};

  static Inquiry of(const Subject& subject, const Attributes& attributes);
  static Inquiry of(const AdmissionRequest& request);

  /// The same for an admission plugin. The question must outlive it.
  [[nodiscard]] AdmissionRequest admission_request() const;

  /// The node that asks; empty if it is none.
  [[nodiscard]] std::string node() const;
};

/// What a faulty judge sees besides the question.
struct Surroundings {
  const Cluster& cluster;
  const HttpRequest& request;  ///< in which the question came; a review comes in one that creates it
};

}  // namespace nodebound
