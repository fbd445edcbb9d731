package outbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// LockName is the name of the lock file in the data folder.
const LockName = "outbox.lock"

// ErrLocked means that another process delivers already.
var ErrLocked = errors.New("another process is sending")

// FileLock keeps other processes from delivering. The system lets go of it when
// the process ends, however it ends.
type FileLock struct{ file *os.File }

// Lock takes the lock at path, or returns [ErrLocked] at once.
func Lock(path string) (*FileLock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open outbox lock: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return &FileLock{file}, nil
	}
	_ = file.Close() // it holds nothing
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrLocked
	}
	return nil, fmt.Errorf("lock outbox: %w", err)
}

// WaitLock takes the lock as soon as nobody else has it.
func WaitLock(ctx context.Context, path string) (*FileLock, error) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		lock, err := Lock(path)
		if !errors.Is(err, ErrLocked) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ticker.C:
		}
	}
}

// Unlock lets go of the lock. The file stays: taking it away would let two
// processes lock two files of one name.
func (l *FileLock) Unlock() error { return l.file.Close() }
