#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/check/administrator.h"
#include "harness/check/answer.h"
#include "harness/check/names.h"
#include "harness/check/probe.h"
#include "harness/check/reason.h"

namespace nodebound {

/// Where the checks of one scenario are asked.
struct Setting {
  Endpoint& endpoint;
  const Scenario& scenario;
  const Names& names;
  Administrator& administrator;
};

/// What one probe sent, and how the target answered.
struct Exchange {
  /// Why there is no answer. Then what was not reached is missing below, too.
  std::optional<Reason> broken;
  HttpRequest request;  ///< that the check is about
  std::optional<Subject> subject;
  std::optional<HttpRequest> sent;  ///< the request itself, or the review of it
  HttpResponse response;
  Answer answer;
};

/// `before_sending` is given the request, unless only a review of it is sent.
Exchange exchange(
    const Setting& setting, const Check& check, const Probe& probe,
    const std::function<void(const HttpRequest&)>& before_sending = [](const HttpRequest&) {});

}  // namespace nodebound
