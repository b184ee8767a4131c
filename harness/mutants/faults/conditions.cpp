#include "harness/mutants/faults/conditions.h"

#include <algorithm>
#include <cctype>

#include "harness/mutants/faults/words.h"
#include "reference/encoding/ascii.h"

namespace nodebound::mutants {
namespace {

// Validation sees the name that was made up: the prefix and five characters.
bool has_name_made_up(const Object& object) {
  constexpr std::size_t drawn = 5;
  const std::string_view prefix = text(object, "metadata", "generateName");
  const std::string_view name = text(object, "metadata", "name");
  const bool made = name.starts_with(prefix) && name.size() == prefix.size() + drawn;
  return !prefix.empty() && (name.empty() || made);
}

struct Entry {
  Word word;
  std::function<Condition(const std::string& argument)> make;
};

const Object& at(const Object& object, const std::string& pointer) {
  static const Object null;
  const Object::json_pointer path(pointer);
  return object.contains(path) ? object.at(path) : null;
}

std::string_view way_of(const HttpRequest& request) {
  if (request.method == "PUT") return "put";
  if (request.content_type.starts_with("application/merge-patch")) return "merge";
  if (request.content_type.starts_with("application/strategic-merge-patch")) return "strategic";
  if (request.content_type.starts_with("application/json-patch")) return "json";
  if (request.content_type.starts_with("application/apply-patch")) return "apply";
  return "";
}

bool has_label_change(const Inquiry& asked, std::string_view how, std::string_view domain) {
  const std::vector<std::string> changed =
      changed_labels(member(asked.old_object, "metadata", "labels"), member(asked.object, "metadata", "labels"));
  return std::any_of(changed.begin(), changed.end(),
                     [&](const std::string& key) { return loosely_matches(how, domain_of_label(key), domain); });
}

Entry text_entry(const char* name, const char* argument, const char* meaning, std::string Attributes::*attribute) {
  return {{name, argument, meaning}, [attribute](const std::string& text) {
            return [attribute, text](const Inquiry& asked, const Surroundings&) {
              return asked.attributes.*attribute == text;
            };
          }};
}

Entry flag_entry(const char* name, const char* meaning, Condition condition) {
  return {{name, "", meaning}, [condition = std::move(condition)](const std::string&) { return condition; }};
}

Entry path_entry(const char* name, const char* meaning, bool (*holds)(const Object& before, const Object& after)) {
  return {{name, pointer_argument, meaning}, [holds](const std::string& pointer) {
            return [holds, pointer](const Inquiry& asked, const Surroundings&) {
              return holds(at(asked.old_object, pointer), at(asked.object, pointer));
            };
          }};
}

Entry label_entry(const char* name, const char* how, const char* meaning) {
  return {{name, "a domain", meaning}, [how](const std::string& domain) {
            return [how, domain](const Inquiry& asked, const Surroundings&) {
              return has_label_change(asked, how, domain);
            };
          }};
}

std::vector<Entry> questions_of_attributes() {
  return {
      text_entry("verb", "a verb", "it is that verb; of admission create, update or delete", &Attributes::verb),
      text_entry("resource", "a resource", "it is about that resource", &Attributes::resource),
      text_entry("group", "an API group", "it is about a resource of that group", &Attributes::api_group),
      text_entry("subresource", "a subresource", "it is about that subresource", &Attributes::subresource),
      text_entry("namespace", "a namespace", "it is about that namespace", &Attributes::namespace_),
      flag_entry("any-subresource", "it is about some subresource",
                 [](const Inquiry& asked, const Surroundings&) { return !asked.attributes.subresource.empty(); }),
      flag_entry("no-name", "it names no object",
                 [](const Inquiry& asked, const Surroundings&) { return asked.attributes.name.empty(); }),
      flag_entry("own-name", "the object is called as the node is",
                 [](const Inquiry& asked, const Surroundings&) {
                   return !asked.attributes.name.empty() && asked.attributes.name == asked.node();
                 }),
      flag_entry("several-terms", "its field selector has more than one term",
                 [](const Inquiry& asked, const Surroundings&) { return asked.attributes.field_selector.size() > 1; }),
      flag_entry("no-selector", "it has no field selector",
                 [](const Inquiry& asked, const Surroundings&) { return asked.attributes.field_selector.empty(); }),
  };
}

std::vector<Entry> questions_of_writes() {
  return {
      {{"way", "put, merge, strategic, json or apply", "the write comes in that way"},
       [](const std::string& way) {
         return [way](const Inquiry& asked, const Surroundings& around) {
           return asked.admission && way_of(around.request) == way;
         };
       }},
      flag_entry("dry-run", "nothing of it is stored",
                 [](const Inquiry&, const Surroundings& around) {
                   return query_parameter(around.request.target, "dryRun") == "All";
                 }),
      flag_entry("generate-name", "the API server makes the object's name up",
                 [](const Inquiry& asked, const Surroundings&) { return has_name_made_up(asked.object); }),
      path_entry("has", "the object has something there",
                 [](const Object&, const Object& after) { return !after.is_null() && !after.empty(); }),
      path_entry("lacks", "the object has nothing there",
                 [](const Object&, const Object& after) {
                   const auto* const text = after.get_ptr<const std::string*>();
                   return after.is_null() || (text != nullptr && text->empty());
                 }),
      path_entry("had", "the object before had something there",
                 [](const Object& before, const Object&) { return !before.is_null() && !before.empty(); }),
      path_entry("several", "the object has a list of more than one there",
                 [](const Object&, const Object& after) { return after.is_array() && after.size() > 1; }),
      path_entry("only-removes", "of the list or map there, entries go and none come or change",
                 [](const Object& before, const Object& after) {
                   return has_additions(after, before) && !has_additions(before, after);
                 }),
      path_entry("only-adds", "of the list or map there, entries come and none go or change",
                 [](const Object& before, const Object& after) {
                   return has_additions(before, after) && !has_additions(after, before);
                 }),
      path_entry("only-changes", "the list or map there has as many entries as before, but others",
                 [](const Object& before, const Object& after) {
                   return before.size() == after.size() && !before.empty() && before != after;
                 }),
      label_entry("changes-label-ending", "ends", "a changed label's domain ends so, without the dot"),
      label_entry("changes-label-beginning", "begins", "a changed label's domain begins so"),
      label_entry("changes-label-in-case", "case", "a changed label's domain is that in other case"),
      label_entry("changes-label-in", "in", "a changed label's domain is that, or one below it"),
  };
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> out = questions_of_attributes();
    for (Entry& entry : questions_of_writes()) out.push_back(std::move(entry));
    return out;
  }();
  return all;
}

Result<Condition> parse_word(std::string_view text) {
  if (text.starts_with("not ")) {
    Result<Condition> negated = parse_word(text.substr(4));
    if (!negated) return negated;
    return [negated = std::move(*negated)](const Inquiry& asked, const Surroundings& around) {
      return !negated(asked, around);
    };
  }
  const WordAndArgument parts = split_word(text);
  for (const Entry& entry : entries()) {
    if (entry.word.name != parts.word) continue;
    if (Result<void> fits = argument_fits(entry.word, parts); !fits) return tl::unexpected<Error>(fits.error());
    return entry.make(std::string(parts.argument));
  }
  return unknown_word("condition", parts.word, condition_words());
}

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  std::vector<Condition> all;
  while (true) {
    const std::size_t end = text.find(" and ");
    Result<Condition> one = parse_word(text.substr(0, end));
    if (!one) return one;
    all.push_back(std::move(*one));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 5);
  }
  return [all = std::move(all)](const Inquiry& asked, const Surroundings& around) {
    return std::all_of(all.begin(), all.end(), [&](const Condition& one) { return one(asked, around); });
  };
}

