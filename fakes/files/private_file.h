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

/// A folder of what is nobody else's business: keys, kubeconfigs, a database with Secrets in it. It is this user's, and
/// nobody else may write in it; so are the files that are taken from it, none of which is a link. It is held open:
/// another folder that is put in its place is not used.
class PrivateFolder {
 public:
  /// Where there is none, one is made that only this user may read. `where` is what errors begin with.
  static Result<PrivateFolder> open(const std::string& where, const std::filesystem::path& path);

  /// Without links in it.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// What a file says; nothing where there is no such file.
  [[nodiscard]] Result<std::optional<std::string>> read(const std::string& name) const;

  /// Puts a file that only this user may read in the place of what has this name.
  [[nodiscard]] Result<void> write(const std::string& name, std::string_view text) const;

  /// Has a file that another program will open be one that only this user may read; where there is none, it is made if
  /// `make` says so.
  [[nodiscard]] Result<void> keep_private(const std::string& name, bool make) const;

 private:
  PrivateFolder(std::string where, std::filesystem::path path, Descriptor folder)
      : where_(std::move(where)), path_(std::move(path)), folder_(std::move(folder)) {}

  [[nodiscard]] Result<void> failed(const std::string& name, const std::string& why) const;

  std::string where_;
  std::filesystem::path path_;
  Descriptor folder_;
};

/// A file to append to, which only this user may read from then on. What is no regular file is opened as it is; a link
/// is not followed.
Result<Descriptor> open_to_append(const std::string& where, const std::filesystem::path& path);

/// All of it, or false with errno set.
bool write_all(int descriptor, std::string_view text);

}  // namespace nodebound
