package library

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"sync"

	"github.com/steadier/steadier/internal/cite"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// Load reads the content folder. The findings are all there are, sorted, with
// paths relative to the folder; the Library is nil if there is an error among them.
func Load(fsys fs.FS, opts Options) (*Library, fault.Findings) {
	l := &loader{fsys: fsys, opts: opts, lib: &Library{}}
	return l.load()
}

func (l *loader) load() (*Library, fault.Findings) {
	if _, err := fs.ReadDir(l.fsys, "."); err != nil {
		return nil, fault.Findings{fault.Errorf(
			".", 1, "the content folder can't be read: %s", reason(err))}
	}
	l.strangers()
	l.lib.Site = l.site()
	l.options = markdown.Options{References: l.references(), Figures: l.figures()}
	l.options.AnyCitation = l.noReferences
	l.lib.Terms = l.glossary()
	l.options.Terms = formsOf(l.lib.Terms)
	l.lib.General, l.lib.Countries = l.helplines()
	l.lib.Articles = inParallel(l, l.files(articlesDir, ".md"), l.article)
	l.lib.Pages = inParallel(l, l.files(pagesDir, ".md"), l.page)
	l.lib.Issues = inParallel(l, l.files(newsletterDir, ".md"), l.issue)
	l.lib.Topics = inParallel(l, l.files(topicsDir, ".md"), l.topic)
	l.lib.Paths = inParallel(l, l.files(pathsDir, ".md"), l.path)
	l.index()
	l.indexTopics()
	l.lib.Assessment = l.assessment()
	l.checkCountry()
	l.checkRelated()
	l.join()
	l.checkMap()
	l.checkLinks()
	l.sources()
	l.useTerms()
	findings := l.findings.Sorted()
	if findings.Errors() > 0 {
		return nil, findings
	}
	return l.lib, findings
}

// loader is the state of one Load.
type loader struct {
	fsys           fs.FS
	opts           Options
	options        markdown.Options
	noReferences   bool // the bibliography could not be read
	countryLine    int  // of `country` in site.yaml
	assessmentLine int  // of `self_assessment` there
	lib            *Library

	mu       sync.Mutex // guards what follows while files are read in parallel
	findings fault.Findings
	docs     []*markdown.Document
	related  []relation
	named    []relation      // of topics and paths
	broken   map[string]bool // files with errors
	hints    int             // suggestions made so far
	written  []Manuscript
}

// relation is an entry of `related` or `topics` of an article, or of `articles` of a
// path, before it is looked up.
type relation struct {
	article *Article
	route   *Path
	slug    string
	path    string
	line    int
}

func (l *loader) report(fs ...fault.Finding) {
	if len(fs) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.findings = append(l.findings, fs...)
	if l.broken == nil {
		l.broken = map[string]bool{}
	}
	for _, f := range fs {
		l.broken[f.Path] = l.broken[f.Path] || f.Severity == fault.SeverityError
	}
}

func (l *loader) keep(docs ...*markdown.Document) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range docs {
		if d != nil {
			l.docs = append(l.docs, d)
		}
	}
}

// inParallel reads files on every processor. The results keep the order of the
// files; nil ones are left out.
func inParallel[T any](l *loader, files []file, read func(file) *T) []*T {
	out := make([]*T, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := range next {
				out[i] = guarded(l, files[i], read)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	return slices.DeleteFunc(out, func(t *T) bool { return t == nil })
}

// guarded reads a file and keeps a defect of ours to it: what is served must not end
// because of what somebody wrote.
func guarded[T any](l *loader, f file, read func(file) *T) (out *T) {
	defer func() {
		if r := recover(); r != nil {
			out = nil
			l.report(fault.Errorf(f.path, 1,
				"this file can't be read because of a defect in the program (%v); "+
					"take out what was changed last, and report it", r))
		}
	}()
	return read(f)
}

// optional reads a file that need not be there.
func (l *loader) optional(name string) (data []byte, ok bool) {
	data, err := ReadFile(l.fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		l.report(fault.Errorf(name, 1, "the file can't be read: %s", reason(err)))
		return nil, false
	}
	return data, true
}

// maxFile is the largest file that is read at all, in bytes; each kind has bounds of
// its own below it.
const maxFile = 1 << 20

// ReadFile reads one file of the content folder, if it is a plain file of at most 1 MB:
// a pipe or a device would never end. The error says what is wrong in its last words;
// fs.ErrNotExist: there is none.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir():
		err = errors.New("it is no plain file; put one in its place")
	case info.Size() > maxFile:
		err = fmt.Errorf("it has %d KB, at most %d; part it", (info.Size()+1023)>>10, maxFile>>10)
	default:
		return fs.ReadFile(fsys, name)
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: err}
}

