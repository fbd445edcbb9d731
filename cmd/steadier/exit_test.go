package main

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// E32: the page that "Leave this site" leads to is asked by readers and by the doctor.
func TestTheServerNeverAsksTheExit(t *testing.T) {
	var asked atomic.Int32
	exit := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer exit.Close()
	d := newDesk(t)
	d.write("content/site.yaml", "name: S\ntagline: t\nexit: "+exit.URL+"\nsender:\n  name: P\n  address: p@site.example\n")
	address, _, stop := d.start()
	for _, path := range []string{"/", "/consult", "/none", "/readyz"} {
		get(t, address+path)
	}
	d.do("", "check", "-content", d.path("content"))
	stop()
	if n := asked.Load(); n > 0 {
		t.Errorf("E32: it was asked %d times", n)
	}
}
