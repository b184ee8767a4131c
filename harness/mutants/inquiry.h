#pragma once

#include <string>
#include <string_view>

#include "fakes/wire/http.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound::mutants {

/// The question to an authorizer or an admission plugin. It owns its objects, because a faulty judge may alter it.
struct Inquiry {
  Subject subject;
  Attributes attributes;  ///< also for a write that waits for admission; its verb is then create, update or delete
  bool admission = false;
  Operation operation = Operation::create;
  Object object = {};
  Object old_object = {};

  static Inquiry of(const Subject& subject, const Attributes& attributes);
  static Inquiry of(const AdmissionRequest& request);

  /// The same for an admission plugin. The question must outlive it.
  [[nodiscard]] AdmissionRequest admission_request() const;

  /// The asking node; empty if the caller is none.
  [[nodiscard]] std::string node() const;
};

/// What a faulty judge sees besides the question.
struct Surroundings {
  const Cluster& cluster;
  const HttpRequest& request;  ///< that carries the question; for a review, the request that creates it
};

}  // namespace nodebound::mutants
