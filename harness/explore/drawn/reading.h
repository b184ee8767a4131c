#pragma once

#include "harness/explore/chance.h"
#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

/// Sometimes asks for the answer as a Table or as metadata alone.
void draw_form(Chance& chance, DrawnRequest& request);

/// Sometimes asks for an object, or a list, at a version.
void draw_version(Chance& chance, DrawnRequest& request);

/// Makes a watch of a list: by a query or, below /watch/, by a path. Few of them are read for their events.
void draw_watch(Chance& chance, DrawnRequest& list);

}  // namespace nodebound::explore
