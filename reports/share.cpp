#include "reports/share.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/text.h"

namespace nodebound {
namespace {

// The same in every process and build, so that the shares of several machines fit together.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

constexpr std::size_t most_named_shares = 10;

}  // namespace

bool Share::takes(std::string_view name) const {
  return is_all() || stable_hash(name) % of == index - 1;
}

std::string to_text(const Share& share) {
  return std::to_string(share.index) + "/" + std::to_string(share.of);
}

Result<void> make_one_whole(const std::vector<ShareInFile>& shares) {
  std::map<std::size_t, const ShareInFile*> by_index;
  for (const ShareInFile& each : shares) {
    const ShareInFile& first = shares.front();
    if (each.report.of != first.report.of) {
      return input_error(
          each.file,
          "is share " + to_text(each.report) + ", but " + printable(first.file) + " is share " + to_text(first.report),
          "give the reports of one division into shares");
    }
    const auto [known, added] = by_index.emplace(each.report.index, &each);
    if (!added) {
      return input_error(each.file,
                         "is share " + to_text(each.report) + ", as " + printable(known->second->file) + " is",
                         "give each share once");
    }
  }
  std::vector<std::string> missing;
  const std::size_t all = shares.empty() ? 0 : shares.front().report.of;
  for (std::size_t i = 1; i <= all && missing.size() < most_named_shares; ++i) {
    if (!by_index.contains(i)) missing.push_back(to_text({i, all}));
  }
  if (missing.empty()) return {};
  return input_error("report merge", "shares are missing: " + comma_separated(missing),
                     "run them with --shard, and give all reports");
}

Result<void> asked_alike(const ReportInFile<std::string>& first, const ReportInFile<std::string>& other) {
  if (first.report == other.report) return {};
  const nlohmann::json one = nlohmann::json::parse(first.report, nullptr, false);
  const nlohmann::json two = nlohmann::json::parse(other.report, nullptr, false);
  std::string differs = "something";
  for (const auto& member : one.items()) {
    if (!two.contains(member.key()) || two[member.key()] != member.value()) differs = "`" + member.key() + "`";
  }
  return input_error(other.file, "has other " + differs + " than " + printable(first.file),
                     "run all shares with the same program, arguments and input");
}

}  // namespace nodebound
