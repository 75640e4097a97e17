/*
 * Preloaded into a server to simulate a slow disk:
 *   LATCHSCOPE_UNLINK_MS      names a file with the milliseconds that deleting a binary log takes.
 *                             It is read on each deletion, so the time can change.
 *   LATCHSCOPE_PAGE_READ_US   adds microseconds to each read of 16 KiB or more.
 * Servers come with old C libraries, so this file uses only functions that those have.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 16384 };

static long numberIn(const char *text) {
  long value = 0;
  for (; text != NULL && *text >= '0' && *text <= '9'; ++text) value = 10 * value + (*text - '0');
  return value;
}

static long numberInFile(const char *path) {
  char text[32] = "";
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  if (file == NULL) return 0;
  if (fgets(text, sizeof text, file) == NULL) text[0] = '\0';
  fclose(file);
  return numberIn(text);
}

static void wait_us(long us) {
  struct timespec span = {us / 1000000, us % 1000000 * 1000};
  if (us > 0) nanosleep(&span, NULL);
}

static ssize_t slowRead(int file, void *buffer, size_t bytes, off_t offset) {
  static long us = -1;
  if (us < 0) us = numberIn(getenv("LATCHSCOPE_PAGE_READ_US"));
  if (bytes >= PAGE_BYTES) wait_us(us);
  return syscall(SYS_pread64, file, buffer, bytes, offset);
}

/* MariaDB also deletes the small file binlog.000001.idx, which is not a binary log. */
static int isBinaryLog(const char *path) {
  const char *name = strrchr(path, '/');
  name = name == NULL ? path : name + 1;
  if (strncmp(name, "binlog.", 7) != 0) return 0;
  return name[7] != '\0' && strspn(name + 7, "0123456789") == strlen(name + 7);
}

int unlink(const char *path) {
  if (isBinaryLog(path)) wait_us(1000 * numberInFile(getenv("LATCHSCOPE_UNLINK_MS")));
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

ssize_t pread(int file, void *buffer, size_t bytes, off_t offset) {
  return slowRead(file, buffer, bytes, offset);
}

ssize_t pread64(int file, void *buffer, size_t bytes, off_t offset) {
  return slowRead(file, buffer, bytes, offset);
}
