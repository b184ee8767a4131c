#include "harness/certify/bundle.h"

#include "harness/objects/input_file.h"
#include "reports/files.h"

namespace nodebound::certify {
namespace {

constexpr std::size_t most_of_statement = std::size_t{64} << 20U;
constexpr std::size_t most_of_record = std::size_t{512} << 20U;

Result<std::string> read_part(const std::filesystem::path& folder, const char* name, std::size_t most) {
  auto bytes = bytes_of_file(folder / name, most);
  if (bytes) return std::move(*bytes);
  std::error_code unknown;
  const std::filesystem::path inside = folder / "bundle";
  return input_error((folder / name).string(), "cannot be read: " + bytes.error(),
                     std::filesystem::exists(inside / bundle_file::sigstore, unknown)
                         ? "the bundle is " + inside.string()
                         : "a bundle is the folder `bundle` that `nodebound certify` writes, whole");
}

}  // namespace

Result<void> write_bundle(const std::filesystem::path& folder, const Bundle& bundle) {
  const std::pair<const char*, std::string> files[] = {
      {bundle_file::record, bundle.record},
      {bundle_file::report, bundle.report},
      {bundle_file::key, bundle.public_key},
      {bundle_file::sigstore, to_sigstore_bundle(bundle.envelope)},
      {bundle_file::envelope, to_dsse_json(bundle.envelope)},
  };
  for (const auto& [name, bytes] : files) {
    if (Result<void> written = write_file(folder / name, bytes); !written) return written;
  }
  if (!bundle.deviations.empty()) return write_file(folder / bundle_file::deviations, bundle.deviations);
  // One of an earlier certificate would be taken for this one's.
  std::error_code ignored;
  std::filesystem::remove(folder / bundle_file::deviations, ignored);
  return {};
}

Result<Bundle> read_bundle(const std::filesystem::path& folder) {
  Bundle out;
  const std::string name = (folder / bundle_file::sigstore).string();
  const Result<std::string> sigstore = read_part(folder, bundle_file::sigstore, most_of_statement);
  if (!sigstore) return tl::unexpected<Error>(sigstore.error());
  Result<Envelope> read = read_envelope(*sigstore, name);
  if (!read) return tl::unexpected<Error>(read.error());
  out.envelope = std::move(*read);
  // Who has the statement signed by cosign puts its bundle in the place of ours. It is written in another form, and has
  // no envelope beside it.
  std::error_code unknown;
  if (std::filesystem::exists(folder / bundle_file::envelope, unknown)) {
    const Result<std::string> envelope = read_part(folder, bundle_file::envelope, most_of_statement);
    if (!envelope) return tl::unexpected<Error>(envelope.error());
    if (*envelope != to_dsse_json(out.envelope) || *sigstore != to_sigstore_bundle(out.envelope)) {
      return input_error((folder / bundle_file::envelope).string(), "is not the same envelope as " + name,
                         "one of them was changed; where cosign signs, its bundle takes the place of both");
    }
  }
  Result<std::string> report = read_part(folder, bundle_file::report, input_limit::objects);
  if (!report) return tl::unexpected<Error>(report.error());
  out.report = std::move(*report);
  Result<std::string> record = read_part(folder, bundle_file::record, most_of_record);
  if (!record) return tl::unexpected<Error>(record.error());
  out.record = std::move(*record);
  if (std::filesystem::exists(folder / bundle_file::deviations, unknown)) {
    Result<std::string> deviations = read_part(folder, bundle_file::deviations, input_limit::credentials);
    if (!deviations) return tl::unexpected<Error>(deviations.error());
    out.deviations = std::move(*deviations);
  }
  Result<std::string> key = read_part(folder, bundle_file::key, input_limit::credentials);
  if (!key) return tl::unexpected<Error>(key.error());
  out.public_key = std::move(*key);
  return out;
}

}  // namespace nodebound::certify
