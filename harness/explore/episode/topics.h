#pragma once

#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "harness/explore/episode/draft.h"

namespace nodebound::explore {

/// What an episode can be about: it makes some objects, and asks about them and about similar ones.
struct Topic {
  std::size_t weight;  ///< how often it is drawn, beside the others
  void (*draw)(Draft& draft);
};

// topics_of_pods.cpp
void draw_references(Draft& draft);
void draw_volumes(Draft& draft);
void draw_pod_writes(Draft& draft);
void draw_tokens(Draft& draft);

// topics_of_nodes.cpp
void draw_node_writes(Draft& draft);
void draw_owned(Draft& draft);
void draw_certificates(Draft& draft);

// topics_of_users.cpp
void draw_lookalikes(Draft& draft);
void draw_grants(Draft& draft);
void draw_anything(Draft& draft);
void draw_selectors(Draft& draft);

const std::vector<Topic>& topics();

/// Asks about one object in many ways: verbs, subresources, selectors, and names similar to its own.
void ask_about(Draft& draft, const std::string& resource, const std::string& name, const std::string& namespace_);

}  // namespace nodebound::explore
