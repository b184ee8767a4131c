// Run while building: packs the files of a folder, as CBOR compressed with zstd, into C++ that defines
// nodebound::data::packed_NAME().

#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <zstd.h>

namespace {

namespace fs = std::filesystem;

/// The content of each file by its path in the folder, in the order of the paths.
nlohmann::json::object_t files_of(const fs::path& folder) {
  nlohmann::json::object_t out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    out.emplace(entry.path().lexically_relative(folder).generic_string(),
                nlohmann::json::binary(std::vector<std::uint8_t>(std::istreambuf_iterator<char>(in), {})));
    if (in.bad()) throw std::runtime_error("cannot read " + entry.path().string());
  }
  return out;
}

std::vector<std::uint8_t> compressed(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint8_t> out(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 19);
  if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

void write(const std::string& name, const fs::path& file, const std::vector<std::uint8_t>& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << "#include <string_view>\n\n"
         "namespace nodebound::data {\n\n"
         "std::string_view packed_"
      << name
      << "();\n\n"
         "static const unsigned char packed[] = {";
  for (const std::uint8_t byte : bytes) out << static_cast<unsigned>(byte) << ',';
  out << "};\n\n"
         "std::string_view packed_"
      << name
      << "() {\n"
         "  return {reinterpret_cast<const char*>(packed), sizeof packed};\n"
         "}\n\n"
         "}  // namespace nodebound::data\n";
  out.close();
  if (out.fail()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: pack_folder NAME FOLDER OUT\n";
    return 2;
  }
  try {
    write(argv[1], argv[3], compressed(nlohmann::json::to_cbor(nlohmann::json(files_of(argv[2])))));
  } catch (const std::exception& error) {
    std::cerr << "pack_folder: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
