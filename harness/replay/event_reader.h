#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "harness/replay/audit_event.h"
#include "harness/replay/log_documents.h"
#include "harness/replay/log_troubles.h"

namespace nodebound::replay {

/// What a log holds, by what becomes of it.
struct LogCounts {
  std::size_t events = 0;
  std::size_t not_final = 0;       ///< events of stage RequestReceived, before there is an answer
  std::size_t about_others = 0;    ///< not about nodes
  std::size_t administrators = 0;  ///< about nodes, by members of system:masters, who may do everything
  std::size_t without_query = 0;   ///< of Cloud Logging
};

/// Finds audit events in the documents of a log: events, lists of them (as webhooks get them), and events within the
/// records of CloudWatch, Cloud Logging and Azure Monitor. Everything else is noted as trouble.
class EventReader {
 public:
  using Sink = std::function<void(LoggedRequest&&)>;

  EventReader(std::string file, LogTroubles& troubles, LogCounts& counts);
  EventReader(EventReader&&) noexcept;
  EventReader& operator=(EventReader&&) = delete;
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;
  ~EventReader();

  /// Gives the sink those events of the document that are about nodes or change what decisions depend on.
  void read(const LogDocument& document, const Sink& sink);

 private:
  class Parsers;

  void read_event(std::string_view padded, std::size_t line, const Sink& sink);
  void read_other(const LogDocument& document, const Sink& sink);
  void unwrap(const Object& value, std::size_t line, int depth, bool& found, const Sink& sink);

  std::string file_;
  LogTroubles& troubles_;
  LogCounts& counts_;
  std::unique_ptr<Parsers> parsers_;
};

}  // namespace nodebound::replay
