#include "harness/explore/drawn/reading.h"

#include <utility>

#include "fakes/wire/requests.h"

namespace nodebound::explore {
namespace {

std::string watch_path(std::string target) {
  const std::size_t version = target.find('/', target.starts_with("/apis/") ? target.find('/', 6) + 1 : 5);
  return target.insert(version, "/watch");
}

}  // namespace

void draw_form(Chance& chance, DrawnRequest& request) {
  if (!chance.one_in(8)) return;
  request.accept = chance.pick({"application/json;as=Table;v=v1;g=meta.k8s.io",
                                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
                                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json",
                                "application/json;as=Other;v=v1;g=meta.k8s.io", "text/html", "application/*"});
  if (request.accept.find("as=Table") == std::string::npos || !chance.one_in(3)) return;
  request.target =
      with_parameter(std::move(request.target),
                     std::string("includeObject=") + chance.pick({"None", "Metadata", "Object", "Object", "all"}));
}

void draw_version(Chance& chance, DrawnRequest& request) {
  if (!chance.one_in(10)) return;
  request.target = with_parameter(std::move(request.target), std::string("resourceVersion=") +
                                                                 chance.pick({"0", "0", "1", "x", "-1", "999999999"}));
}

void draw_watch(Chance& chance, DrawnRequest& list) {
  if (chance.one_in(4)) {
    list.target = watch_path(std::move(list.target));
  } else {
    list.target =
        with_parameter(std::move(list.target), std::string("watch=") + chance.pick({"true", "1", "True", "yes"}));
  }
  if (chance.one_in(6)) {
    list.target = with_parameter(std::move(list.target),
                                 std::string("sendInitialEvents=") + chance.pick({"true", "true", "false", "x"}));
    if (!chance.one_in(6)) list.target = with_parameter(std::move(list.target), "resourceVersionMatch=NotOlderThan");
    if (!chance.one_in(6)) list.target = with_parameter(std::move(list.target), "allowWatchBookmarks=true");
  }
  list.watch = !chance.one_in(10);
  if (!list.watch) list.target = with_parameter(std::move(list.target), "timeoutSeconds=1");
}

}  // namespace nodebound::explore
