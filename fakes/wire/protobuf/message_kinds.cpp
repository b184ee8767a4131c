#include "fakes/wire/protobuf/message_kinds.h"

#include <array>

#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/messages.pb.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;

struct Kind {
  std::string_view group;
  std::string_view name;
};

// All versions of these kinds have the same fields, but not all releases.
constexpr std::array<Kind, 8> kinds = {{{"authentication.k8s.io", "TokenReview"},
                                        {"authentication.k8s.io", "TokenRequest"},
                                        {"authentication.k8s.io", "SelfSubjectReview"},
                                        {"authorization.k8s.io", "SubjectAccessReview"},
                                        {"authorization.k8s.io", "LocalSubjectAccessReview"},
                                        {"authorization.k8s.io", "SelfSubjectAccessReview"},
                                        {"authorization.k8s.io", "SelfSubjectRulesReview"},
                                        {"", "Status"}}};

}  // namespace

const Descriptor* message_of(const GroupVersionKind& kind) {
  const auto* const file = encoding::Unknown::descriptor()->file();
  // DeleteOptions exists in every group.
  if (kind.kind == "DeleteOptions") return encoding::DeleteOptions::descriptor();
  for (const Kind& own : kinds) {
    if (own.group == kind.group && own.name == kind.kind) return file->FindMessageTypeByName(kind.kind);
  }
  return nullptr;
}

const Descriptor* any_message_of(const GroupVersionKind& kind, const Release* release) {
  const Descriptor* const compiled = message_of(kind);
  // Checks ask for deletions with dryRun in every release, and the reference obeys.
  const bool of_all_releases = compiled == encoding::DeleteOptions::descriptor();
  if (compiled != nullptr && (release == nullptr || of_all_releases)) return compiled;
  const Descriptor* const own = api_message_of(kind, release);
  return own != nullptr ? own : compiled;
}

}  // namespace nodebound
