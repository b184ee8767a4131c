#include "harness/contents/read_comparison.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace nodebound {
namespace {

Object without_type(Object object) {
  if (object.is_object()) {
    object.erase("kind");
    object.erase("apiVersion");
  }
  return object;
}

void add_once(std::vector<std::string>& to, std::string mistake) {
  if (std::ranges::find(to, mistake) == to.end()) to.push_back(std::move(mistake));
}

bool differs(const Form& form, const Object& shown, const Object& stored) {
  if (form.exact) return without_type(shown) != without_type(stored);
  return text(shown, "metadata", "resourceVersion") != text(stored, "metadata", "resourceVersion") ||
         member(shown, "metadata", "labels") != member(stored, "metadata", "labels");
}

}  // namespace

ObjectsByUid by_uid(const std::vector<Object>& objects) {
  ObjectsByUid out;
  // Of the events about an object, the last shows it as it is.
  for (const Object& object : objects) out.insert_or_assign(std::string(text(object, "metadata", "uid")), object);
  out.erase("");
  return out;
}

ObjectsByUid unchanged(const ObjectsByUid& before, const ObjectsByUid& after) {
  ObjectsByUid out;
  for (const auto& [uid, object] : before) {
    const auto again = after.find(uid);
    if (again != after.end() && again->second == object) out.emplace(uid, object);
  }
  return out;
}

void ReadComparison::judge(const Form& form, const HttpResponse& response) {
  const std::vector<Object> shown = selected_.shown_in(response);
  for (const Object& object : shown) {
    if (object.is_object() && !selected_.contains(object))
      add_once(out_.leaked, selected_.name_of(object) + form.words);
  }
  const ObjectsByUid found = by_uid(shown);
  if (selected_.attributes.verb == "list" && found.size() < shown.size()) look_for_repeated(form, shown);
  if (form.some) return;
  for (const auto& [uid, object] : stored_) {
    const auto there = found.find(uid);
    if (there == found.end()) {
      add_once(out_.others, selected_.name_of(object) + " is left out" + form.words);
    } else if (differs(form, there->second, object)) {
      add_once(out_.others, selected_.name_of(object) + " is not what is stored" + form.words);
    }
  }
}

void ReadComparison::find(std::string mistake) {
  add_once(out_.others, std::move(mistake));
}

void ReadComparison::look_for_repeated(const Form& form, const std::vector<Object>& shown) {
  std::set<std::string_view> seen;
  for (const Object& object : shown) {
    const std::string_view uid = text(object, "metadata", "uid");
    if (!uid.empty() && !seen.insert(uid).second)
      add_once(out_.others, selected_.name_of(object) + " is shown twice" + form.words);
  }
}

}  // namespace nodebound
