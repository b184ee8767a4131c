// A machine that can lose its power, fill its disk and set its clock, for one process: preloaded (LD_PRELOAD) under
// `nodebound serve`.
//
// Every write, truncation, removal, renaming and sync of a file below $MACHINE_FOLDER goes to the log $MACHINE_LOG, each record before
// it is done, or for a sync after: whoever reads the log of a process that was killed knows which bytes were synced, and so
// what a disk would still have had after a power failure. A record is a head, the file's name, and the bytes.
//
// $MACHINE_CONTROL is a file of three int64 that both sides have mapped: how many nanoseconds the wall clock is off; by how
// many bytes files may still grow (less than nothing: without bound); how many microseconds a sync takes. What no longer fits
// is cut short, or fails with ENOSPC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
  volatile int64_t clock;
  volatile int64_t room;
  volatile int64_t sync;
};

struct head {
  uint8_t kind;  // W, T, U, R (with the new name as bytes), S
  uint8_t name_size;
  uint16_t zero;
  uint32_t size;
  uint64_t offset;
};

static struct control none = {0, -1, 0};
static struct control* control = &none;
static char folder[PATH_MAX];
static int log_fd = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char* path = getenv("MACHINE_CONTROL");
  int fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (fd >= 0) {
    void* mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) control = mapped;
    close(fd);
  }
  path = getenv("MACHINE_LOG");
  if (path != NULL) log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  path = getenv("MACHINE_FOLDER");
  if (path == NULL || realpath(path, folder) == NULL) folder[0] = '\0';
}

// The name of a path in the folder, or NULL.
static const char* inside(const char* path) {
  size_t size = strlen(folder);
  if (size == 0 || strncmp(path, folder, size) != 0 || path[size] != '/') return NULL;
  const char* name = path + size + 1;
  return strlen(name) > 255 || strchr(name, '/') != NULL ? NULL : name;
}

// The name of the regular file in the folder that is open there, or NULL.
static const char* name_of(int fd, char* path) {
  struct stat about;
  if (log_fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, PATH_MAX - 1);
  if (size <= 0) return NULL;
  path[size] = '\0';
  return inside(path);
}

static void record(char kind, const char* name, uint64_t offset, const void* data, size_t size) {
  struct head head = {(uint8_t)kind, (uint8_t)strlen(name), 0, (uint32_t)size, offset};
  struct iovec parts[3] = {{&head, sizeof head}, {(void*)name, strlen(name)}, {(void*)data, size}};
  if (writev(log_fd, parts, 3) != (ssize_t)(sizeof head + strlen(name) + size)) {
    static const char said[] = "machine: the log cannot be written\n";
    syscall(SYS_write, 2, said, sizeof said - 1);
    _exit(99);
  }
}

// How many of so many bytes there is room for.
static size_t fitting(int fd, uint64_t offset, size_t size) {
  struct stat about;
  if (control->room < 0 || fstat(fd, &about) != 0) return size;
  uint64_t end = (uint64_t)about.st_size;
  if (offset + size <= end) return size;
  uint64_t grows = offset + size - (offset > end ? offset : end);
  uint64_t room = (uint64_t)control->room;
  uint64_t granted = grows < room ? grows : room;
  control->room = (int64_t)(room - granted);
  return size - (size_t)(grows - granted);
}

