#pragma once

#include <google/protobuf/message.h>

#include "fakes/wire/protobuf/messages.pb.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The form of a message in JSON.
encoding::Form form_of(const google::protobuf::Message& message);

/// The JSON value of a message in any form except `OBJECT` and `LIST`; null if it has no value.
Object value_of(const google::protobuf::Message& message, encoding::Form form);

/// The opposite. A value that does not fit the form counts as none.
void set_value(google::protobuf::Message& message, encoding::Form form, const Object& value);

}  // namespace nodebound
