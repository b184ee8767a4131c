#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/result.h"

namespace nodebound {

/// A file descriptor with an owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// A folder for private files: keys, kubeconfigs, a database with Secrets. The folder and the files read from it belong
/// to this user, nobody else may write them, and no file is a link. The folder is held open, so another folder put in
/// its place is not used.
class PrivateFolder {
 public:
  /// Makes the folder if it does not exist; only this user may read it. `where` begins the errors.
  static Result<PrivateFolder> open(const std::string& where, const std::filesystem::path& path);

  /// The path without links.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The text of a file; nothing if there is no such file.
  [[nodiscard]] Result<std::optional<std::string>> read(const std::string& name) const;

  /// Writes a file that only this user may read, replacing whatever has this name.
  [[nodiscard]] Result<void> write(const std::string& name, std::string_view text) const;

  /// Makes sure that only this user may read a file that another program will open. Creates a missing file if `make` is
  /// set.
  [[nodiscard]] Result<void> keep_private(const std::string& name, bool make) const;

 private:
  PrivateFolder(std::string where, std::filesystem::path path, Descriptor folder)
      : where_(std::move(where)), path_(std::move(path)), folder_(std::move(folder)) {}

  [[nodiscard]] Result<void> failed(const std::string& name, const std::string& why) const;

  std::string where_;
  std::filesystem::path path_;
  Descriptor folder_;
};

/// Opens a file to append to; from then on only this user may read it. Anything but a regular file is opened with its
/// mode unchanged; links are not followed.
Result<Descriptor> open_to_append(const std::string& where, const std::filesystem::path& path);

/// Writes all of the text, or returns false with errno set.
bool write_all(int descriptor, std::string_view text);

}  // namespace nodebound
