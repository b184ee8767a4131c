#include "reference/cel/types/environment.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/release/release_range.h"
#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view cel_libraries_text();
}  // namespace nodebound::data

namespace nodebound::cel {

namespace {

constexpr std::string_view libraries_file = "reference/cel/libraries.toml";

struct Library {
  ReleaseRange range;
  std::vector<TypePtr> types;
  std::vector<std::string> macros;
  std::vector<Overload> overloads;
};

void add_parameters(const Type& type, std::vector<std::string>& out) {
  if (type.is(Type::Kind::parameter) && std::find(out.begin(), out.end(), type.name) == out.end()) {
    out.push_back(type.name);
  }
  for (const TypePtr& one : type.parameters) add_parameters(*one, out);
}

// `(string).charAt(int) -> string = string_char_at_int`
Overload parse_overload(std::string_view text) {
  const std::string whole(text);
  const auto cut = [&](std::string_view before) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) throw std::logic_error("not an overload: " + whole);
    const std::string_view out = text.substr(0, at);
    text.remove_prefix(at + before.size());
    return out;
  };
  Overload out;
  std::vector<std::string> arguments;
  if (text.substr(0, 1) == "(") {
    text.remove_prefix(1);
    out.arguments.push_back(parse_type(cut(").")));
    out.is_member = true;
  }
  out.function = std::string(cut("("));
  std::string_view list = cut(") -> ");
  // A comma separates arguments where no parenthesis is open.
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != ',' || depth > 0 || i == begin) continue;
    out.arguments.push_back(parse_type(list.substr(begin, i - begin)));
    begin = i + 2;
  }
  out.result = parse_type(cut(" = "));
  out.id = std::string(text);
  for (const TypePtr& one : out.arguments) add_parameters(*one, out.parameters);
  add_parameters(*out.result, out.parameters);
  return out;
}

std::vector<Library> read_libraries() {
  std::vector<Library> out;
  const toml::table file = parse_toml(data::cel_libraries_text(), libraries_file);
  TomlReader in(file);
  in.tables("library", [&](const toml::table& table) {
    TomlReader one(table);
    Library library;
    one.text("name", true);
    one.text("source", true);
    library.range = ReleaseRange::read_versions(one);
    for (const std::string& type : one.texts("types")) library.types.push_back(parse_type(type));
    library.macros = one.texts("macros");
    for (const std::string& text : one.texts("functions")) library.overloads.push_back(parse_overload(text));
    one.done();
    out.push_back(std::move(library));
  });
  in.done();
  return out;
}

const std::vector<Library>& libraries() {
  static const std::vector<Library> all = [] {
    try {
      return read_libraries();
    } catch (const TomlMistake& mistake) {
      throw std::logic_error(toml_error(libraries_file, mistake).value().text());
    }
  }();
  return all;
}

}  // namespace

Environment::Environment(const Release& release) {
  for (const Library& library : libraries()) {
    if (!library.range.holds(release)) continue;
    for (const TypePtr& type : library.types) variables_[type->name] = type_of(type);
    macros_.insert(library.macros.begin(), library.macros.end());
    for (const Overload& one : library.overloads) functions_[one.function].push_back(one);
  }
}

void Environment::declare_object(const std::string& name, std::map<std::string, TypePtr> fields) {
  variables_[name] = type_of(object_type(name));
  objects_[name] = std::move(fields);
}

const std::vector<Overload>* Environment::function(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

TypePtr Environment::identifier(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second;
}

const std::map<std::string, TypePtr>* Environment::fields(const std::string& object) const {
  const auto found = objects_.find(object);
  return found == objects_.end() ? nullptr : &found->second;
}

bool Environment::has_macro(std::string_view name, std::size_t arguments, bool is_member) const {
  // The name of a function without a receiver may begin with a dot, as `.all(a, b)`; no macro is called so.
  if (!is_member && name.starts_with('.')) return false;
  std::string key = is_member ? "." : "";
  return macros_.contains(key.append(name).append("/").append(std::to_string(arguments)));
}

Environment match_condition_environment(const Release& release) {
  const TypePtr string = make_type(Type::Kind::string);
  const TypePtr strings = list_of(string);
  Environment out(release);
  std::map<std::string, TypePtr> resource;
  for (const char* name : {"namespace", "verb", "group", "version", "resource", "subresource", "name"}) {
    resource[name] = string;
  }
  if (release.is_on("AuthorizeWithSelectors")) {
    out.declare_object("kubernetes.SelectorRequirement", {{"key", string}, {"operator", string}, {"values", strings}});
    const TypePtr requirements = list_of(object_type("kubernetes.SelectorRequirement"));
    for (const char* name : {"field", "label"}) {
      const std::string object =
          std::string(name == std::string_view("field") ? "kubernetes.Field" : "kubernetes.Label") +
          "SelectorAttributes";
      out.declare_object(object, {{"rawSelector", string}, {"requirements", requirements}});
      resource[std::string(name) + "Selector"] = object_type(object);
    }
  }
  out.declare_object("kubernetes.ResourceAttributes", std::move(resource));
  out.declare_object("kubernetes.NonResourceAttributes", {{"path", string}, {"verb", string}});
  out.declare_object("kubernetes.SubjectAccessReviewSpec",
                     {{"resourceAttributes", object_type("kubernetes.ResourceAttributes")},
                      {"nonResourceAttributes", object_type("kubernetes.NonResourceAttributes")},
                      {"user", string},
                      {"groups", strings},
                      {"extra", map_of(string, strings)},
                      {"uid", string}});
  out.declare_variable("request", object_type("kubernetes.SubjectAccessReviewSpec"));
  return out;
}

}  // namespace nodebound::cel
