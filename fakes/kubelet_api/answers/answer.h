#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fakes/http/handler.h"

namespace nodebound::kubelet_api {

inline constexpr const char* plain_text = "text/plain; charset=utf-8";

/// The answer of a Go handler that writes text without setting a content type.
HttpResponse text_answer(int status, std::string body);

/// net/http's Error: one line of text, with a header against content sniffing.
HttpResponse error_answer(int status, std::string_view message);

HttpResponse json_answer(std::string body);

/// A handler that writes only a status; net/http then gives HEAD no length.
HttpResponse empty_answer(int status, std::string_view method);

/// net/http's Redirect.
HttpResponse redirect_answer(int status, std::string_view method, const std::string& location);

/// Sends the answer in chunks if it is longer than the buffer by which net/http finds a length.
HttpResponse as_written(HttpResponse answer, std::string_view method);

/// The answer of a handler that flushes, or that writes more than net/http buffers: in chunks, and without a length for
/// HEAD.
HttpResponse chunked_answer(int status, std::string content_type, std::string body);

}  // namespace nodebound::kubelet_api
