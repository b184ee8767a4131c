#include "harness/journal/record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/journal/stored_path.h"

namespace nodebound::journal {
namespace {

using nlohmann::json;

constexpr std::size_t longest_line = 4096;
constexpr int format = 1;

tl::unexpected<Error> bad_line(const std::string& what) {
  return input_error("", what,
                     "nothing was removed; what the run made carries its label: `nodebound clean --by-label` shows it");
}

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool consists_of(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; });
}

bool is_hexadecimal(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

// An object with exactly these members.
Result<json> read_object(std::string_view line, std::initializer_list<std::string_view> required,
                         std::initializer_list<std::string_view> optional) {
  if (line.size() > longest_line) return bad_line("the line is longer than any that a journal has");
  json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return bad_line("expected a JSON object in one line");
  const auto is_in = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto& [name, value] : object.items()) {
    if (!is_in(required, name) && !is_in(optional, name)) return bad_line("no line of a journal has this member here");
  }
  for (const std::string_view name : required) {
    if (!object.contains(name)) return bad_line("expected a member \"" + std::string(name) + "\"");
  }
  return object;
}

Result<std::string> text_of(const json& object, const char* name, bool (*fits)(std::string_view),
                            const std::string& expected) {
  const auto found = object.find(name);
  if (found != object.end() && found->is_string()) {
    const auto& text = found->get_ref<const std::string&>();
    if (fits(text)) return text;
  }
  return bad_line("expected \"" + std::string(name) + "\" to be " + expected);
}

Result<std::uint64_t> number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found != object.end() && found->is_number_unsigned() && found->get<std::uint64_t>() > 0) {
    return found->get<std::uint64_t>();
  }
  return bad_line("expected \"" + std::string(name) + "\" to be a number from 1 on");
}

bool is_object_or_collection_path(std::string_view path) {
  return is_object_path(path) || is_collection_path(path);
}

Result<JournalRecord> parse_asked(std::string_view line) {
  const Result<json> object = read_object(line, {"asked", "path"}, {"manner", "unmarked"});
  if (!object) return tl::unexpected(object.error());
  const Result<std::uint64_t> number = number_of(*object, "asked");
  if (!number) return tl::unexpected(number.error());
  Result<std::string> path = text_of(*object, "path", is_object_or_collection_path, "the path of one stored object");
  if (!path) return tl::unexpected(path.error());
  JournalRecord out;
  out.number = *number;
  out.path = std::move(*path);
  if (object->contains("manner")) {
    if ((*object)["manner"] != "upsert") return bad_line("expected \"manner\" to be \"upsert\"");
    out.manner = Manner::upsert;
  }
  if (object->contains("unmarked")) {
    if ((*object)["unmarked"] != true) return bad_line("expected \"unmarked\" to be true");
    out.marked = false;
  }
  return out;
}

Result<JournalRecord> parse_made(std::string_view line) {
  const Result<json> object = read_object(line, {"made", "uid"}, {"path"});
  if (!object) return tl::unexpected(object.error());
  const Result<std::uint64_t> number = number_of(*object, "made");
  if (!number) return tl::unexpected(number.error());
  Result<std::string> uid = text_of(*object, "uid", is_uid, "a UID");
  if (!uid) return tl::unexpected(uid.error());
  JournalRecord out;
  out.kind = JournalRecord::Kind::made;
  out.number = *number;
  out.uid = std::move(*uid);
  if (!object->contains("path")) return out;
  Result<std::string> path = text_of(*object, "path", is_object_path, "the path of one stored object");
  if (!path) return tl::unexpected(path.error());
  out.path = std::move(*path);
  return out;
}

Result<JournalRecord> parse_ended(std::string_view line, JournalRecord::Kind kind, const char* name) {
  const Result<json> object = read_object(line, {name}, {});
  if (!object) return tl::unexpected(object.error());
  const Result<std::uint64_t> number = number_of(*object, name);
  if (!number) return tl::unexpected(number.error());
  JournalRecord out;
  out.kind = kind;
  out.number = *number;
  return out;
}

Result<JournalRecord> parse_finalizer(std::string_view line) {
  const Result<json> object = read_object(line, {"finalizer"}, {});
  if (!object) return tl::unexpected(object.error());
  Result<std::string> name = text_of(*object, "finalizer", is_finalizer, "the name of a finalizer");
  if (!name) return tl::unexpected(name.error());
  JournalRecord out;
  out.kind = JournalRecord::Kind::finalizer;
  out.finalizer = std::move(*name);
  return out;
}

}  // namespace

