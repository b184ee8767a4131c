#include "harness/scenario/fixtures.h"

#include <algorithm>

#include "harness/scenario/by_release.h"
#include "harness/scenario/substitute.h"
#include "harness/scenario/toml_json.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  keys.reserve(map.size());
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// `namespace`, `value` and `name` are known when a sentence is read. Other names in braces are resolved during the run.
Object filled(const Object& fragment, const std::string& name, const std::string& namespace_,
              const std::string& value) {
  return substitute_in(fragment, [&](std::string_view placeholder) -> std::optional<std::string> {
    if (placeholder == "name") return name;
    if (placeholder == "namespace") return namespace_;
    if (placeholder == "value") return value;
    return std::nullopt;
  });
}

}  // namespace

void merge_fragment(Object& object, const Object& fragment) {
  if (fragment.is_object()) {
    if (!object.is_object()) object = Object::object();
    for (auto field = fragment.begin(); field != fragment.end(); ++field) merge_fragment(object[field.key()], *field);
  } else if (fragment.is_array() && object.is_array()) {
    for (const Object& item : fragment) {
      const std::string_view name = text(item, "name");
      const auto same = std::find_if(object.begin(), object.end(),
                                     [&](const Object& own) { return !name.empty() && text(own, "name") == name; });
      if (same == object.end()) {
        object.push_back(item);
      } else {
        merge_fragment(*same, item);
      }
    }
  } else {
    object = fragment;
  }
}

Result<Fixtures> Fixtures::parse(std::string_view text, const std::string& file) {
  try {
    Fixtures fixtures;
    for (const auto& [word, node] : parse_toml(text, file)) {
      if (!node.is_table()) throw TomlMistake(node, "expected a table");
      TomlReader in(*node.as_table());
      Noun noun;
      Result<RequestText> target = parse_request("create " + in.text("resource", true));
      if (!target) throw TomlMistake(in.required("resource"), target.error().what);
      noun.target = *target;
      if (const toml::table* body = in.table("body")) noun.body = read_body(*body);
      if (const toml::table* options = in.table("option")) {
        for (const auto& [option, fragment] : *options) noun.options[std::string(option.str())] = read_body(fragment);
      }
      if (const toml::table* kinds = in.table("with")) {
        for (const auto& [kind, ways] : *kinds) {
          if (!ways.is_table()) throw TomlMistake(ways, "expected a table of ways");
          for (const auto& [way, fragment] : *ways.as_table()) {
            noun.with[std::string(kind.str())][std::string(way.str())] = read_body(fragment);
          }
        }
      }
      in.done();
      fixtures.nouns_[std::string(word.str())] = std::move(noun);
    }
    return fixtures;
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
}

std::vector<std::string> Fixtures::ways(const std::string& noun, const std::string& kind) const {
  const auto found = nouns_.find(noun);
  if (found == nouns_.end() || !found->second.with.contains(kind)) return {};
  return keys_of(found->second.with.at(kind));
}

Result<Action> Fixtures::action(std::string_view sentence) const {
  const std::vector<std::string> words = words_of(sentence);
  if (words.size() < 2) return input_error("", "expected a sentence such as \"pod web on a with secret db\"");
  if (words[0] == "delete") {
    Result<RequestText> target = parse_request(sentence);
    if (!target) return tl::unexpected<Error>(target.error());
    return Action{Action::Kind::remove, *target, {}, {}, 0};
  }
  if (words[0] == "bind") {
    if (words.size() != 4 || words[2] != "to") return input_error("", "expected \"bind pods/NAME to NODE\"");
    Result<RequestText> target = parse_request("create " + words[1] + "/binding");
    if (!target) return tl::unexpected<Error>(target.error());
    return Action{Action::Kind::bind, *target, {}, words[3], 0};
  }
  return creation(words);
}

Result<Action> Fixtures::creation(const std::vector<std::string>& words) const {
  const auto found = nouns_.find(words[0]);
  if (found == nouns_.end()) {
    const std::vector<std::string> known = keys_of(nouns_);
    return input_error("", "unknown fixture \"" + words[0] + "\"; expected delete, bind or one of " + listed(known) +
                               did_you_mean(words[0], known));
  }
  const Noun& noun = found->second;
  Action action{Action::Kind::create, noun.target, {}, {}, 0};
  action.target.name = words[1];
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    if (words[i] == "-n") action.target.namespace_ = words[i + 1];
  }
  const std::string& namespace_ = action.target.namespace_;
  action.body = filled(noun.body, words[1], namespace_, {});
  for (std::size_t i = 2; i < words.size();) {
    const std::string& word = words[i];
    if (i + 1 >= words.size()) return input_error("", "expected a value behind \"" + word + "\"");
    const std::string& value = words[i + 1];
    if (word == "-n") {
      i += 2;
    } else if (word == "with") {
      const auto ways = noun.with.find(value);
      if (ways == noun.with.end()) {
        return input_error("", "a " + words[0] + " is not made with a \"" + value + "\"; expected one of " +
                                   listed(keys_of(noun.with)));
      }
      if (i + 2 >= words.size()) return input_error("", "expected a name behind \"with " + value + "\"");
      const bool named_way = i + 4 < words.size() && words[i + 3] == "via";
      const std::string way = named_way ? words[i + 4] : "default";
      const auto fragment = ways->second.find(way);
      if (fragment == ways->second.end()) {
        std::string what = "no way \"";
        what.append(way).append("\" for a ").append(words[0]).append(" with a ").append(value);
        what.append("; expected via one of ").append(listed(keys_of(ways->second)));
        return input_error("", what);
      }
      merge_fragment(action.body, filled(fragment->second, words[1], namespace_, words[i + 2]));
      i += named_way ? 5 : 3;
    } else {
      const auto fragment = noun.options.find(word);
      if (fragment == noun.options.end()) {
        return input_error("", "unknown word \"" + word + "\" for a " + words[0] + "; expected with, -n or one of " +
                                   listed(keys_of(noun.options)));
      }
      merge_fragment(action.body, filled(fragment->second, words[1], namespace_, value));
      i += 2;
    }
  }
  return action;
}

}  // namespace nodebound
