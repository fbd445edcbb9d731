package respond

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// wholeListener makes connections on which an answer can be kept until it is whole.
type wholeListener struct{ net.Listener }

// WholeListener lets a [Copy] leave in one piece. net/http hands an answer that is longer
// than its buffer of 4 KB to the system in two, and a call of the system is the dearest
// part of an answer that is ready: see internal/adr. The server needs [WholeContext] too.
func WholeListener(l net.Listener) net.Listener { return wholeListener{l} }

// WholeContext is the ConnContext of a server on a [WholeListener].
func WholeContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, wholeKey{}, conn)
}

type wholeKey struct{}

func (l wholeListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wholeConn{Conn: conn}, nil
}

// wholeConn is written to by no other goroutine than the one that serves it, which
// HTTP/1 has for each connection. So nothing here is locked.
type wholeConn struct {
	net.Conn
	kept *[]byte // what is written goes here, unless nil
}

func (c *wholeConn) Write(p []byte) (int, error) {
	if c.kept == nil {
		return c.Conn.Write(p)
	}
	*c.kept = append(*c.kept, p...)
	return len(p), nil
}

// The sizes of a body, in bytes, between which it is sent whole: a smaller one leaves with
// its head in any case, and a larger one is not worth the memory while a slow client reads.
const (
	wholeFrom = 2 << 10
	wholeTo   = 64 << 10
)

var wholeBuffers = sync.Pool{New: func() any { return new([]byte) }}

// writeWhole ends an answer with its body, in one piece with its head where the server
// allows it. The client may have gone: there is nobody to tell.
func writeWhole(w http.ResponseWriter, r *http.Request, body []byte) {
	conn, ok := r.Context().Value(wholeKey{}).(*wholeConn)
	if !ok || len(body) < wholeFrom || len(body) > wholeTo {
		_, _ = w.Write(body)
		return
	}
	kept := wholeBuffers.Get().(*[]byte)
	conn.kept = kept
	_, _ = w.Write(body)                      // is kept
	_ = http.NewResponseController(w).Flush() // so is the rest
	conn.kept = nil
	if _, err := conn.Conn.Write(*kept); err != nil {
		_ = conn.Close() // net/http believes that all was sent, and must send nothing after half of it
	}
	*kept = (*kept)[:0]
	wholeBuffers.Put(kept)
}
