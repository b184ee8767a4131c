#include "fakes/apiserver/policies/compiled_conditions.h"

#include <utility>

namespace nodebound {
namespace {

CompiledConditions compiled_conditions(const Object& entry, const Release& release) {
  CompiledConditions out;
  for (const Object& one : member(entry, "matchConditions")) {
    auto compiled = cel::compile_admission_condition(text(one, "expression"), release);
    if (compiled) {
      out.emplace_back(std::move(*compiled));
    } else {
      out.emplace_back(tl::unexpected(std::move(compiled.error().what)));
    }
  }
  return out;
}

}  // namespace

std::shared_ptr<const CompiledConditions> StoredConditions::of(const std::string& key, const Object& owner,
                                                               const Object& entry, const Release& release) {
  // Names and versions of those that are gone would fill the memory.
  constexpr std::size_t most = 10'000;
  const std::string version = key + "\n" + std::string(text(owner, "metadata", "uid")) + "\n" +
                              std::string(text(owner, "metadata", "resourceVersion"));
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = all_.find(version); found != all_.end()) return found->second;
  }
  auto made = std::make_shared<const CompiledConditions>(compiled_conditions(entry, release));
  const std::lock_guard lock(mutex_);
  if (all_.size() >= most) all_.clear();
  all_.emplace(version, made);
  return made;
}

}  // namespace nodebound
