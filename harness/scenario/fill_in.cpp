#include "harness/scenario/fill_in.h"

#include <string>
#include <utility>
#include <vector>

#include "harness/scenario/substitute.h"

namespace nodebound {

void fill_in(toml::node& node, const toml::table& values) {
  const auto fill_child = [&](toml::node& child) -> const toml::node* {
    if (toml::value<std::string>* string = child.as_string()) {
      std::string& content = string->get();
      if (content.size() > 2 && content.front() == '{' && content.back() == '}') {
        const toml::node* whole = values.get(content.substr(1, content.size() - 2));
        if (whole != nullptr && !whole->is_string()) return whole;
      }
      content = substitute(content, [&](std::string_view name) { return values[name].value<std::string>(); });
      return nullptr;
    }
    fill_in(child, values);
    return nullptr;
  };
  if (toml::table* table = node.as_table()) {
    std::vector<std::pair<std::string, const toml::node*>> replaced;
    for (auto&& [key, child] : *table) {
      if (const toml::node* whole = fill_child(child)) replaced.emplace_back(key.str(), whole);
    }
    for (const auto& [key, whole] : replaced) {
      whole->visit([&, &name = key](const auto& value) { table->insert_or_assign(name, value); });
    }
    std::vector<std::pair<std::string, std::string>> renamed;
    for (auto&& [key, child] : *table) {
      std::string name =
          substitute(key.str(), [&](std::string_view word) { return values[word].value<std::string>(); });
      if (name != key.str()) renamed.emplace_back(key.str(), std::move(name));
    }
    for (const auto& [key, name] : renamed) {
      table->get(key)->visit([&, &to = name](auto& child) { table->insert_or_assign(to, std::move(child)); });
      table->erase(key);
    }
  } else if (toml::array* array = node.as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      if (const toml::node* whole = fill_child((*array)[i])) {
        whole->visit(
            [&](const auto& value) { array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(i), value); });
      }
    }
  }
}

}  // namespace nodebound
