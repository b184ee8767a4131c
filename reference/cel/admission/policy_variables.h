#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "reference/cel/admission/policy_expressions.h"

namespace nodebound::cel {

/// What `variables` stands for: each is evaluated when an expression first asks for it, and then kept. For one thread,
/// and one evaluation of a policy's conditions.
class PolicyVariables final : public Map {
 public:
  /// All arguments must outlive it.
  PolicyVariables(std::span<const PolicyVariable> variables, const AdmissionInputs& inputs,
                  std::pmr::memory_resource& memory);
  PolicyVariables(const PolicyVariables&) = delete;
  PolicyVariables& operator=(const PolicyVariables&) = delete;

  [[nodiscard]] std::size_t size() const override { return variables_.size(); }
  [[nodiscard]] Value key(std::size_t index) const override;
  [[nodiscard]] std::optional<Value> find(const Value& key) const override;

  /// The inputs with these variables.
  [[nodiscard]] const AdmissionInputs& inputs() const { return inputs_; }
  /// What evaluating variables has cost since the last call.
  std::uint64_t take_cost() const;

 private:
  struct Known {
    bool started = false;
    Value value;
  };

  [[nodiscard]] Value evaluated(std::size_t index) const;

  std::span<const PolicyVariable> variables_;
  AdmissionInputs inputs_;
  std::pmr::memory_resource& memory_;
  mutable std::vector<Known> known_;
  mutable std::uint64_t cost_ = 0;
};

}  // namespace nodebound::cel
