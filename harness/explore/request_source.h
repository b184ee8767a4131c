#pragma once

#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "harness/explore/chance.h"
#include "harness/explore/drawn/object.h"
#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

/// Random requests of nodes, administrators and others: the same seed gives the same requests.
class RequestSource {
 public:
  /// `resources` is what is served, and must outlive the source.
  RequestSource(std::uint64_t seed, const ApiResources& resources);

  /// Requests of an administrator that make the cluster for the other requests.
  std::vector<DrawnRequest> first();

  DrawnRequest next();

 private:
  /// The path of a request.
  struct Place {
    const ApiResource* resource = nullptr;
    const DrawnKind* kind = nullptr;  ///< null if no objects of it are drawn
    std::string namespace_;
    std::string name;

    [[nodiscard]] std::string collection() const;
    [[nodiscard]] std::string object() const;
  };

  Place place(const Subject& subject);
  Place drawn_place(const Subject& subject);
  Place any_place(const Subject& subject);
  DrawnRequest read();
  DrawnRequest list(const Subject& subject, const Place& place);
  DrawnRequest write();
  DrawnRequest create(const Subject& subject, const Place& place);
  DrawnRequest update(const Subject& subject, const Place& place);
  DrawnRequest patch(const Subject& subject, const Place& place);
  DrawnRequest apply(const Subject& subject, const Place& place, const std::string& target);
  DrawnRequest remove(const Subject& subject, const Place& place);
  DrawnRequest subresource();
  DrawnRequest of_pod(const Subject& subject, const std::string& pod);
  DrawnRequest token(const Subject& subject);
  DrawnRequest elsewhere();
  Object change(const Subject& subject, const Place& place, bool status);
  void try_out(DrawnRequest& request);

  Chance chance_;
  const ApiResources& resources_;
  std::vector<const DrawnKind*> kinds_;  ///< each as often as its weight says
};

}  // namespace nodebound::explore