std::string difference(const ClusterIdentity& journal, const ClusterIdentity& target) {
  if (!journal.uid.empty() && !target.uid.empty() && journal.uid != target.uid) {
    return "its namespace kube-system has the UID " + target.uid + ", and that of the journal's cluster has " +
           journal.uid;
  }
  if (journal.authority != target.authority) {
    return "its certificate is checked by other authorities than that of the journal's cluster at " + journal.server;
  }
  const bool known = !journal.uid.empty() && !target.uid.empty();
  if (!known && journal.server != target.server) {
    return "the UID of the namespace kube-system is not known, and the journal's cluster is at " + journal.server;
  }
  return {};
}

bool is_run_id(std::string_view text) {
  return !text.empty() && text.size() <= 32 && is_printable(text) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }) &&
         is_alphanumeric(text.front()) && is_alphanumeric(text.back());
}

bool is_uid(std::string_view text) {
  return !text.empty() && text.size() <= 128 && consists_of(text, "-._:");
}

bool is_finalizer(std::string_view text) {
  return !text.empty() && text.size() <= 317 && consists_of(text, "-._/") && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::count(text.begin(), text.end(), '/') < 2;
}

std::string to_line(const JournalHeader& header) {
  const json line = {{"nodebound-journal", format},
                     {"run", header.run},
                     {"cluster",
                      {{"kube-system", header.cluster.uid},
                       {"authority", header.cluster.authority},
                       {"server", header.cluster.server}}}};
  return line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

std::string to_line(const JournalRecord& record) {
  json line;
  switch (record.kind) {
    case JournalRecord::Kind::asked:
      line = {{"asked", record.number}, {"path", record.path}};
      if (record.manner == Manner::upsert) line["manner"] = "upsert";
      if (!record.marked) line["unmarked"] = true;
      break;
    case JournalRecord::Kind::made:
      line = {{"made", record.number}, {"uid", record.uid}};
      if (!record.path.empty()) line["path"] = record.path;
      break;
    case JournalRecord::Kind::not_made:
      line = {{"not-made", record.number}};
      break;
    case JournalRecord::Kind::gone:
      line = {{"gone", record.number}};
      break;
    case JournalRecord::Kind::finalizer:
      line = {{"finalizer", record.finalizer}};
      break;
  }
  return line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

Result<JournalHeader> parse_header(std::string_view line) {
  const Result<json> object = read_object(line, {"nodebound-journal", "run", "cluster"}, {});
  if (!object) return tl::unexpected(object.error());
  if ((*object)["nodebound-journal"] != format) return bad_line("expected a journal of format 1");
  Result<std::string> run = text_of(*object, "run", is_run_id, "the id of a run");
  if (!run) return tl::unexpected(run.error());
  const Result<json> cluster = read_object((*object)["cluster"].dump(), {"kube-system", "authority", "server"}, {});
  if (!cluster) return tl::unexpected(cluster.error());
  const auto is_uid_or_empty = [](std::string_view text) { return text.empty() || is_uid(text); };
  Result<std::string> uid = text_of(*cluster, "kube-system", is_uid_or_empty, "a UID");
  Result<std::string> authority = text_of(*cluster, "authority", is_hexadecimal, "a fingerprint");
  Result<std::string> server = text_of(*cluster, "server", is_printable, "a URL");
  for (const auto* each : {&uid, &authority, &server}) {
    if (!*each) return tl::unexpected(each->error());
  }
  return JournalHeader{std::move(*run), {std::move(*uid), std::move(*authority), std::move(*server)}};
}

Result<JournalRecord> parse_record(std::string_view line) {
  // The members are sorted, and which of them exist determines the kind of record.
  if (line.starts_with("{\"asked\"")) return parse_asked(line);
  if (line.starts_with("{\"made\"")) return parse_made(line);
  if (line.starts_with("{\"not-made\"")) return parse_ended(line, JournalRecord::Kind::not_made, "not-made");
  if (line.starts_with("{\"gone\"")) return parse_ended(line, JournalRecord::Kind::gone, "gone");
  if (line.starts_with("{\"finalizer\"")) return parse_finalizer(line);
  return bad_line("expected a line that tells what was asked for, made, not made or gone");
}

}  // namespace nodebound::journal
