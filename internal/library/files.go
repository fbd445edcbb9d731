package library

import (
	"errors"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// file is a file of a folder.
type file struct {
	path  string // articles/name.md
	slug  string // name
	draft bool
}

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// files lists the files of a folder that end in ext, in the order of their names;
// none if there is no such folder. What is misplaced or misnamed is reported.
func (l *loader) files(dir, ext string) []file {
	entries, err := fs.ReadDir(l.fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		l.report(fault.Errorf(dir, 1, "the folder can't be read: %s", reason(err)))
		return nil
	}
	var out []file
	taken := map[string]string{} // folded slug → name of the file
	for _, e := range entries {
		f, ok := l.accept(dir, ext, e, taken)
		if ok {
			out = append(out, f)
		}
	}
	return out
}

func (l *loader) accept(dir, ext string, e fs.DirEntry, taken map[string]string) (file, bool) {
	name, at := e.Name(), path.Join(dir, e.Name())
	if junk(name) {
		return file{}, false
	}
	draft := strings.HasPrefix(name, "_")
	if draft && !l.opts.Drafts {
		return file{}, false
	}
	if e.IsDir() {
		l.nested(at, dir, ext)
		return file{}, false
	}
	if got := path.Ext(name); got != ext {
		if strings.EqualFold(got, ext) || ext == ".md" && (got == ".markdown" || got == ".mdown") {
			l.report(fault.Errorf(at, 1, "the file is not read; let its name end in %s", ext))
		}
		return file{}, false
	}
	slug := strings.TrimSuffix(strings.TrimPrefix(name, "_"), ext)
	key := fold(slug)
	if other, twice := taken[key]; twice {
		why := "the name differs from " + other +
			" in capitals or accents only, and both would have the same address"
		if strings.TrimPrefix(other, "_") == strings.TrimPrefix(name, "_") {
			why = "the draft has the name of " + strings.TrimPrefix(name, "_")
		}
		l.report(fault.Errorf(at, 1, "%s; rename one", why))
		return file{}, false
	}
	taken[key] = name
	if !slugForm.MatchString(slug) {
		l.report(fault.Errorf(at, 1,
			"the name is the address of the page, so it holds only small letters a to z, digits "+
				"and single hyphens; rename it to %s%s", slugOf(slug), ext))
	}
	return file{path: at, slug: slug, draft: draft}, true
}

// folders are those whose Markdown is read.
var folders = []string{articlesDir, pagesDir, newsletterDir, topicsDir, pathsDir}

// strangers reports Markdown at the top of the folder and in folders of another name:
// it was meant to be read, and is not.
func (l *loader) strangers() {
	_ = fs.WalkDir(l.fsys, ".", func(p string, e fs.DirEntry, err error) error {
		name := e.Name()
		switch {
		case err != nil || p == ".":
			return nil
		case e.IsDir() && (junk(name) || strings.HasPrefix(name, "_") || slices.Contains(folders, p)):
			return fs.SkipDir
		case e.IsDir() || junk(name) || strings.HasPrefix(name, "_") || path.Ext(name) != ".md" || name == strings.ToUpper(name[:len(name)-3])+".md":
			return nil // README.md and its like
		}
		l.report(fault.Warnf(p, 1, "the file is not read; move it to one of %s", strings.Join(folders, ", ")))
		return nil
	})
}

// nested reports files of a folder inside a folder: they would never be read.
func (l *loader) nested(at, dir, ext string) {
	_ = fs.WalkDir(l.fsys, at, func(p string, e fs.DirEntry, err error) error {
		passed := err != nil || e.IsDir() || junk(e.Name()) || strings.HasPrefix(e.Name(), "_")
		if !passed && path.Ext(p) == ext {
			l.report(fault.Errorf(p, 1,
				"files in folders of %s/ are not read; move it to %s/", dir, dir))
		}
		return nil
	})
}

// junk reports what operating systems and editors leave behind.
func junk(name string) bool {
	lower := strings.ToLower(name)
	backup := []string{".swp", ".swo", ".tmp", ".bak", ".orig", ".rej"}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") ||
		slices.Contains(backup, path.Ext(lower)) || lower == "thumbs.db" || lower == "desktop.ini"
}

// fold makes two names equal that differ in capitals, accents or their encoding.
func fold(s string) string {
	s = cases.Fold().String(norm.NFKD.String(s))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }

// slugOf is a name that a file could have.
func slugOf(name string) string {
	s := strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			if r < '0' || r > '9' {
				return ' '
			}
		}
		return r
	}, fold(name))
	if s = strings.Join(strings.Fields(s), "-"); s == "" {
		return "name"
	}
	return s
}

// maxText is the largest file of Markdown, in bytes: a short book.
const maxText = 256 << 10

// parts reads a Markdown file and parts it. rec is nil after a finding in the
// front matter; ok is false if there is nothing to go on with.
func (l *loader) parts(f file, known []string) (p markdown.Parts, rec *yamlfile.Record, findings *fault.Findings, ok bool) {
	findings = &fault.Findings{}
	data, ok := l.optional(f.path)
	if !ok {
		return p, nil, findings, false
	}
	if len(data) > maxText {
		l.report(fault.Errorf(f.path, 1, "the file has %d KB, at most %d; part it into two", (len(data)+1023)>>10, maxText>>10))
		return p, nil, findings, false
	}
	text, fs := markdown.Decode(f.path, data)
	if len(fs) > 0 {
		l.report(fs...)
		return p, nil, findings, false
	}
	p, fs = markdown.Split(f.path, text)
	if len(fs) > 0 {
		l.report(fs...)
		return p, nil, findings, false
	}
	if p.FrontLine == 0 {
		*findings = append(*findings, fault.Errorf(f.path, 1,
			"the front matter is missing; begin with a line of three dashes, then `%s: …`, and "+
				"end it with three dashes", known[0]))
		return p, nil, findings, true
	}
	node, fs := yamlfile.Parse(f.path, []byte(p.Front), p.FrontLine)
	*findings = append(*findings, fs...)
	if len(fs) == 0 && node.Kind == yamlfile.Null {
		node = &yamlfile.Node{Kind: yamlfile.Map, Line: 1}
	}
	if len(fs) == 0 {
		rec = yamlfile.Open(f.path, "the front matter", node, known, findings)
	}
	return p, rec, findings, true
}

// body parses the text of a file, which must have words.
func (l *loader) body(page *markdown.Page, f file, p markdown.Parts, findings *fault.Findings) *markdown.Document {
	if strings.TrimSpace(p.Body) == "" {
		*findings = append(*findings, fault.Errorf(f.path, p.BodyLine,
			"there is no text after the front matter; "+
				"write it, or begin the file's name with _ to keep it as a draft"))
	}
	doc, fs := page.Parse(markdown.Source{Path: f.path, Text: p.Body, Line: p.BodyLine})
	*findings = append(*findings, fs...)
	return doc
}

// maxHints is how many suggestions one Load makes: each compares a name with all.
const maxHints = 200

func (l *loader) didYouMean(name string, known iter.Seq[string]) string {
	if l.hints++; l.hints > maxHints {
		return ""
	}
	if near := yamlfile.Nearest(name, slices.Collect(known)); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
