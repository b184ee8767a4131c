#pragma once

#include <set>
#include <string>

#include "harness/run/administrator.h"

namespace nodebound {

/// Waits until the target's node graph has seen what was written before. An API server learns of writes by watching
/// itself, a little later; a refusal before that proves nothing.
///
/// It makes a canary of each kind that was written, tied to a node of its own, and waits until the authorizer knows it.
/// Each kind comes over one watch, in order, so then everything older of that kind is known, too: deletions as well.
class Settler {
 public:
  Settler(Administrator& administrator, const Names& names, const Version& version)
      : administrator_(administrator), names_(names), version_(version) {}

  /// Takes note of a write by the administrator.
  void wrote(const RequestText& target);

  /// Nothing to wait for since the last time means no request.
  Result<void> settle();

 private:
  Result<void> make_canary(const std::string& resource, const std::string& name);
  Result<void> wait_for(const RequestText& seen);

  Administrator& administrator_;
  const Names& names_;
  Version version_;
  std::set<std::string> written_;
  int canaries_ = 0;
};

}  // namespace nodebound
