#include <algorithm>
#include <map>
#include <utility>

#include "harness/contents/contents.h"
#include "harness/contents/selected_objects.h"
#include "harness/contents/watch_events.h"

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
constexpr Form watch_list{" in a watch with sendInitialEvents", "", true};

class Comparison {
 public:
  Comparison(const SelectedObjects& selected, ObjectsByUid stored) : selected_(selected), stored_(std::move(stored)) {}

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

  void find(std::string mistake) { add(out_.others, std::move(mistake)); }

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

/// One allowed GET, asked in all forms.
class AllowedRead {
 public:
  AllowedRead(const HttpRequest& request, const SelectedObjects& selected, const SendRequest& as_subject,
              const SendRequest& as_administrator)
      : request_(request), selected_(selected), as_subject_(as_subject), as_administrator_(as_administrator) {}

  void heard(HttpResponse response) { answers_.emplace_back(plain, std::move(response)); }

  [[nodiscard]] Result<void> ask_again(const Waiting& waiting) {
    Result<HttpResponse> answer = as_subject_(request_);
    if (answer && is_watch()) answer = first_events(request_, std::move(*answer), as_subject_, waiting);
    if (!answer) return tl::unexpected<Error>(answer.error());
    if (answer->status == 200) heard(std::move(*answer));
    return {};
  }

  void ask_in_other_forms(bool watch_lists, const Waiting& waiting) {
    if (is_watch()) {
      if (watch_lists) ask_for_initial_events(waiting);
      return;
    }
    const bool is_list = selected_.attributes.verb == "list";
    for (const Form& form : {Form{" in a Table", table, false},
                             Form{" as metadata", is_list ? metadata_of_list : metadata_of_object, false},
                             Form{" in protobuf", protobuf, false}}) {
      HttpRequest again = request_;
      again.accept = form.accept;
      Result<HttpResponse> answer = as_subject_(again);
      if (answer && answer->status == 200) answers_.emplace_back(form, std::move(*answer));
    }
    const std::size_t objects = answers_.empty() ? 0 : selected_.shown_in(answers_.front().second).size();
    if (is_list && objects > 1 && query_parameter(request_.target, "limit").empty()) {
      if (auto list = in_pages(request_, objects, as_subject_)) answers_.emplace_back(pages, std::move(*list));
    }
  }

  /// What the administrator sees of it; nothing if that cannot be read.
  [[nodiscard]] std::optional<ObjectsByUid> stored(const ApiResources& resources) const {
    if (!as_administrator_) return ObjectsByUid();
    const HttpRequest read = is_watch() ? list_of_watch(request_) : request_;
    const std::optional<SelectedObjects> selected = SelectedObjects::of(read, resources);
    const auto answer = as_administrator_(read);
    if (!selected || !answer || answer->status != 200) return std::nullopt;
    return by_uid(selected->shown_in(*answer));
  }

  [[nodiscard]] ContentMistakes compare(ObjectsByUid stored) const {
    Comparison comparison(selected_, std::move(stored));
    for (const auto& [form, answer] : answers_) comparison.judge(form, answer);
    if (unended_) comparison.find("the initial events of a watch have no end");
    return comparison.take();
  }

  /// Where this is the same for two reads, the other forms of the second prove nothing new: for an object, its kind;
  /// for many, what is selected and shown.
  [[nodiscard]] std::string proof() const {
    const Attributes& attributes = selected_.attributes;
    std::string out = attributes.verb + " " + selected_.resource->group_version + " " + selected_.resource->resource +
                      "/" + attributes.subresource;
    if (attributes.verb == "get") return out;
    out += " " + request_.target;
    for (const Object& object : selected_.shown_in(answers_.front().second)) {
      for (const char* key : {"uid", "resourceVersion"}) out.append(" ").append(text(object, "metadata", key));
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_watch() const { return selected_.attributes.verb == "watch"; }

  void ask_for_initial_events(const Waiting& waiting) {
    const HttpRequest watch = with_initial_events(request_);
    Result<HttpResponse> head = as_subject_(watch);
    if (!head || head->status != 200) return;
    Result<HttpResponse> events = first_events(watch, std::move(*head), as_subject_, waiting);
    if (!events) return;
    unended_ = !cut_after_initial_events(*events);
    answers_.emplace_back(watch_list, std::move(*events));
  }

  const HttpRequest& request_;
  const SelectedObjects& selected_;
  const SendRequest& as_subject_;
  const SendRequest& as_administrator_;
  std::vector<std::pair<Form, HttpResponse>> answers_;
  bool unended_ = false;
};

}  // namespace

Result<ContentMistakes> ReadJudge::mistakes(const HttpRequest& request, HttpResponse response,
                                            const SendRequest& as_subject) {
  const std::optional<SelectedObjects> selected = SelectedObjects::of(request, resources_);
  if (!selected) return ContentMistakes();
  if (selected->attributes.verb == "watch") {
    Result<HttpResponse> events = first_events(request, std::move(response), as_subject, Waiting::briefly);
    if (!events) return tl::unexpected<Error>(events.error());
    response = std::move(*events);
  }
  AllowedRead read(request, *selected, as_subject, as_administrator_);
  read.heard(std::move(response));
  ContentMistakes leaks = read.compare({});
  if (!leaks.leaked.empty()) return leaks;
  const std::string proof = read.proof();
  const bool all_forms = !judged_.contains(proof);
  if (all_forms) read.ask_in_other_forms(watch_lists_, Waiting::briefly);
  const std::optional<ObjectsByUid> stored = read.stored(resources_);
  ContentMistakes mistakes = read.compare(stored.value_or(ObjectsByUid()));
  if (mistakes.empty()) {
    judged_.insert(proof);
    return mistakes;
  }
  if (!as_administrator_ || !mistakes.leaked.empty()) return mistakes;
  // Somebody may have changed something meanwhile: only what is the same before and after counts.
  const std::optional<ObjectsByUid> before = read.stored(resources_);
  AllowedRead again(request, *selected, as_subject, as_administrator_);
  if (Result<void> asked = again.ask_again(Waiting::patiently); !asked) return tl::unexpected<Error>(asked.error());
  if (all_forms) again.ask_in_other_forms(watch_lists_, Waiting::patiently);
  const std::optional<ObjectsByUid> after = again.stored(resources_);
  if (!before || !after) return ContentMistakes();
  return again.compare(unchanged(*before, *after));
}

}  // namespace nodebound
