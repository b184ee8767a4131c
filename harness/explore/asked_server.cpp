#include "harness/explore/asked_server.h"

#include "fakes/wire/requests.h"
#include "harness/journal/record.h"
#include "harness/journal/write_request.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::explore {
namespace {

constexpr std::string_view nobodys_uid = "00000000-0000-0000-0000-00000000dead";

}  // namespace

Result<Object> AskedServer::object_at(const std::string& path) {
  const HttpRequest request{"GET", path, "", ""};
  const Result<HttpResponse> response = session_.send(endpoint_.administrator(), request);
  if (!response) return tl::unexpected<Error>(response.error());
  if (response->status != 200) return Object();
  return Object::parse(response->body, nullptr, false);
}

Result<Object> AskedServer::written_object(const DrawnRequest& drawn) {
  const Attributes written = attributes_of(drawn.method, drawn.target);
  const std::string name = written.name.empty() ? std::string(text(drawn.body, "metadata", "name")) : written.name;
  if (!written.resource_request || name.empty()) return Object();
  return object_at(object_path(written, name));
}

Result<HttpResponse> AskedServer::send(const Subject& subject, const HttpRequest& request) {
  const std::optional<journal::WriteRequest> write = with_label_ ? journal::write_of(request, false) : std::nullopt;
  if (!write || !write->takes_our_label) return session_.send(subject, request);
  // An update makes an object, or changes one that has the label, or one that the server has made without it.
  if (write->manner != journal::Manner::create) {
    const Result<Object> before = object_at(write->path);
    if (!before) return tl::unexpected<Error>(before.error());
    const bool is_ours =
        before->is_null() || member(*before, "metadata", "labels").contains(std::string(journal::run_label));
    if (!is_ours) return session_.send(subject, request);
  }
  return session_.send(subject, journal::marked(request, run_));
}

Result<void> AskedServer::fill_in(std::string& text) {
  for (const auto& [word, field, otherwise] :
       {std::tuple<std::string_view, const char*, std::string_view>{"{uid ", "uid", nobodys_uid},
        {"{version ", "resourceVersion", "1"}}) {
    if (!text.starts_with(word) || !text.ends_with('}')) continue;
    const Result<Object> object = object_at(text.substr(word.size(), text.size() - word.size() - 1));
    if (!object) return tl::unexpected<Error>(object.error());
    const std::string_view found = nodebound::text(*object, "metadata", field);
    text = found.empty() ? otherwise : found;
    return {};
  }
  return {};
}

Result<void> AskedServer::fill_in(Object& object) {
  if (object.is_string()) return fill_in(object.get_ref<std::string&>());
  for (Object& inner : object) {
    if (!inner.is_structured() && !inner.is_string()) continue;
    if (Result<void> done = fill_in(inner); !done) return done;
  }
  return {};
}

Result<HttpRequest> AskedServer::fill_in(const DrawnRequest& drawn) {
  HttpRequest request{drawn.method, drawn.target, drawn.content_type, drawn.raw_body};
  request.watch = drawn.watch;
  request.accept = drawn.accept;
  if (!drawn.raw_body.empty() || drawn.body.is_null()) return request;
  Object body = drawn.body;
  if (Result<void> done = fill_in(body); !done) return tl::unexpected<Error>(done.error());
  if (!drawn.changed_object.empty()) {
    Result<Object> object = object_at(drawn.changed_object);
    if (!object) return tl::unexpected<Error>(object.error());
    if (object->is_object()) {
      object->merge_patch(body);
      body = std::move(*object);
    }
  }
  request.body = body.dump();
  return request;
}

}  // namespace nodebound::explore
