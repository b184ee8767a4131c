#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/wire/http.h"
#include "reference/identity/subject.h"

/// The lines of exchanges, most of a record, without a document in between: as `recording_endpoint` writes them. Lines
/// that are written otherwise are left to record.h, which reads all.
namespace nodebound::certify {

/// What record_of() makes of the request, as text; nothing if it is not all UTF-8.
std::optional<std::string> ask_text(const Subject& subject, const HttpRequest& request);

/// The answer, if the line holds exactly this request and an answer that is no error. Nothing says nothing.
std::optional<HttpResponse> answer_in_line(std::string_view line, const Subject& subject, const HttpRequest& request);

}  // namespace nodebound::certify
