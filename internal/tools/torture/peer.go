//go:build linux

package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"net/mail"
	"strings"
	"sync"
	"time"
)

// faults is how often the mail server does what mail servers do, each a share of
// messages from 0 to 1.
type faults struct {
	Later  float64 // refuses the recipient for now: 451
	Drop   float64 // closes the connection in the middle of the message
	Silent float64 // takes the message and closes the connection without saying so
}

// peer is a mail server that keeps what it took. It outlives every kill.
type peer struct {
	listener net.Listener

	mu     sync.Mutex
	rand   *rand.Rand
	faults faults
	taken  map[string]received
	twice  []string        // Message-IDs that came whole more than once
	lost   int             // messages that were taken and not acknowledged
	heard  map[string]bool // recipients that were named
	conns  map[net.Conn]bool
}

// received is what the peer remembers of a message.
type received struct {
	To, Subject string
}

func startPeer(seed uint64, f faults) (*peer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &peer{
		listener: listener, rand: rand.New(rand.NewPCG(seed, 1)), faults: f,
		taken: make(map[string]received), heard: make(map[string]bool), conns: make(map[net.Conn]bool),
	}
	go p.accept()
	return p, nil
}

// url is the peer as a value of STEADIER_SMTP.
func (p *peer) url() string { return "smtp://" + p.listener.Addr().String() + "?tls=none" }

func (p *peer) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return // it was closed
		}
		p.mu.Lock()
		p.conns[conn] = true
		p.mu.Unlock()
		go func() {
			p.talk(conn)
			p.mu.Lock()
			delete(p.conns, conn)
			p.mu.Unlock()
			_ = conn.Close()
		}()
	}
}

func (p *peer) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// calm ends all faults, so that what waits can go out.
func (p *peer) calm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = faults{}
}

// chance tells whether something happens now that does for this share of messages.
func (p *peer) chance(share func(faults) float64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rand.Float64() < share(p.faults)
}

// once tells whether this is said for the first time. Nobody is put off twice: the second
// time the program waits for five minutes, and rightly so.
func (p *peer) once(line string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	again := p.heard[line]
	p.heard[line] = true
	return !again
}

// talk is one connection, as far as it gets.
func (p *peer) talk(conn net.Conn) {
	in := bufio.NewReader(conn)
	say := func(line string) bool {
		_, err := fmt.Fprintf(conn, "%s\r\n", line)
		return err == nil
	}
	ok := say("220 peer.example ESMTP")
	for ok {
		_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
		switch verb {
		case "EHLO", "HELO":
			ok = say("250 peer.example")
		case "RCPT":
			if p.once(line) && p.chance(func(f faults) float64 { return f.Later }) {
				ok = say("451 4.2.1 Later, please")
				continue
			}
			ok = say("250 2.1.5 OK")
		case "DATA":
			ok = say("354 Go on") && p.data(in, say)
		case "QUIT":
			say("221 2.0.0 Bye")
			return
		default:
			ok = say("250 2.0.0 OK")
		}
	}
}

// data takes one message, and tells whether the connection goes on.
func (p *peer) data(in *bufio.Reader, say func(string) bool) bool {
	drop := p.chance(func(f faults) float64 { return f.Drop })
	var text strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil || drop && text.Len() > 200 {
			return false
		}
		if line == ".\r\n" {
			break
		}
		text.WriteString(strings.TrimPrefix(line, "."))
	}
	p.keep(text.String())
	if p.chance(func(f faults) float64 { return f.Silent }) {
		p.mu.Lock()
		p.lost++
		p.mu.Unlock()
		return false
	}
	return say("250 2.0.0 Taken")
}

func (p *peer) keep(text string) {
	m, err := mail.ReadMessage(strings.NewReader(text))
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.twice = append(p.twice, "what is no message: "+err.Error())
		return
	}
	id := m.Header.Get("Message-ID")
	if _, again := p.taken[id]; again {
		p.twice = append(p.twice, id)
	}
	p.taken[id] = received{To: strings.Trim(m.Header.Get("To"), "<>"), Subject: m.Header.Get("Subject")}
}

// to counts the messages for each address.
func (p *peer) to() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := make(map[string]int)
	for _, m := range p.taken {
		n[m.To]++
	}
	return n
}

func (p *peer) count() (taken, lost int, twice []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.taken), p.lost, append([]string(nil), p.twice...)
}
