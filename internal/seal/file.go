package seal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Load reads a ring from a file.
func Load(path string) (*Ring, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	ring, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read keys: %s: %w", path, err)
	}
	return ring, nil
}

// OpenOrCreate reads the ring at path, or makes one there if there is none, in a
// folder that only its owner can enter. The new file is written whole and synced
// before it gets its name: a key that sealed something is never lost to a power cut.
func OpenOrCreate(path string) (*Ring, error) {
	ring, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return ring, err
	}
	ring = NewRing()
	if err := Save(path, ring); err != nil {
		return nil, err
	}
	return ring, nil
}

// Save writes the ring to path, readable by its owner alone.
func Save(path string, ring *Ring) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make key folder: %w", err)
	}
	if err := replaceFile(dir, path, ring.Marshal()); err != nil {
		return fmt.Errorf("write keys: %w", err)
	}
	return nil
}

func replaceFile(dir, path string, text []byte) error {
	f, err := os.CreateTemp(dir, ".keys-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already once renamed
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
