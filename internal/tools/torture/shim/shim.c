// A layer between SQLite and the system, loaded by LD_PRELOAD: it ends the process, or
// fails a call, at the k-th write or sync. It is steered through a file in memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { OFF, KILL, TORN, EIO_ONCE, ENOSPC_ON, EIO_ON };

static volatile int *ctl; // mode, k, calls seen, calls hit

__attribute__((constructor)) static void start(void) {
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

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

#define WRITE(name, offset) \
	ssize_t name(int fd, const void *buf, size_t n, offset at) { \
		switch (fails(1)) { \
		case 1: return -1; \
		case 2: NEXT(name)(fd, buf, n / 2, at); end(); \
		} \
		return NEXT(name)(fd, buf, n, at); \
	}
WRITE(pwrite64, off64_t)
WRITE(pwrite, off_t)

int fsync(int fd) { return fails(0) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return fails(0) ? -1 : NEXT(fdatasync)(fd); }
int ftruncate64(int fd, off64_t n) { return fails(0) ? -1 : NEXT(ftruncate64)(fd, n); }
int ftruncate(int fd, off_t n) { return fails(0) ? -1 : NEXT(ftruncate)(fd, n); }
