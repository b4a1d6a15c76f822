/* What a power cut leaves of a directory: each file as it was when it was last synced. Loaded into the service before its libc
   (LD_PRELOAD), this keeps such a copy of every file below WATCHED in the directory SURVIVING. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void keep(int fd, off_t length) {
    static atomic_int turn;
    const char *watched = getenv("WATCHED"), *surviving = getenv("SURVIVING");
    char link[64], path[PATH_MAX], draft[PATH_MAX], kept[PATH_MAX], bytes[1 << 16];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t end = readlink(link, path, sizeof path - 1);
    if (!watched || !surviving || end < 0) return;
    path[end] = 0;
    if (strncmp(path, watched, strlen(watched)) != 0) return;
    snprintf(kept, sizeof kept, "%s/%s", surviving, strrchr(path, '/') + 1);
    snprintf(draft, sizeof draft, "%s/.%d", surviving, atomic_fetch_add(&turn, 1));
    /* The descriptor may be for writing only. */
    int from = open(path, O_RDONLY | O_CLOEXEC), to = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    while (from >= 0 && to >= 0 && length > 0) {
        ssize_t count = read(from, bytes, length < (off_t)sizeof bytes ? (size_t)length : sizeof bytes);
        if (count <= 0 || write(to, bytes, (size_t)count) != count) break;
        length -= count;
    }
    if (to >= 0 && length == 0) rename(draft, kept);
    if (from >= 0) close(from);
    if (to >= 0) close(to);
}

static int synced(const char *name, int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct stat before;
    /* What is written while it is synced may be on disk or not: here it is not. */
    int is_file = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
    int failed = real(fd);
    if (!failed && is_file) keep(fd, before.st_size);
    return failed;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
