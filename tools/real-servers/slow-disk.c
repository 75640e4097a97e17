/* Preloaded into a server: a disk that takes its time. LATCHSCOPE_UNLINK_MS names a file that says how long deleting a binary log
   takes, so that it can change meanwhile; LATCHSCOPE_PAGE_READ_US says how much longer each read of 16 KiB or more takes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

enum { PAGE_BYTES = 16384 };

static long fromEnvironment(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : atol(text);
}

static long fromFileOf(const char *name) {
  const char *path = getenv(name);
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  long value = 0;
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &value) != 1) value = 0;
  fclose(file);
  return value;
}

static void wait_us(long us) {
  struct timespec span = {us / 1000000, us % 1000000 * 1000};
  if (us > 0) nanosleep(&span, NULL);
}

static void waitAsPageRead(size_t bytes) {
  static long us = -1;
  if (us < 0) us = fromEnvironment("LATCHSCOPE_PAGE_READ_US");
  if (bytes >= PAGE_BYTES) wait_us(us);
}

int unlink(const char *path) {
  static int (*next)(const char *);
  if (next == NULL) next = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  if (strstr(path, "binlog.0") != NULL) wait_us(1000 * fromFileOf("LATCHSCOPE_UNLINK_MS"));
  return next(path);
}

ssize_t pread(int file, void *buffer, size_t bytes, off_t offset) {
  static ssize_t (*next)(int, void *, size_t, off_t);
  if (next == NULL) next = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  waitAsPageRead(bytes);
  return next(file, buffer, bytes, offset);
}

ssize_t pread64(int file, void *buffer, size_t bytes, off64_t offset) {
  static ssize_t (*next)(int, void *, size_t, off64_t);
  if (next == NULL) next = (ssize_t(*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
  waitAsPageRead(bytes);
  return next(file, buffer, bytes, offset);
}
