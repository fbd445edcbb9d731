package respond

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/andybalholm/brotli"
)

// Copy is an answer that was rendered once: the plain bytes, and the same bytes
// compressed, each with a strong ETag of its own (RFC 9110, 8.8.3). It is safe
// for concurrent use.
type Copy struct {
	contentType []string
	status      int
	variants    atomic.Pointer[[]variant] // best first, plain last
}

type variant struct {
	encoding string // as in Content-Encoding; "" for plain
	body     []byte
	etag     string

	// The headers, ready to be set: nothing is made for a request.
	etagValue, lengthValue, encodingValue []string
}

var varyEncoding = []string{"Accept-Encoding"}

// worthIt is the size in bytes under which compression costs more than it saves.
const worthIt = 256

// NewCopy keeps body, and the same compressed with gzip. It is answered with 200.
func NewCopy(contentType string, body []byte) *Copy {
	c := &Copy{contentType: []string{contentType}, status: http.StatusOK}
	list := []variant{newVariant("", body)}
	if len(body) >= worthIt && compressible(contentType) {
		list = append([]variant{newVariant("gzip", gzipped(body))}, list...)
	}
	c.variants.Store(&list)
	return c
}

// brotliWindow is the base-two logarithm of how far back the encoder looks: further
// than any page is long, and a fraction of the memory that the usual 22 takes.
const brotliWindow = 17

// Brotli adds the smallest form. It takes about 40 ms for a page, so it is left
// for after the start; until then gzip serves.
func (c *Copy) Brotli() {
	list := *c.variants.Load()
	if len(list) < 2 || list[0].encoding == "br" {
		return
	}
	var buf bytes.Buffer
	w := brotli.NewWriterOptions(&buf, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: brotliWindow})
	_, _ = w.Write(list[len(list)-1].body) // a buffer does not fail
	_ = w.Close()
	better := append([]variant{newVariant("br", buf.Bytes())}, list...)
	c.variants.Store(&better)
}

// Body returns the plain bytes.
func (c *Copy) Body() []byte {
	list := *c.variants.Load()
	return list[len(list)-1].body
}

// Serve answers a GET or HEAD with the best form that the client takes, or with
// 304 if it has that one. Ranges are not offered: nothing here is worth one.
func (c *Copy) Serve(w http.ResponseWriter, r *http.Request, cache Cache) {
	list := *c.variants.Load()
	v := pick(list, r.Header["Accept-Encoding"])
	h := w.Header()
	cache.set(h)
	h["Etag"] = v.etagValue
	if len(list) > 1 {
		h["Vary"] = varyEncoding
	}
	if matches(r.Header["If-None-Match"], v.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Type"] = c.contentType
	h["Content-Length"] = v.lengthValue
	if v.encoding != "" {
		h["Content-Encoding"] = v.encodingValue
	}
	w.WriteHeader(c.status)
	if r.Method != http.MethodHead {
		writeWhole(w, r, v.body)
	}
}

func newVariant(encoding string, body []byte) variant {
	sum := sha256.Sum256(body)
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return variant{
		encoding: encoding, body: body, etag: etag,
		etagValue: []string{etag}, lengthValue: []string{strconv.Itoa(len(body))}, encodingValue: []string{encoding},
	}
}

func compressible(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") || strings.HasSuffix(kind, "/xml") ||
		strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "javascript")
}

func gzipped(body []byte) []byte {
	var buf bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression) // the level is a good one
	_, _ = w.Write(body)                                    // a buffer does not fail
	_ = w.Close()
	return buf.Bytes()
}

// pick returns the first form that the client accepts (RFC 9110, 12.5.3): a list
// of codings with weights, where 0 refuses and * stands for all others.
func pick(list []variant, accept []string) variant {
	for _, v := range list[:len(list)-1] {
		if accepts(accept, v.encoding) {
			return v
		}
	}
	return list[len(list)-1]
}

func accepts(accept []string, coding string) bool {
	star := false
	for _, line := range accept {
		for item := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(item, ";")
			name = strings.TrimSpace(name)
			if strings.EqualFold(name, coding) {
				return !refused(parameters)
			}
			star = star || name == "*" && !refused(parameters)
		}
	}
	return star
}

// refused reports a weight of zero, in whatever way it is written.
func refused(parameters string) bool {
	name, weight, ok := strings.Cut(strings.TrimSpace(parameters), "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return false
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
	return err != nil || q <= 0
}

// matches compares weakly, as If-None-Match asks for (RFC 9110, 13.1.2).
func matches(header []string, etag string) bool {
	for _, line := range header {
		for item := range strings.SplitSeq(line, ",") {
			item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
			if item == "*" || item == etag {
				return true
			}
		}
	}
	return false
}

// Forms returns the bytes by Content-Encoding: "" for the plain ones, and whatever
// compressed forms there are.
func (c *Copy) Forms() map[string][]byte {
	forms := map[string][]byte{}
	for _, v := range *c.variants.Load() {
		forms[v.encoding] = v.body
	}
	return forms
}
