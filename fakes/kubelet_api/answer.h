#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fakes/http/handler.h"

namespace nodebound {

inline constexpr const char* plain_text = "text/plain; charset=utf-8";

/// What a Go handler leaves behind that writes text without saying what it is.
HttpResponse text_answer(int status, std::string body);

/// net/http's Error: a line, and not to be taken for anything else.
HttpResponse error_answer(int status, std::string_view message);

HttpResponse json_answer(std::string body);

/// A handler that writes a status and nothing else; net/http then gives HEAD no length.
HttpResponse empty_answer(int status, std::string_view method);

/// net/http's Redirect.
HttpResponse redirect_answer(int status, std::string_view method, const std::string& location);

/// In chunks, if it is longer than what net/http keeps back to know its length.
HttpResponse as_written(HttpResponse answer, std::string_view method);

/// An answer whose handler flushes, or is done when it has written more than net/http keeps back: in chunks, and
/// without a length to HEAD.
HttpResponse chunked_answer(int status, std::string content_type, std::string body);

/// Whether a request asks for an upgrade, to WebSocket, SPDY or to anything.
bool asks_for_upgrade(const IncomingRequest& request);
bool asks_for_websocket(const IncomingRequest& request);
bool asks_for_spdy(const IncomingRequest& request);

}  // namespace nodebound
