#include "harness/mutants/faults/altered_kubelet.h"

#include <utility>

namespace nodebound::mutants {
namespace {

/// Sends reviews with a fault. Handles reviews of one kind one at a time, because faults remember earlier ones.
class AlteredReviewer final : public Reviewer {
 public:
  AlteredReviewer(Reviewer& right, AlteredAccess access, AlteredToken token)
      : right_(right), access_(std::move(access)), token_(std::move(token)) {}

  std::optional<TokenVerdict> review_token(const std::string& token) override {
    return token_ ? token_(right_, token) : right_.review_token(token);
  }
  std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) override {
    return access_ ? access_(right_, subject, attributes) : right_.review_access(subject, attributes);
  }

 private:
  Reviewer& right_;
  AlteredAccess access_;
  AlteredToken token_;
};

}  // namespace

kubelet_conformance::KubeletFault reviewing(AlteredAccess access, AlteredToken token) {
  kubelet_conformance::KubeletFault out;
  out.reviewer = [access = std::move(access), token = std::move(token)](Reviewer& right) {
    return std::make_unique<AlteredReviewer>(right, access, token);
  };
  return out;
}

kubelet_conformance::KubeletFault naming(std::function<void(Subject&)> change) {
  return reviewing([change = std::move(change)](Reviewer& right, Subject subject, const Attributes& attributes) {
    change(subject);
    return right.review_access(subject, attributes);
  });
}

kubelet_conformance::KubeletFault asking(std::function<void(Attributes&)> change) {
  return reviewing([change = std::move(change)](Reviewer& right, const Subject& subject, Attributes attributes) {
    change(attributes);
    return right.review_access(subject, attributes);
  });
}

kubelet_conformance::KubeletFault configured(std::function<void(kubelet_api::KubeletConfiguration&)> change) {
  kubelet_conformance::KubeletFault out;
  out.configure = std::move(change);
  return out;
}

kubelet_conformance::KubeletFault sending(const std::string& kind, std::function<void(Object&)> change) {
  kubelet_conformance::KubeletFault out;
  out.review = [kind, change = std::move(change)](const std::string& sent, Object& spec) {
    if (sent == kind) change(spec);
  };
  return out;
}

kubelet_conformance::KubeletFault answering(AlteredAnswer answer) {
  kubelet_conformance::KubeletFault out;
  out.answer = std::move(answer);
  return out;
}

kubelet_conformance::KubeletFault letting_in(std::function<bool(const IncomingRequest&)> whom) {
  return answering([whom = std::move(whom)](kubelet_conformance::KubeletPort port, const IncomingRequest& request,
                                            const kubelet_conformance::KubeletFault::Handle& own,
                                            const kubelet_conformance::KubeletFault::Handle&) {
    HttpResponse out = own(request);
    const bool refused = out.status == 401 || out.status == 403;
    if (port != kubelet_conformance::KubeletPort::main || !refused || !whom(request)) return out;
    return HttpResponse{200, "text/plain", "", {}};
  });
}

}  // namespace nodebound::mutants