static ssize_t put(int fd, const char* name, const void* data, size_t size, uint64_t offset) {
  static ssize_t (*real)(int, const void*, size_t, off64_t);
  if (real == NULL) real = REAL(pwrite64);
  pthread_mutex_lock(&mutex);
  ssize_t done = -1;
  size_t fits = fitting(fd, offset, size);
  if (fits == 0 && size != 0) {
    errno = ENOSPC;
  } else {
    record('W', name, offset, data, fits);
    done = real(fd, data, fits, (off64_t)offset);
  }
  pthread_mutex_unlock(&mutex);
  return done;
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  static ssize_t (*real)(int, const void*, size_t, off64_t);
  if (real == NULL) real = REAL(pwrite64);
  char path[PATH_MAX];
  const char* name = name_of(fd, path);
  return name == NULL ? real(fd, data, size, offset) : put(fd, name, data, size, (uint64_t)offset);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

ssize_t write(int fd, const void* data, size_t size) {
  char path[PATH_MAX];
  const char* name = name_of(fd, path);
  if (name == NULL) return syscall(SYS_write, fd, data, size);
  off64_t at = (fcntl(fd, F_GETFL) & O_APPEND) != 0 ? lseek64(fd, 0, SEEK_END) : lseek64(fd, 0, SEEK_CUR);
  ssize_t done = put(fd, name, data, size, (uint64_t)at);
  if (done > 0) lseek64(fd, at + done, SEEK_SET);
  return done;
}

int ftruncate64(int fd, off64_t size) {
  static int (*real)(int, off64_t);
  if (real == NULL) real = REAL(ftruncate64);
  char path[PATH_MAX];
  const char* name = name_of(fd, path);
  if (name == NULL) return real(fd, size);
  pthread_mutex_lock(&mutex);
  record('T', name, (uint64_t)size, "", 0);
  int done = real(fd, size);
  pthread_mutex_unlock(&mutex);
  return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int unlink(const char* path) {
  static int (*real)(const char*);
  if (real == NULL) real = REAL(unlink);
  const char* name = log_fd < 0 ? NULL : inside(path);
  if (name == NULL) return real(path);
  pthread_mutex_lock(&mutex);
  record('U', name, 0, "", 0);
  int done = real(path);
  pthread_mutex_unlock(&mutex);
  return done;
}

// The name of a path that begins at an open folder, or NULL.
static const char* name_at(int at, const char* path, char* full) {
  if (log_fd < 0) return NULL;
  if (path[0] == '/' || at == AT_FDCWD) return inside(path);
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", at);
  ssize_t size = readlink(link, full, PATH_MAX - 1);
  if (size <= 0 || (size_t)size + strlen(path) + 2 > PATH_MAX) return NULL;
  full[size] = '/';
  strcpy(full + size + 1, path);
  return inside(full);
}

int renameat(int from_at, const char* from, int to_at, const char* to) {
  static int (*real)(int, const char*, int, const char*);
  if (real == NULL) real = REAL(renameat);
  char from_path[PATH_MAX], to_path[PATH_MAX];
  const char* old = name_at(from_at, from, from_path);
  const char* new = name_at(to_at, to, to_path);
  if (old == NULL || new == NULL) return real(from_at, from, to_at, to);
  pthread_mutex_lock(&mutex);
  record('R', old, 0, new, strlen(new));
  int done = real(from_at, from, to_at, to);
  pthread_mutex_unlock(&mutex);
  return done;
}

// The disk is what the log says, so the real one need not be waited for.
static int synced(int fd, int (*real)(int)) {
  char path[PATH_MAX];
  const char* name = name_of(fd, path);
  if (name == NULL) return real(fd);
  if (control->sync > 0) usleep((useconds_t)control->sync);
  pthread_mutex_lock(&mutex);
  record('S', name, 0, "", 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

int clock_gettime(clockid_t id, struct timespec* out) {
  static int (*real)(clockid_t, struct timespec*);
  if (real == NULL) real = REAL(clock_gettime);
  int done = real(id, out);
  if (done == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
    int64_t off = control->clock;
    int64_t nanoseconds = out->tv_nsec + off % 1000000000;
    out->tv_sec += off / 1000000000;
    if (nanoseconds < 0) nanoseconds += 1000000000, --out->tv_sec;
    if (nanoseconds >= 1000000000) nanoseconds -= 1000000000, ++out->tv_sec;
    out->tv_nsec = nanoseconds;
  }
  return done;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
