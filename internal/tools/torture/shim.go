//go:build linux

package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unsafe"
)

//go:embed shim/shim.c
var shimSource []byte

// mode is what the shim does at its point; the numbers are those of shim/shim.c.
type mode int32

const (
	off      mode = iota
	killAt        // ends the process before the call
	tornAt        // ends it in the middle of a write
	failOnce      // EIO once
	fullFrom      // ENOSPC for every write from there on
	failFrom      // EIO for every write and sync from there on
)

func (m mode) String() string {
	return [...]string{"off", "SIGKILL", "SIGKILL in the middle of a write", "EIO once", "ENOSPC from there on", "EIO from there on"}[m]
}

// shim fails a chosen call of a process.
type shim struct {
	library, control string
	words            []byte // mapped: mode, k, seen, hit
}

// buildShim compiles the layer. Without a C compiler there is no program to torture
// either.
func buildShim(ctx context.Context, dir string) (*shim, error) {
	source, library, control := filepath.Join(dir, "shim.c"), filepath.Join(dir, "shim.so"), filepath.Join(dir, "shim.ctl")
	if err := errors.Join(os.WriteFile(source, shimSource, 0o600), os.WriteFile(control, make([]byte, 4096), 0o600)); err != nil {
		return nil, err
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if out, err := exec.CommandContext(ctx, cc, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build shim: %w: %s", err, out)
	}
	f, err := os.OpenFile(control, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	words, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &shim{library, control, words}, nil
}

func (s *shim) word(i int) *int32 { return (*int32)(unsafe.Pointer(&s.words[i*4])) }

func (s *shim) env() []string {
	return []string{"LD_PRELOAD=" + s.library, "TORTURE_SHIM=" + s.control}
}

// recording is what makes the shim write down every call in a file.
func (s *shim) recording(file string) []string {
	return []string{"LD_PRELOAD=" + s.library, "TORTURE_LOG=" + file}
}

// arm makes the k-th call from now on fail.
func (s *shim) arm(m mode, k int) {
	atomic.StoreInt32(s.word(0), int32(off))
	atomic.StoreInt32(s.word(1), int32(k))
	atomic.StoreInt32(s.word(2), 0)
	atomic.StoreInt32(s.word(3), 0)
	atomic.StoreInt32(s.word(0), int32(m))
}

// disarm ends it, and tells how many calls there were and how many failed.
func (s *shim) disarm() (seen, hit int) {
	atomic.StoreInt32(s.word(0), int32(off))
	return int(atomic.LoadInt32(s.word(2))), int(atomic.LoadInt32(s.word(3)))
}

func (s *shim) close() { _ = syscall.Munmap(s.words) }
