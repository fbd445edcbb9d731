package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

const keysHelp = `usage: steadier keys export FILE
       steadier keys import [-identity FILE] FILE
       steadier keys rotate

The keys that seal names, numbers and addresses. They are in no backup.

  export  writes them to FILE, encrypted like a backup, with the list of who was erased
          of late. Keep it apart from the backups: each is useless without the other
  import  puts them back where STEADIER_KEY_FILE or the data folder wants them. Other
          keys that are there are never replaced
  rotate  adds a key, which seals from the next start of steadier serve on; the older
          ones still open what they sealed. Export again afterwards
`

// keysFormat is the first line of an export; the keys and the list follow, parted by
// erasedMark.
const (
	keysFormat = "steadier-export-1\n"
	erasedMark = "erased\n"
)

// keysCommand works with the sealing keys.
func keysCommand(ctx context.Context, env Env, args []string) int {
	if len(args) == 0 || isHelp(args[0]) {
		fmt.Fprint(env.Stdout, keysHelp)
		return exitOK
	}
	verb, identity, path, err := readKeysLine(args)
	if err != nil {
		env.errorf("keys: %v", err)
		return exitUsage
	}
	c, err := readConfig(env.Getenv)
	if err == nil {
		switch verb {
		case "export":
			err = exportKeys(ctx, env, c, path)
		case "import":
			err = importKeys(env, c, identity, path)
		default:
			err = rotateKeys(env, c)
		}
	}
	if err != nil {
		env.errorf("keys: %v", err)
		return exitFault
	}
	return exitOK
}

func readKeysLine(args []string) (verb, identity, path string, err error) {
	flags := flag.NewFlagSet("keys", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	want := 1
	switch verb = args[0]; verb {
	case "import":
		flags.StringVar(&identity, "identity", "", "")
	case "rotate":
		want = 0
	case "export":
	default:
		return "", "", "", fmt.Errorf("there is no %q: run steadier keys -h", verb)
	}
	if err := flags.Parse(args[1:]); err != nil {
		return "", "", "", err
	}
	if flags.NArg() != want {
		return "", "", "", fmt.Errorf("%s wants %s: run steadier keys -h", verb, count(want, "file name"))
	}
	return verb, identity, flags.Arg(0), nil
}

func exportKeys(ctx context.Context, env Env, c config, path string) error {
	ring, err := ringOf(c)
	if err != nil {
		return err
	}
	erased, err := store.Erased(c.data, env.Now())
	if err != nil {
		return err
	}
	if err := store.MayReplace(path, encryptedFile); err != nil {
		return err
	}
	lock, err := env.lock(c)
	if err != nil {
		return err
	}
	err = store.WriteWhole(path, func(w io.Writer) error {
		inner, err := lock.Encrypt(w)
		if err != nil {
			return err
		}
		for _, part := range [][]byte{[]byte(keysFormat), ring.Marshal(), []byte(erasedMark), erased} {
			if _, err := inner.Write(part); err != nil {
				return err
			}
		}
		return inner.Close()
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	fmt.Fprintf(env.Stdout, "%s holds the sealing keys. Keep it apart from the backups.\n", path)
	return noteExport(ctx, env, c, ring)
}

// noteExport lets backup know that the keys are safe; without a database there is
// nobody to tell.
func noteExport(ctx context.Context, env Env, c config, ring *seal.Ring) error {
	if _, err := os.Stat(filepath.Join(c.data, store.FileName)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	db, err := store.Open(ctx, c.data, ring, newLogger(env.Stderr, c.log))
	if err != nil {
		return err
	}
	return errors.Join(db.KeysExported(ctx), db.Close())
}

func importKeys(env Env, c config, identity, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	key, err := env.key(identity)
	if err != nil {
		return err
	}
	plain, err := key.Decrypt(f)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	text, ok := bytes.CutPrefix(text, []byte(keysFormat))
	keys, erased, found := bytes.Cut(text, []byte(erasedMark))
	if !ok || !found {
		return fmt.Errorf("%s holds no exported keys", path)
	}
	ring, err := seal.Parse(keys)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	target, err := putKeys(c, ring)
	if err != nil {
		return err
	}
	if err := store.AddErased(c.data, env.Now(), erased); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "%s holds the sealing keys now.\n", target)
	return nil
}

// putKeys writes the keys to their place, unless others are there.
func putKeys(c config, ring *seal.Ring) (string, error) {
	target, _ := c.keyPath()
	there, err := seal.Load(target)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("%s cannot be read, and is not replaced: move it away first: %w", target, err)
	case bytes.Equal(there.Marshal(), ring.Marshal()):
		return target, os.MkdirAll(c.data, 0o700)
	default:
		return "", fmt.Errorf("%s holds other keys, and is not replaced: move it away first", target)
	}
	if err := errors.Join(os.MkdirAll(c.data, 0o700), os.MkdirAll(filepath.Dir(target), 0o700)); err != nil {
		return "", say(err)
	}
	return target, say(seal.Save(target, ring))
}

func rotateKeys(env Env, c config) error {
	ring, err := ringOf(c)
	if err != nil {
		return err
	}
	path, _ := c.keyPath()
	if err := seal.Save(path, ring.Rotate()); err != nil {
		return say(err)
	}
	fmt.Fprintf(env.Stdout, "%s has one more key, which seals from now on. Start steadier serve again, and run steadier keys export.\n", path)
	return nil
}
