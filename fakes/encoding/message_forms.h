#pragma once

#include <google/protobuf/message.h>

#include "fakes/encoding/messages.pb.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// How a message is written in JSON.
encoding::Form form_of(const google::protobuf::Message& message);

/// What a message of one field or two means, of any form but `OBJECT` and `LIST`; null if it means nothing.
Object value_of(const google::protobuf::Message& message, encoding::Form form);

/// The opposite. What the form does not have is taken for nothing.
void set_value(google::protobuf::Message& message, encoding::Form form, const Object& value);

}  // namespace nodebound
