package mail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// CaptureKeep is how long a captured message stays (security.md §2).
const CaptureKeep = 24 * time.Hour

const captureStamp = "20060102T150405Z"

// Capture is the transport for trying the site out: every message becomes one
// .eml file in a folder, readable by any mail program, written whole, and erased
// after [CaptureKeep]. File names begin with the time in UTC.
type Capture struct {
	dir string
	now func() time.Time
}

// NewCapture returns a transport that writes into dir, which it makes if need be.
func NewCapture(dir string, now func() time.Time) (*Capture, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make mail folder: %w", err)
	}
	return &Capture{dir: dir, now: now}, nil
}

// Deliver implements [Transport]. A folder that cannot be written is like a server
// that cannot be reached.
func (c *Capture) Deliver(_ context.Context, _, _ string, raw []byte, inData func() error) Outcome {
	if err := inData(); err != nil {
		return Outcome{Verdict: NotTried, Phase: PhaseData}
	}
	if err := c.write(raw); err != nil {
		return Outcome{Verdict: Unreachable, Phase: PhaseData, Sentence: "The folder for captured mail cannot be written."}
	}
	return Outcome{Verdict: Taken, Phase: PhaseData, Code: 250}
}

// Idle implements [Transport].
func (c *Capture) Idle() {}

func (c *Capture) write(raw []byte) error {
	sum := sha256.Sum256(raw)
	name := c.now().UTC().Format(captureStamp) + "-" + hex.EncodeToString(sum[:6])
	f, err := os.CreateTemp(c.dir, ".writing-*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, name+".eml"))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Sweep erases messages older than [CaptureKeep], and what a crash left half
// written. It touches no file that the capture did not name.
func (c *Capture) Sweep() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return fmt.Errorf("read mail folder: %w", err)
	}
	var errs []error
	for _, entry := range entries {
		if !c.stale(entry) {
			continue
		}
		if err := os.Remove(filepath.Join(c.dir, entry.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("erase captured mail: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (c *Capture) stale(entry os.DirEntry) bool {
	name := entry.Name()
	if strings.HasPrefix(name, ".writing-") {
		info, err := entry.Info()
		return err == nil && c.now().Sub(info.ModTime()) > CaptureKeep
	}
	stamp, _, ok := strings.Cut(strings.TrimSuffix(name, ".eml"), "-")
	if !ok || !strings.HasSuffix(name, ".eml") {
		return false
	}
	at, err := time.Parse(captureStamp, stamp)
	return err == nil && c.now().Sub(at) > CaptureKeep
}
