#include <algorithm>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/read/read.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/watch/watch.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

// The index of the first object after the last one that was listed.
std::size_t first_after(const std::vector<Store::Listed>& objects, const Continuation& last) {
  const auto found = std::partition_point(objects.begin(), objects.end(), [&](const Store::Listed& listed) {
    return !before_in_list(last.namespace_, last.name, listed.namespace_, listed.name);
  });
  return static_cast<std::size_t>(found - objects.begin());
}

// The part of a collection that one page shows.
struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Page page_of(const std::vector<Store::Listed>& objects, const ListOptions& options) {
  Page page{options.continuation ? first_after(objects, *options.continuation) : 0, objects.size()};
  // A list with resourceVersion=0 is answered from the cache, which ignores the limit.
  const bool from_cache =
      options.cached && options.version == std::uint64_t(0) && options.match != ListOptions::Match::exact;
  if (options.limit <= 0 || (from_cache && !options.continuation)) return page;
  std::int64_t wanted = options.limit;
  for (std::size_t at = page.begin; at < objects.size(); ++at) {
    if (!options.selects(objects[at].object)) continue;
    if (wanted-- == 0) {
      page.end = at;
      break;
    }
  }
  return page;
}

}  // namespace

HttpResponse expired(const std::string& message) {
  return failure(410, "Expired", message);
}

std::optional<std::uint64_t> version_of(const ListOptions& options) {
  if (options.continuation) {
    if (options.continuation->version < 0) return std::nullopt;
    return static_cast<std::uint64_t>(options.continuation->version);
  }
  const bool known = options.version && *options.version != 0;
  const bool exact = options.match == ListOptions::Match::exact ||
                     (options.match == ListOptions::Match::unset && (options.limit > 0 || options.in_pages));
  return known && exact ? options.version : std::nullopt;
}

HttpResponse expired_list(const ListOptions& options, bool namespaces) {
  if (!options.continuation) return expired("The resourceVersion for the provided list is too old.");
  Continuation anew = *options.continuation;
  anew.version = -1;
  const std::string message =
      "The provided continue parameter is too old to display a consistent list result. You can start a new list "
      "without the continue parameter, or use the continue token in this response to retrieve the remainder of the "
      "results. Continuing with the provided token results in an inconsistent list - objects that were created, "
      "modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  Object status = Object::parse(expired(message).body);
  status["metadata"]["continue"] = anew.token(namespaces);
  return object_response(410, status);
}

HttpResponse too_new(const ServerState& server, bool cached, std::uint64_t version) {
  Object details;
  details["causes"] = {{{"reason", "ResourceVersionTooLarge"}, {"message", "Too large resource version"}}};
  // The watch cache may come to that version.
  if (cached) details["retryAfterSeconds"] = 1;
  HttpResponse response = failure(504, "Timeout",
                                  "Timeout: Too large resource version: " + std::to_string(version) +
                                      ", current: " + std::to_string(server.store.version()),
                                  details);
  if (cached) response.headers["retry-after"] = "1";
  return response;
}

std::vector<Store::Listed> selected(const ListOptions& options, std::span<const Store::Listed> objects) {
  if (options.selects_all()) return {objects.begin(), objects.end()};
  std::vector<Store::Listed> out;
  std::copy_if(objects.begin(), objects.end(), std::back_inserter(out),
               [&](const Store::Listed& listed) { return options.selects(listed.object); });
  return out;
}

ListPage listed_page(const std::vector<Store::Listed>& objects, const ListOptions& options, std::uint64_t version,
                     bool namespaces) {
  const Page page = page_of(objects, options);
  ListPage out;
  out.items = selected(options, std::span(objects).subspan(page.begin, page.end - page.begin));
  out.metadata = {{"resourceVersion", std::to_string(version)}};
  if (page.end == objects.size() || out.items.empty()) return out;
  const Store::Listed& last = out.items.back();
  out.metadata["continue"] =
      Continuation{static_cast<std::int64_t>(version), last.namespace_, last.name}.token(namespaces);
  if (options.selects_all()) out.metadata["remainingItemCount"] = objects.size() - page.end;
  return out;
}

Store::Scope scope_of(const Strategy& strategy, const FieldSelector& fields) {
  if (const auto name = fields.wanted("metadata.name"); name && !name->empty()) return {Store::Scope::Of::name, *name};
  const auto node = strategy.on_nodes ? fields.wanted("spec.nodeName") : std::nullopt;
  return node && !node->empty() ? Store::Scope{Store::Scope::Of::node, *node} : Store::Scope();
}

tl::expected<std::vector<Store::Listed>, HttpResponse> objects_of(const ServerState& server, const Call& call,
                                                                  const ListOptions& options, std::uint64_t version) {
  const Attributes& attributes = call.attributes;
  if (version > server.store.version()) return tl::unexpected(too_new(server, !call.resource->uncached, version));
  auto objects = server.store.objects_at(attributes.api_group, attributes.resource, call.key().namespace_, version,
                                         scope_of(*call.strategy, options.fields));
  if (objects) return std::move(*objects);
  return tl::unexpected(expired_list(options, call.resource->namespaced && attributes.namespace_.empty()));
}

HttpResponse answer_list(ServerState& server, const Call& call) {
  const Attributes& attributes = call.attributes;
  const bool is_watch = attributes.verb == "watch";
  const bool namespaces = call.resource->namespaced && attributes.namespace_.empty();
  auto options = read_list_options(*call.resource, call.request.target, {is_watch, namespaces});
  if (!options) return options.error();
  if (!attributes.name.empty()) {
    // The authorizers decided about that one object, named by the path or a selector (apiserver's handlers/get.go).
    if (options->fields.empty()) options->fields = FieldSelector::of_name(attributes.name);
    if (options->fields.wanted("metadata.name") != attributes.name) {
      return bad_request("fieldSelector metadata.name doesn't match requested name");
    }
  }
  if (is_watch) return answer_watch(server, call, std::move(*options));
  if (options->continuation && !namespaces) options->continuation->namespace_ = call.key().namespace_;
  if (options->version && *options->version > server.store.version()) {
    const bool exact = options->match == ListOptions::Match::exact ||
                       (options->match == ListOptions::Match::unset && options->limit > 0);
    if (exact && server.defaults.does(Behaviour::exact_version_from_etcd)) {
      return failure(500, "", "etcdserver: mvcc: required revision is a future revision");
    }
    // The watch cache leaves an exact version of one object to etcd (ShouldDelegateExactRV).
    const bool of_one = !namespaces && scope_of(*call.strategy, options->fields).of == Store::Scope::Of::name;
    return too_new(server, !call.resource->uncached && !(exact && of_one), *options->version);
  }
  const std::optional<std::uint64_t> wanted = version_of(*options);
  const std::uint64_t version = wanted.value_or(server.read_version(call, options->version.value_or(0)));
  const auto objects = objects_of(server, call, *options, version);
  if (!objects) return objects.error();
  if (wanted && call.request.server_fault.forgetful) return expired_list(*options, namespaces);
  if (auto refusal = wrong_metadata_form(*call.resource, call.as, true)) return *refusal;
  const ListPage page = listed_page(*objects, *options, version, namespaces);
  return json_response(200, represented_list(*call.resource, call.as, page.items, page.metadata, server.now()));
}

}  // namespace nodebound::apiserver
