#pragma once

#include <filesystem>
#include <string>

#include "harness/certify/dsse.h"
#include "reference/result.h"

namespace nodebound::certify {

/// The files of a bundle, which is a folder: nothing in it is unpacked, and no other file of it is looked at.
namespace bundle_file {
inline constexpr const char* envelope = "statement.dsse.json";
inline constexpr const char* sigstore = "statement.sigstore.json";
inline constexpr const char* report = "report.json";
inline constexpr const char* record = "record.jsonl.gz";
inline constexpr const char* deviations = "deviations.toml";
inline constexpr const char* key = "key.pub";
}  // namespace bundle_file

/// A certificate: a signed statement, and all that it was drawn from.
struct Bundle {
  Envelope envelope;
  std::string report;           ///< report.json
  std::string record;           ///< compressed
  std::string public_key;       ///< of whom the bundle says it is signed by: a convenience, no proof
  std::string deviations = {};  ///< what the implementer declares; empty if nothing, and then there is no such file
};

Result<void> write_bundle(const std::filesystem::path& folder, const Bundle& bundle);

/// Reads a stranger's bundle: each file has a largest size, and must be a regular file.
Result<Bundle> read_bundle(const std::filesystem::path& folder);

}  // namespace nodebound::certify