// yaml reads an optional file and decodes it; ok is false if it is not there or
// has a fault already.
func (l *loader) yaml(name string) (text string, ok bool) {
	data, ok := l.optional(name)
	if !ok {
		return "", false
	}
	text, fs := markdown.Decode(name, data)
	l.report(fs...)
	return text, len(fs) == 0
}

// reason is the cause of a file error without the path, which the finding names.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func (l *loader) references() *cite.Bibliography {
	text, ok := l.yaml(referencesFile)
	if !ok {
		l.noReferences = l.broken[referencesFile]
		return nil
	}
	b, findings := cite.Load(referencesFile, []byte(text))
	l.report(findings...)
	l.noReferences = findings.Errors() > 0 && len(b.All()) == 0
	l.lib.Works = b
	return b
}

// figures reads the drawings. One with faults keeps its place, so that pages
// which show it have no second fault.
func (l *loader) figures() map[string]*Figure {
	l.lib.Figures = map[string]*Figure{}
	for _, f := range l.files(figuresDir, ".svg") {
		figure := guarded(l, f, l.figure)
		if figure == nil {
			figure = &Figure{}
		}
		l.lib.Figures[path.Base(f.path)] = figure
	}
	return l.lib.Figures
}

// figure is a drawing, or nil after a finding.
func (l *loader) figure(f file) *Figure {
	data, ok := l.optional(f.path)
	if !ok {
		return nil
	}
	figure, findings := markdown.ParseSVG(f.path, data)
	l.report(findings...)
	return figure
}

// index makes the Library's look-ups and puts its lists in order.
func (l *loader) index() {
	lib := l.lib
	lib.articles, lib.pages = map[string]*Article{}, map[string]*Page{}
	lib.issues = map[string]*Issue{}
	for _, a := range lib.Articles {
		lib.articles[a.Slug] = a
	}
	for _, p := range lib.Pages {
		lib.pages[p.Slug] = p
	}
	for _, i := range lib.Issues {
		lib.issues[i.Slug] = i
	}
	slices.SortStableFunc(lib.Articles, func(a, b *Article) int {
		return cmp.Or(cmp.Compare(orderOf(a.Order), orderOf(b.Order)), a.Published.Compare(b.Published),
			cmp.Compare(a.Slug, b.Slug))
	})
	slices.SortStableFunc(lib.Issues, func(a, b *Issue) int {
		return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(a.Slug, b.Slug))
	})
}

// orderOf puts what has no place of its own after what has one.
func orderOf(place int) int {
	if place == 0 {
		return 1 << 30
	}
	return place
}

func byLine(a, b relation) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
}

// checkRelated looks up what `related` names.
func (l *loader) checkRelated() {
	slices.SortStableFunc(l.related, byLine)
	for _, r := range l.related {
		to, ok := l.lib.articles[r.slug]
		switch {
		case !ok:
			l.report(fault.Errorf(r.path, r.line,
				"related: there is no article "+
					"%s%s", r.slug, l.didYouMean(r.slug, maps.Keys(l.lib.articles))))
		case to == r.article:
			l.report(fault.Errorf(r.path, r.line,
				"related: the article names itself; name another"))
		case slices.Contains(r.article.Related, to):
			l.report(fault.Errorf(r.path, r.line, "related: %s stands twice", r.slug))
		default:
			r.article.Related = append(r.article.Related, to)
		}
	}
}

// checkCountry looks for the site's country among those of the helplines.
func (l *loader) checkCountry() {
	iso := l.lib.Site.Country
	if _, ok := l.lib.Country(iso); iso != "" && !ok && len(l.lib.Countries) > 0 {
		l.report(fault.Warnf(siteFile, l.countryLine,
			"country: %s has no helplines in %s; add some, or choose another "+
				"country", iso, helplinesFile))
	}
}

// sources gathers where each work is cited.
func (l *loader) sources() {
	byID := map[string]*Source{}
	add := func(notes []Note, place Place) {
		for _, n := range notes {
			s := byID[n.Reference.ID]
			if s == nil {
				s = &Source{Reference: n.Reference}
				byID[s.ID] = s
			}
			s.CitedIn = append(s.CitedIn, place)
		}
	}
	for _, a := range l.lib.Articles {
		add(a.Notes, Place{a.Path(), a.Title})
	}
	for _, p := range l.lib.Pages {
		add(p.Notes, Place{p.Path(), p.Title})
	}
	for _, i := range l.lib.Issues {
		add(i.Notes, Place{i.Path(), i.Subject})
	}
	for _, t := range l.lib.Topics {
		add(t.Notes, Place{t.Path(), t.Title})
	}
	for _, p := range l.lib.Paths {
		add(p.Notes, Place{p.Path(), p.Title})
	}
	l.lib.Sources = slices.SortedFunc(maps.Values(byID), func(a, b *Source) int {
		return cmp.Or(cmp.Compare(fold(a.Vancouver()), fold(b.Vancouver())), cmp.Compare(a.ID, b.ID))
	})
}
