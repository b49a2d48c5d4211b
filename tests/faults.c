/* Lets the n-th call of a kind fail, of those that are about files below a directory.

   FAULTS_STATE  a file of counters, one for each kind, shared by all processes of a command
   FAULTS_LOG    a file that gets a line for each call that is counted
   FAULTS_ROOT   the directory; "out" and "err" in it are the standard streams
   FAULTS_KIND, FAULTS_FIRST, FAULTS_LAST, FAULTS_ERROR  which calls fail, and with what errno

   Source files, byte code and libraries are left out. Without FAULTS_STATE nothing is counted. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FLAG_CREATE 0100        /* O_CREAT */
#define FLAG_TEMPORARY 020000000 /* __O_TMPFILE */
#define FLAG_WRITES 03          /* O_WRONLY | O_RDWR */
#define HERE (-100)             /* AT_FDCWD */
#define LONGEST 4096

enum { OPEN, WRITE, RENAME, FSYNC, MMAP, READ, MKDIR, OUT, ERR, KINDS };
static const char *const NAMES[KINDS] = {"open", "write", "rename", "fsync", "mmap",
                                         "read", "mkdir", "out", "err"};
static long *counts;
static int kind_to_fail, error_to_give, log_file = -1;
static long first, last;
static char root[LONGEST];

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* Read the environment; a process that is forked calls this with an environment of its own. */
__attribute__((constructor)) void faults_begin(void) {
    const char *state = getenv("FAULTS_STATE"), *log = getenv("FAULTS_LOG"),
               *kind = getenv("FAULTS_KIND"), *below = getenv("FAULTS_ROOT");
    if (!state || !log || !below) return;
    int file = syscall(SYS_openat, HERE, state, 02 | 02000000, 0);
    if (file < 0) return;
    void *map = (void *)syscall(SYS_mmap, 0, KINDS * sizeof(long), PROT_READ | PROT_WRITE,
                                MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (map == MAP_FAILED) return;
    log_file = syscall(SYS_openat, HERE, log, 01 | 02000 | 02000000, 0); /* to append to */
    if (log_file >= 0) { /* a number that no program counts on */
        int high = syscall(SYS_fcntl, log_file, 1030, 900); /* F_DUPFD_CLOEXEC */
        if (high >= 0) { syscall(SYS_close, log_file); log_file = high; }
    }
    snprintf(root, sizeof root, "%s", below);
    kind_to_fail = -1;
    for (int i = 0; kind && i < KINDS; i++)
        if (!strcmp(kind, NAMES[i])) kind_to_fail = i;
    first = number("FAULTS_FIRST");
    last = number("FAULTS_LAST");
    error_to_give = number("FAULTS_ERROR");
    counts = map;
}

static int ends(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static int counted(int kind, const char *path, const char *how) {
    size_t length = strlen(root);
    if (strncmp(path, root, length) || path[length] != '/') return 0;
    const char *rest = path + length + 1;
    if (ends(rest, ".py") || ends(rest, ".pyc") || ends(rest, ".so")) return 0;
    if (!strcmp(rest, "out") || !strcmp(rest, "err")) {
        if (kind != WRITE) return 0;
        kind = rest[0] == 'o' ? OUT : ERR;
    }
    long n = __atomic_add_fetch(&counts[kind], 1, __ATOMIC_SEQ_CST);
    int fails = kind == kind_to_fail && n >= first && n <= last;
    char line[LONGEST + 64];
    int size = snprintf(line, sizeof line, "%s\t%s\t%ld\t%s\t%s\n", fails ? "failed" : "passed",
                        NAMES[kind], n, how, rest);
    syscall(SYS_write, log_file, line, size);
    if (fails) errno = error_to_give;
    return fails;
}

static int name_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long size = syscall(SYS_readlink, link, path, LONGEST - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return path[0] == '/';
}

static int fails_by_file(int kind, int file) {
    if (!counts || file < 0) return 0;
    int before = errno, fails;
    char path[LONGEST];
    fails = name_of(file, path) && counted(kind, path, "-");
    if (!fails) errno = before;
    return fails;
}

static int fails_by_name(int kind, int directory, const char *name, const char *how) {
    if (!counts || !name) return 0;
    int before = errno, fails = 0;
    char path[2 * LONGEST + 1];
    size_t length = 0;
    path[0] = 0;
    if (name[0] != '/') {
        if (directory == HERE) {
            if (syscall(SYS_getcwd, path, LONGEST) < 0) path[0] = 0;
        } else if (!name_of(directory, path)) {
            path[0] = 0;
        }
        length = strlen(path);
        path[length++] = '/';
    }
    snprintf(path + length, LONGEST, "%s", name);
    fails = counted(kind, path, how);
    if (!fails) errno = before;
    return fails;
}

static const char *way(int flags) {
    return flags & 0200000 ? "directory" : flags & FLAG_WRITES || flags & FLAG_CREATE ? "w" : "r";
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

#define OPENS(name)                                                                      \
    int name(const char *path, int flags, ...) {                                         \
        static int (*real)(const char *, int, ...);                                      \
        unsigned mode = 0;                                                               \
        if (flags & (FLAG_CREATE | FLAG_TEMPORARY)) {                                    \
            va_list rest;                                                                \
            va_start(rest, flags);                                                       \
            mode = va_arg(rest, unsigned);                                               \
            va_end(rest);                                                                \
        }                                                                                \
        if (fails_by_name(OPEN, HERE, path, way(flags))) return -1;                      \
        if (!real) real = next(#name);                                                   \
        return real(path, flags, mode);                                                  \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                   \
    int name(int directory, const char *path, int flags, ...) {                          \
        static int (*real)(int, const char *, int, ...);                                 \
        unsigned mode = 0;                                                               \
        if (flags & (FLAG_CREATE | FLAG_TEMPORARY)) {                                    \
            va_list rest;                                                                \
            va_start(rest, flags);                                                       \
            mode = va_arg(rest, unsigned);                                               \
            va_end(rest);                                                                \
        }                                                                                \
        if (fails_by_name(OPEN, directory, path, way(flags))) return -1;                 \
        if (!real) real = next(#name);                                                   \
        return real(directory, path, flags, mode);                                       \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* What a compiler that checks sizes calls instead. */
#define OPENS_CHECKED(name, plain)                                                       \
    int name(const char *path, int flags) { return plain(path, flags); }
OPENS_CHECKED(__open_2, open)
OPENS_CHECKED(__open64_2, open64)
int __openat_2(int directory, const char *path, int flags) {
    return openat(directory, path, flags);
}
int __openat64_2(int directory, const char *path, int flags) {
    return openat64(directory, path, flags);
}

#define OPENS_STREAM(name)                                                               \
    FILE *name(const char *path, const char *mode) {                                     \
        static FILE *(*real)(const char *, const char *);                                \
        if (fails_by_name(OPEN, HERE, path, mode[0] == 'r' && !strchr(mode, '+') ? "r" : "w")) \
            return NULL;                                                                 \
        if (!real) real = next(#name);                                                   \
        return real(path, mode);                                                         \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

#define BY_FILE(kind, type, failure, name, parameters, arguments)                        \
    type name parameters {                                                               \
        static type (*real) parameters;                                                  \
        if (fails_by_file(kind, file)) return failure;                                   \
        if (!real) real = next(#name);                                                   \
        return real arguments;                                                           \
    }
BY_FILE(WRITE, ssize_t, -1, write, (int file, const void *from, size_t n), (file, from, n))
BY_FILE(WRITE, ssize_t, -1, pwrite, (int file, const void *from, size_t n, off_t at),
        (file, from, n, at))
BY_FILE(WRITE, ssize_t, -1, pwrite64, (int file, const void *from, size_t n, off64_t at),
        (file, from, n, at))
BY_FILE(WRITE, ssize_t, -1, writev, (int file, const struct iovec *from, int n), (file, from, n))
BY_FILE(READ, ssize_t, -1, read, (int file, void *to, size_t n), (file, to, n))
BY_FILE(READ, ssize_t, -1, pread, (int file, void *to, size_t n, off_t at), (file, to, n, at))
BY_FILE(READ, ssize_t, -1, pread64, (int file, void *to, size_t n, off64_t at), (file, to, n, at))
BY_FILE(FSYNC, int, -1, fsync, (int file), (file))
BY_FILE(FSYNC, int, -1, fdatasync, (int file), (file))
BY_FILE(MMAP, void *, MAP_FAILED, mmap,
        (void *where, size_t n, int may, int flags, int file, off_t at),
        (where, n, may, flags, file, at))
BY_FILE(MMAP, void *, MAP_FAILED, mmap64,
        (void *where, size_t n, int may, int flags, int file, off64_t at),
        (where, n, may, flags, file, at))

size_t fwrite(const void *from, size_t size, size_t n, FILE *stream) {
    static size_t (*real)(const void *, size_t, size_t, FILE *);
    if (fails_by_file(WRITE, fileno(stream))) return 0;
    if (!real) real = next("fwrite");
    return real(from, size, n, stream);
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (fails_by_name(RENAME, HERE, to, "-")) return -1;
    if (!real) real = next("rename");
    return real(from, to);
}

int renameat(int from_directory, const char *from, int directory, const char *to) {
    static int (*real)(int, const char *, int, const char *);
    if (fails_by_name(RENAME, directory, to, "-")) return -1;
    if (!real) real = next("renameat");
    return real(from_directory, from, directory, to);
}

int mkdir(const char *path, mode_t mode) {
    static int (*real)(const char *, mode_t);
    if (fails_by_name(MKDIR, HERE, path, "-")) return -1;
    if (!real) real = next("mkdir");
    return real(path, mode);
}

int mkdirat(int directory, const char *path, mode_t mode) {
    static int (*real)(int, const char *, mode_t);
    if (fails_by_name(MKDIR, directory, path, "-")) return -1;
    if (!real) real = next("mkdirat");
    return real(directory, path, mode);
}