std::vector<Word> condition_words() {
  std::vector<Word> out;
  for (const Entry& entry : entries()) out.push_back(entry.word);
  return out;
}

bool has_additions(const Object& before, const Object& after) {
  if (after.is_object()) {
    for (auto entry = after.begin(); entry != after.end(); ++entry) {
      if (member(before, entry.key()) != *entry) return true;
    }
    return false;
  }
  if (!after.is_array()) return false;
  return std::any_of(after.begin(), after.end(),
                     [&](const Object& item) { return std::find(before.begin(), before.end(), item) == before.end(); });
}

std::vector<std::string> changed_labels(const Object& before, const Object& after) {
  std::vector<std::string> changed;
  const auto collect = [&](const Object& from, const Object& other) {
    if (!from.is_object()) return;
    for (auto label = from.begin(); label != from.end(); ++label) {
      const bool known = std::find(changed.begin(), changed.end(), label.key()) != changed.end();
      if (!known && member(other, label.key()) != *label) changed.push_back(label.key());
    }
  };
  collect(before, after);
  collect(after, before);
  return changed;
}

bool loosely_matches(std::string_view how, std::string_view domain, std::string_view expected) {
  const bool below = domain.size() > expected.size() && domain.ends_with(expected) &&
                     domain[domain.size() - expected.size() - 1] == '.';
  const bool exact = domain == expected || below;
  if (how == "in") return exact;
  if (exact) return false;
  if (how == "ends") return domain.ends_with(expected);
  if (how == "begins") return domain.starts_with(expected);
  if (how == "contains") return domain.find(expected) != std::string_view::npos;
  return in_lower_case(domain) == in_lower_case(expected);
}

std::string_view domain_of_label(std::string_view key) {
  const std::size_t slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

}  // namespace nodebound::mutants
