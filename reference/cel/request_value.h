#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cel/evaluation/value.h"
#include "reference/cel/subject_access_review.h"

namespace nodebound::cel {

/// A SubjectAccessReview's spec as the variable `request`: a view, which allocates only for selectors. It has every
/// text field, even an empty one, and what is optional only if it is set; selectors only if they are asked for
/// (convertObjectToUnstructured in pkg/authorization/cel/compile.go below k8s.io/apiserver).
class RequestValue {
 public:
  RequestValue(const SubjectAccessReviewSpec& spec, bool field_selector, bool label_selector);
  RequestValue(const RequestValue&) = delete;
  RequestValue& operator=(const RequestValue&) = delete;

  [[nodiscard]] Value value() const { return Value::of(spec_); }

 private:
  // An object: its fields in a fixed order, those that are not set left out.
  class Object : public Map {
   public:
    [[nodiscard]] std::size_t size() const final;
    [[nodiscard]] Value key(std::size_t index) const final;
    [[nodiscard]] std::optional<Value> find(const Value& key) const final;

   private:
    [[nodiscard]] virtual std::span<const std::string_view> names() const = 0;
    [[nodiscard]] virtual std::optional<Value> field(std::size_t index) const = 0;
  };

  struct Extra : Map {
    const std::map<std::string, std::vector<std::string>>* all = nullptr;
    [[nodiscard]] std::size_t size() const override { return all->size(); }
    [[nodiscard]] Value key(std::size_t index) const override;
    [[nodiscard]] std::optional<Value> find(const Value& key) const override;
  };

  struct Requirement : Object {
    const SelectorRequirement* requirement = nullptr;
    [[nodiscard]] std::span<const std::string_view> names() const override;
    [[nodiscard]] std::optional<Value> field(std::size_t index) const override;
  };

  struct Requirements : ListData {
    std::vector<Requirement> all;
    [[nodiscard]] std::size_t size() const override { return all.size(); }
    [[nodiscard]] Value at(std::size_t index) const override { return Value::of(static_cast<const Map&>(all[index])); }
  };

  struct Selector : Object {
    const SelectorAttributes* selector = nullptr;
    Requirements requirements;
    void show(const SelectorAttributes& attributes);
    [[nodiscard]] std::span<const std::string_view> names() const override;
    [[nodiscard]] std::optional<Value> field(std::size_t index) const override;
  };

  struct Resource : Object {
    const ResourceAttributes* attributes = nullptr;
    const Selector* field_selector = nullptr;
    const Selector* label_selector = nullptr;
    [[nodiscard]] std::span<const std::string_view> names() const override;
    [[nodiscard]] std::optional<Value> field(std::size_t index) const override;
  };

  struct NonResource : Object {
    const NonResourceAttributes* attributes = nullptr;
    [[nodiscard]] std::span<const std::string_view> names() const override;
    [[nodiscard]] std::optional<Value> field(std::size_t index) const override;
  };

  struct Spec : Object {
    const SubjectAccessReviewSpec* spec = nullptr;
    const RequestValue* parts = nullptr;
    [[nodiscard]] std::span<const std::string_view> names() const override;
    [[nodiscard]] std::optional<Value> field(std::size_t index) const override;
  };

  Extra extra_;
  Selector field_selector_, label_selector_;
  Resource resource_;
  NonResource non_resource_;
  Spec spec_;
};

}  // namespace nodebound::cel
