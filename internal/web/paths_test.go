package web

import (
	"maps"
	"strings"
	"testing"

	"github.com/steadier/steadier/internal/web/webtest"
)

// furnished are the files that give foundFiles a glossary, two topics and two paths.
var furnished = map[string]string{
	"glossary.yaml": "terms:\n- {id: study, term: study, definition: A look at *many* things.}\n- {id: only-words, term: only words, also: [plain talk], definition: No more than that.}\n",
	"topics/one.md": "---\ntitle: One topic\ndescription: What it is.\n---\nA lead, with a source [@one1993].\n",
	"topics/two.md": "---\ntitle: Two topics\ndescription: What they are.\n---\nA lead.\n",
	"paths/long.md": "---\ntitle: The long way\nquestion: Why so long?\ndescription: All of them.\narticles: [third, first, second]\norder: 2\n---\nFor whoever has time.\n",
	"paths/way.md":  "---\ntitle: The way\nquestion: Where to?\ndescription: Two of them.\narticles: [first, second]\norder: 1\n---\nRead *on*.\n",
	"articles/first.md": strings.Replace(foundFiles["articles/first.md"], "reviewed: none\n",
		"reviewed: none\ntopics: [two, one]\nrelated: [second, third]\n", 1),
	"articles/second.md": strings.Replace(foundFiles["articles/second.md"], "brief:", "topics: [one]\nbrief:", 1),
	"articles/third.md": "---\ntitle: The third\nquestion: At last?\ndescription: D.\npublished: 2026-11-12\nbrief: B.\nreviewed: none\n---\n" +
		"![What it shows](/figures/a.svg \"A sketch.\")\n\n> [!TIP]\n> Try it.\n",
	"figures/a.svg": `<svg viewBox="0 0 10 10"><path class="line" d="M0 5H10"/></svg>`,
}

func TestFurniture(t *testing.T) {
	b := newReadingBench(t, furnished, plain)
	webtest.Run(t, b.http, readingHost, `
GET /glossary
code == 200
head Cache-Control == no-cache
body contains <h2 class="label" id="only-words">only words</h2>
body contains <p>A look at <em>many</em> things.</p>
body contains In <a href="/articles/second">The second</a>
body contains <link rel="canonical" href="https://site.example/glossary">
body !contains class="term"
body !contains class="terms"

GET /topics
code == 200
body contains <a href="/topics/one"><span class="q">One topic</span> <span class="min">two articles</span> <span class="of">What it is.</span></a>

GET /topics/one
code == 200
body contains <title>One topic: a topic – Steadier</title>
body contains Topic</a> · two articles
body contains <p>A lead, with a source.<sup>
body contains <li id="s1">
body contains href="/articles/first"
body contains Other topics
body !contains href="/topics/one"

GET /paths
code == 200
body !contains id="map"
body ~ (?s)Where to\?.*two articles.*Path: The way.*Why so long\?
body contains aria-current="page">Paths</a>
body contains <a href="/topics">by topic</a>

GET /paths/long
code == 200
body contains Path</a> · three articles, about 3 minutes in all
body contains <h1 class="wide">The long way</h1>
body ~ (?s)<ol class="steps">.*The third.*At last\?.*1 minute · with something to try · with a drawing.*The first.*The second.*</ol>
body contains From article 1
body contains <figcaption>A sketch.</figcaption>
body contains From here
body contains Path: The way

GET /paths/none
code == 404
body contains href="/paths"
GET /topics/none
code == 404
POST /paths/way
code == 405
head Allow == GET, HEAD
GET /paths/way/
code == 308
`)
}

func TestArticlesInTheirFurniture(t *testing.T) {
	b := newReadingBench(t, furnished, plain)
	webtest.Run(t, b.http, readingHost, `
GET /
code == 200
body contains Or follow a path
body contains <a href="/paths/way">The way</a>
body contains All two paths
body contains <a href="/glossary">Glossary</a>

GET /articles
body contains <a href="/topics">by topic</a>

GET /articles/first
code == 200
body contains <a href="/topics/two">Two topics</a> · <a href="/topics/one">One topic</a> · 1 minute
body contains <a class="term" href="/glossary#study">study</a>
body contains <dl class="terms" hidden><dt>study</dt><dd id="term-study"><p>A look at <em>many</em> things.</p> </dd></dl>
hint the first of its paths, in their order
body contains Article one of two on the path <a href="/paths/way">The way</a>
body contains <a href="/articles/second" rel="next">
body contains Next: The second
body !contains Before:
hint related reading has what the path has not
body contains Or read next
body ~ (?s)id="next">.*At last\?
body !~ (?s)id="next">.*And then\?

GET /articles/second
body contains <a href="/articles/first" rel="prev">
body contains Before: The first
body !contains Next:

GET /articles/third
body contains Article one of three on the path <a href="/paths/long">The long way</a>
body !contains class="terms"
`)
}

// The map of the paths stands below their list, in its own words.
func TestTheMapOfThePaths(t *testing.T) {
	files := maps.Clone(furnished)
	files["figures/paths.svg"] = `<svg viewBox="0 0 10 10"><title>All ways</title><desc>The way. The long way.</desc><circle class="dot" r="1"/></svg>`
	b := newReadingBench(t, files, plain)
	webtest.Run(t, b.http, readingHost, `
GET /paths
code == 200
body ~ (?s)Path: The long way.*<h2 class="label" id="map">As a map</h2>
body contains <figure><svg viewBox="0 0 10 10" role="img" aria-labelledby="paths-t paths-d"><title id="paths-t">All ways</title><desc id="paths-d">The way. The long way.</desc>
body contains Each dot is an article.
`)
}

// A site without these files has none of their pages, and offers none (H30).
func TestNoFurniture(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	for _, path := range []string{"/glossary", "/topics", "/topics/one", "/paths", "/paths/way"} {
		webtest.Run(t, b.http, readingHost, "GET "+path+"\ncode == 404\nbody !contains /paths\nPOST "+path+"\ncode == 404\n")
	}
	for _, path := range []string{"/", "/articles", "/articles/first", "/search", "/sitemap.xml"} {
		webtest.Run(t, b.http, readingHost, "GET "+path+"\ncode == 200\nbody !contains /glossary\nbody !contains /topics\nbody !contains /paths\n")
	}
	webtest.Run(t, b.http, readingHost, "GET /articles/first\nbody contains Read next\nbody !contains id=\"path\"\n")
}

func TestFurnitureIsFound(t *testing.T) {
	b := newReadingBench(t, furnished, plain)
	webtest.Run(t, b.http, readingHost, `
GET /sitemap.xml
code == 200
body contains <loc>https://site.example/glossary</loc>
body contains <loc>https://site.example/topics</loc>
body contains <loc>https://site.example/topics/one</loc>
body contains <loc>https://site.example/paths</loc>
body contains <loc>https://site.example/paths/way</loc>

GET /search
POST /search
form q=plain+talk
code == 200
body contains href="/glossary#only-words"
body contains Glossary

POST /search
form q=study
hint articles come before the word alone
body ~ (?s)href="/articles/first".*href="/glossary#study"

POST /search
form q=the+long+way
body contains href="/paths/long"
body contains Path, 3 articles

POST /search
form q=two+topics
body contains href="/topics/two"
`)
}
