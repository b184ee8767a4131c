#include <algorithm>
#include <map>

#include "harness/contents/contents.h"
#include "harness/contents/selected_objects.h"

namespace nodebound {
namespace {

// Older servers know only v1beta1, or neither: then the answer is the plain object.
const char* const table =
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const char* const metadata_of_object =
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,"
    "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io,application/json";
const char* const metadata_of_list =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,"
    "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io,application/json";
const char* const protobuf = "application/vnd.kubernetes.protobuf,application/json";

using ObjectsByUid = std::map<std::string, Object>;

ObjectsByUid by_uid(const std::vector<Object>& objects) {
  ObjectsByUid out;
  for (const Object& object : objects) out.emplace(text(object, "metadata", "uid"), object);
  out.erase("");
  return out;
}

/// What the administrator sees both before and after: nobody has changed it in between.
ObjectsByUid unchanged(const ObjectsByUid& before, const ObjectsByUid& after) {
  ObjectsByUid out;
  for (const auto& [uid, object] : before) {
    const auto again = after.find(uid);
    if (again != after.end() && again->second == object) out.emplace(uid, object);
  }
  return out;
}

Object without_type(Object object) {
  if (object.is_object()) {
    object.erase("kind");
    object.erase("apiVersion");
  }
  return object;
}

/// One list in pages, as one answer in JSON; nothing if a page cannot be had.
std::optional<HttpResponse> in_pages(const HttpRequest& list, std::size_t objects, const SendRequest& send) {
  constexpr int most_pages = 20;
  Object items = Object::array();
  const std::string limit =
      (list.target.find('?') == std::string::npos ? "?limit=" : "&limit=") + std::to_string((objects + 1) / 2);
  std::string next;
  for (int page = 0; page < most_pages; ++page) {
    HttpRequest request = list;
    request.target += limit;
    if (!next.empty()) request.target += "&continue=" + percent_encoded(next);
    const Result<HttpResponse> response = send(request);
    if (!response || response->status != 200) return std::nullopt;
    const Object body = Object::parse(response->body, nullptr, false);
    for (const Object& item : member(body, "items")) items.push_back(item);
    next = text(body, "metadata", "continue");
    if (next.empty())
      return HttpResponse{200, "application/json", Object{{"kind", "List"}, {"items", items}}.dump(), {}};
  }
  return std::nullopt;
}

/// A form in which a client may ask for objects.
struct Form {
  const char* words;  ///< after the name of an object
  const char* accept;
  bool exact;  ///< shows objects as they are stored; others leave out what is empty, or all but the metadata
};

constexpr Form plain{"", "", true};
constexpr Form pages{" in pages", "", true};

class ReadJudge {
 public:
  ReadJudge(const SelectedObjects& selected, ObjectsByUid stored) : selected_(selected), stored_(std::move(stored)) {}

  void judge(const Form& form, const HttpResponse& response) {
    const std::vector<Object> shown = selected_.shown_in(response);
    for (const Object& object : shown) {
      if (object.is_object() && !selected_.contains(object)) add(out_.leaked, selected_.name_of(object) + form.words);
    }
    const ObjectsByUid found = by_uid(shown);
    for (const auto& [uid, object] : stored_) {
      const auto there = found.find(uid);
      if (there == found.end()) {
        add(out_.others, selected_.name_of(object) + " is left out" + form.words);
      } else if (differs(form, there->second, object)) {
        add(out_.others, selected_.name_of(object) + " is not what is stored" + form.words);
      }
    }
  }

  ContentMistakes take() { return std::move(out_); }

 private:
  static void add(std::vector<std::string>& to, std::string mistake) {
    if (std::ranges::find(to, mistake) == to.end()) to.push_back(std::move(mistake));
  }

  static bool differs(const Form& form, const Object& shown, const Object& stored) {
    if (form.exact) return without_type(shown) != without_type(stored);
    return text(shown, "metadata", "resourceVersion") != text(stored, "metadata", "resourceVersion") ||
           member(shown, "metadata", "labels") != member(stored, "metadata", "labels");
  }

  const SelectedObjects& selected_;
  ObjectsByUid stored_;
  ContentMistakes out_;
};

}  // namespace

ContentMistakes judge_read(const HttpRequest& request, const HttpResponse& response, const ApiResources& resources,
                           const SendRequest& as_subject, const SendRequest& as_administrator) {
  const std::optional<SelectedObjects> selected = SelectedObjects::of(request, resources);
  if (!selected) return {};
  ReadJudge first(*selected, {});
  first.judge(plain, response);
  ContentMistakes mistakes = first.take();
  if (!mistakes.leaked.empty() || selected->attributes.verb == "watch") return mistakes;

  const auto seen_by_administrator = [&]() -> std::optional<ObjectsByUid> {
    if (!as_administrator) return ObjectsByUid();
    const auto answer = as_administrator(request);
    if (!answer || answer->status != 200) return std::nullopt;
    return by_uid(selected->shown_in(*answer));
  };
  const std::optional<ObjectsByUid> before = seen_by_administrator();
  if (!before) return {};
  const bool is_list = selected->attributes.verb == "list";
  std::vector<std::pair<Form, HttpResponse>> answers;
  for (const Form& form : {plain, Form{" in a Table", table, false},
                           Form{" as metadata", is_list ? metadata_of_list : metadata_of_object, false},
                           Form{" in protobuf", protobuf, false}}) {
    HttpRequest again = request;
    again.accept = form.accept;
    Result<HttpResponse> answer = as_subject(again);
    if (answer && answer->status == 200) answers.emplace_back(form, std::move(*answer));
  }
  const std::size_t objects = selected->shown_in(response).size();
  if (is_list && objects > 1 && query_parameter(request.target, "limit").empty()) {
    if (auto list = in_pages(request, objects, as_subject)) answers.emplace_back(pages, std::move(*list));
  }
  const std::optional<ObjectsByUid> after = seen_by_administrator();
  if (!after) return {};
  ReadJudge judge(*selected, unchanged(*before, *after));
  for (const auto& [form, answer] : answers) judge.judge(form, answer);
  return judge.take();
}

}  // namespace nodebound
