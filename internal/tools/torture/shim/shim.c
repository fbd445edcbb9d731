// A layer between SQLite and the system, loaded by LD_PRELOAD: it ends the process, or
// fails a call, at the k-th write or sync. It is steered through a file in memory. It can
// also write down every write, truncation and sync in its order, for a power cut on paper.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { OFF, KILL, TORN, EIO_ONCE, ENOSPC_ON, EIO_ON };

static volatile int *ctl; // mode, k, calls seen, calls hit
static int book = -1;     // where calls are written down
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
	const char *log = getenv("TORTURE_LOG");
	if (log) book = open(log, O_WRONLY | O_APPEND | O_CREAT, 0600);
	const char *path = getenv("TORTURE_SHIM");
	int fd = path ? open(path, O_RDWR) : -1;
	if (fd < 0) return;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (page != MAP_FAILED) ctl = page;
}

static void end(void) {
	kill(getpid(), SIGKILL);
	for (;;) pause();
}

// fails tells whether this call fails, with errno set. With TORN it returns 2: the caller
// writes half, and then ends.
static int fails(int writes) {
	if (!ctl || ctl[0] == OFF) return 0;
	int n = __sync_add_and_fetch(&ctl[2], 1), mode = ctl[0], k = ctl[1];
	if (mode == ENOSPC_ON || mode == EIO_ON ? n < k : n != k) return 0;
	if (mode == ENOSPC_ON && !writes) return 0;
	__sync_add_and_fetch(&ctl[3], 1);
	if (mode == KILL || (mode == TORN && !writes)) end();
	if (mode == TORN) return 2;
	errno = mode == ENOSPC_ON ? ENOSPC : EIO;
	return 1;
}

// note writes down a call on a database: its kind, 0 for the database and 1 for its log,
// where, how much, and what was written.
static void note(char kind, int fd, int64_t at, const void *buf, int64_t n) {
	if (book < 0) return;
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof path - 1);
	if (len <= 0) return;
	path[len] = 0;
	const char *db = strstr(path, "steadier.db");
	if (!db || (db[11] && strcmp(db, "steadier.db-wal"))) return;
	struct { char kind, file, pad[6]; int64_t at, n; } head = {kind, db[11] != 0, {0}, at, n};
	pthread_mutex_lock(&turn);
	if (write(book, &head, sizeof head) != sizeof head || (buf && write(book, buf, n) != n)) abort();
	pthread_mutex_unlock(&turn);
}

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

#define WRITE(name, offset) \
	ssize_t name(int fd, const void *buf, size_t n, offset at) { \
		switch (fails(1)) { \
		case 1: return -1; \
		case 2: NEXT(name)(fd, buf, n / 2, at); end(); \
		} \
		note('w', fd, at, buf, n); \
		return NEXT(name)(fd, buf, n, at); \
	}
WRITE(pwrite64, off64_t)
WRITE(pwrite, off_t)

// A sync is written down once it is done: what was written while it ran is not part of it.
#define SYNC(name) \
	int name(int fd) { \
		if (fails(0)) return -1; \
		int done = NEXT(name)(fd); \
		note('s', fd, 0, NULL, 0); \
		return done; \
	}
SYNC(fsync)
SYNC(fdatasync)

#define CUT(name, offset) \
	int name(int fd, offset n) { \
		if (fails(0)) return -1; \
		note('t', fd, n, NULL, 0); \
		return NEXT(name)(fd, n); \
	}
CUT(ftruncate64, off64_t)
CUT(ftruncate, off_t)
