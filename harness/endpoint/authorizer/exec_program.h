#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/endpoint/authorizer/access_decider.h"
#include "harness/endpoint/authorizer/authorizer_endpoint.h"

namespace nodebound {

/// A program that reads questions and writes answers, a line of JSON each, in any order. The first breach of the
/// protocol ends it: then nothing that it said can be relied on, and nothing more is asked.
class ExecProgram final : public AccessDecider {
 public:
  struct Options {
    std::string command;  ///< for /bin/sh
    /// For its first line, and for each answer.
    std::chrono::milliseconds patience{60'000};
  };

  /// Starts it and waits for its first line. Call it from the main thread.
  static Result<std::unique_ptr<ExecProgram>> start(const Options& options);
  ~ExecProgram() override;

  [[nodiscard]] ObjectsReach objects() const { return objects_; }

  /// A question under way.
  class Pending;
  /// Asks without waiting, so that many questions can be under way. `await` gives the answer, once.
  std::shared_ptr<Pending> ask(const std::string& spec);
  Result<AccessAnswer> await(Pending& question);

  Result<AccessAnswer> decide(const std::string& spec) override;
  void changed(const ObjectEvent& event) override;
  [[nodiscard]] std::optional<Error> broken() const override;
  Result<void> finish() override;

 private:
  class Conversation;
  explicit ExecProgram(std::unique_ptr<Conversation> conversation);
  std::unique_ptr<Conversation> conversation_;
  ObjectsReach objects_ = ObjectsReach::never;
};

}  // namespace nodebound
