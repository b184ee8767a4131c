#pragma once

#include <functional>
#include <string>
#include <utility>

#include "fakes/wire/http.h"

namespace nodebound {

/// A text as a body that is sent at once.
class TextStream final : public BodyStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}
  bool take(std::string& out) override {
    out += text_;
    text_.clear();
    return false;
  }
  void on_ready(std::function<void()> /*notify*/) override {}

 private:
  std::string text_;
};

}  // namespace nodebound
