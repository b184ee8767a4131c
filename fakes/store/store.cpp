#include "fakes/store/store.h"

#include <array>
#include <cstdio>

namespace nodebound {

std::string Store::next_uid() {
  std::array<char, 37> uid{};
  std::snprintf(uid.data(), uid.size(), "00000000-0000-4000-8000-%012llx", static_cast<unsigned long long>(++uids_));
  return uid.data();
}

void Store::adopt(Object& object) {
  Object& metadata = object["metadata"];
  if (text(metadata, "name").empty()) {
    std::array<char, 8> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "%05llx", static_cast<unsigned long long>((uids_ + 1) & 0xfffffU));
    metadata["name"] = std::string(text(metadata, "generateName")) + suffix.data();
  }
  metadata["uid"] = next_uid();
  metadata["creationTimestamp"] = "2026-01-01T00:00:00Z";
}

void Store::put(const ObjectKey& key, Object& object) {
  object["metadata"]["resourceVersion"] = std::to_string(++version_);
  cluster_.put(key, object);
}

void Store::erase(const ObjectKey& key) {
  ++version_;
  cluster_.erase(key);
}

}  // namespace nodebound
