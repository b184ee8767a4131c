/* WASI has no users. OpenSSL asks whether it runs with another one's rights: it does not. */
#pragma once

static inline unsigned getuid(void) {
  return 0;
}
static inline unsigned geteuid(void) {
  return 0;
}
static inline unsigned getgid(void) {
  return 0;
}
static inline unsigned getegid(void) {
  return 0;
}
