package newsletter_test

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
)

func (b *bench) held(address string) newsletter.Held {
	b.t.Helper()
	who, err := b.service.Preferences(context.Background(), b.now, b.token(address, "preferences"))
	b.must(err)
	held, err := b.db.HeldAbout(context.Background(), who.ID)
	b.must(err)
	return held
}

func TestNewsH02TheConfirmLinkSurvivesAScanner(t *testing.T) {
	b := newBench(t)
	b.ask("a@x.example")
	b.drain()
	token := b.token("a@x.example", "confirm")
	for range 6 { // what a HEAD or GET does
		b.must(b.service.CheckConfirm(context.Background(), b.now, token))
	}
	for range 3 {
		b.must(b.confirm(token))
	}
	b.start(issue())
	b.drain()
	if got := len(b.letters()); got != 1 {
		t.Errorf("%d letters, want 1", got)
	}
	if got := len(b.peer.To("a@x.example")); got != 2 {
		t.Errorf("%d mails, want the first and the letter", got)
	}
	if held := b.held("a@x.example"); len(held.Consents) != 1 || held.State != newsletter.Active {
		t.Errorf("held = %+v, want one consent", held)
	}
	b.now = b.now.Add(newsletter.ConfirmFor)
	if err := b.confirm(token); !fault.Is(err, fault.NotFound) {
		t.Errorf("after seven days: %v, want not found", err)
	}
}

func TestNewsH05SigningUpAgain(t *testing.T) {
	b := newBench(t)
	b.subscribe("a@x.example")
	b.start(issue())
	b.drain()
	leave, choose := b.token("a@x.example", "unsubscribe"), b.token("a@x.example", "preferences")
	b.must(b.service.Leave(context.Background(), b.now, leave))
	before := len(b.peer.To("a@x.example"))
	b.ask("a@x.example")
	b.drain()
	if got := b.state(choose); got != newsletter.Unsubscribed {
		t.Errorf("state = %s before the press, want unsubscribed", got)
	}
	if got := len(b.peer.To("a@x.example")); got != before+1 {
		t.Errorf("%d more mails, want 1", got-before)
	}
	b.must(b.confirm(b.token("a@x.example", "confirm")))
	if got := b.state(choose); got != newsletter.Active {
		t.Errorf("state = %s after the press, want active", got)
	}
	who, err := b.service.Preferences(context.Background(), b.now, choose)
	b.must(err)
	held, err := b.db.HeldAbout(context.Background(), who.ID)
	b.must(err)
	if len(held.Consents) != 2 {
		t.Errorf("consents = %+v, want both", held.Consents)
	}
}

func TestAnOlderLinkDoesNotBringAnybodyBack(t *testing.T) {
	b := newBench(t)
	b.ask("a@x.example")
	b.drain()
	older := b.token("a@x.example", "confirm")
	b.now = b.now.Add(newsletter.AddressPause)
	b.subscribe("a@x.example")
	b.start(issue())
	b.drain()
	b.must(b.service.Leave(context.Background(), b.now, b.token("a@x.example", "unsubscribe")))
	b.must(b.confirm(older))
	if got := b.state(b.token("a@x.example", "preferences")); got != newsletter.Unsubscribed {
		t.Errorf("state = %s, want unsubscribed", got)
	}
}

func TestNewsH08KnowingAnAddressIsNotEnough(t *testing.T) {
	b := newBench(t)
	b.subscribe("a@x.example")
	b.start(issue())
	b.drain()
	token := b.token("a@x.example", "unsubscribe")
	for _, wrong := range []string{
		"", "a@x.example", token[:len(token)-1], token + "A", strings.ToUpper(token),
		b.token("a@x.example", "preferences"), "x" + token[1:],
	} {
		if err := b.service.Leave(context.Background(), b.now, wrong); !fault.Is(err, fault.NotFound) {
			t.Errorf("leave %q: %v, want not found", wrong, err)
		}
	}
	if got := b.state(b.token("a@x.example", "preferences")); got != newsletter.Active {
		t.Errorf("state = %s, want active", got)
	}
}

func TestNewsH22OneAddressOneMail(t *testing.T) {
	b := newBench(t)
	b.subscribe("Ana.B+News@Example.ORG", "ana.b+news@example.org", " ana.b+news@example.org ", "ana.b@example.org")
	b.start(issue())
	b.drain()
	got := map[string]int{}
	for _, m := range b.letters() {
		got[m.To]++
	}
	if len(got) != 2 || got["Ana.B+News@example.org"] != 1 || got["ana.b@example.org"] != 1 {
		t.Errorf("letters = %v, want one each, in the spelling first confirmed", got)
	}
}

func TestNewsH27AddressesAtForeignDomains(t *testing.T) {
	b := newBench(t)
	b.subscribe("jana@bücher.example", "jana@xn--bcher-kva.example")
	b.start(issue())
	b.drain()
	if got := len(b.letters()); got != 1 || b.letters()[0].To != "jana@xn--bcher-kva.example" {
		t.Errorf("%d letters, want 1 to the A-label", got)
	}
	err := b.service.Subscribe(context.Background(), b.now, newsletter.Request{Email: "željka@example.net"})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("a foreign local part: %v, want it refused", err)
	}
}

func TestNewsH36OneAddressCannotBeFlooded(t *testing.T) {
	b := newBench(t)
	for i := range 100 {
		b.askFrom("a@x.example", netip.AddrFrom4([4]byte{10, byte(i), 0, 1}))
		b.drain()
		b.now = b.now.Add(14 * time.Minute)
	}
	if got := len(b.peer.To("a@x.example")); got != 3 {
		t.Errorf("%d mails in a day, want 3", got)
	}
}

func TestSECH24SpellingsAndRacesAreOne(t *testing.T) {
	b := newBench(t)
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			spelling := []string{"V@x.example", "v@x.example", "v@X.EXAMPLE"}[i%3]
			b.askFrom(spelling, netip.AddrFrom4([4]byte{10, byte(i), 0, 1}))
		})
	}
	wait.Wait()
	b.drain()
	if got := len(b.peer.Messages()); got != 1 {
		t.Errorf("%d mails, want 1", got)
	}
}

func TestNewsH36OneNetworkCannotFlood(t *testing.T) {
	for name, client := range map[string]func(i int) netip.Addr{
		"IPv4 by /24": func(i int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}) },
		"IPv6 by /48": func(i int) netip.Addr {
			return netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 1, byte(i), byte(i)})
		},
		"IPv4 in IPv6": func(i int) netip.Addr {
			return netip.AddrFrom16(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}).As16())
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for i := range 200 {
				b.askFrom(fmt.Sprintf("a%d@x.example", i), client(i))
			}
			b.drain()
			if got := len(b.peer.Messages()); got != newsletter.NetworkMost {
				t.Errorf("%d mails, want %d", got, newsletter.NetworkMost)
			}
			b.now = b.now.Add(newsletter.NetworkWindow)
			b.askFrom("later@x.example", client(1))
			b.drain()
			if got := len(b.peer.To("later@x.example")); got != 1 {
				t.Errorf("%d mails after the window, want 1", got)
			}
		})
	}
}

func TestSECH24TheSiteHasABudgetAndReadersKeepTheirs(t *testing.T) {
	b := newBench(t)
	b.subscribe("reader@x.example")
	for i := range 300 {
		b.askFrom(fmt.Sprintf("a%d@x.example", i), netip.AddrFrom4([4]byte{10, byte(i), byte(i >> 8), 1}))
	}
	b.start(issue())
	b.drain()
	if got := len(b.letters()); got != 1 {
		t.Errorf("%d letters, want 1: a reader's mail still goes", got)
	}
	if got := confirmations(b); got != newsletter.SiteMost {
		t.Errorf("%d confirmation mails, want %d", got, newsletter.SiteMost)
	}
	if got := len(b.peer.To("owner@site.example")); got < 1 {
		t.Error("the owner was not told")
	}
	b.now = b.now.Add(newsletter.SiteWindow)
	b.drain()
	if got := confirmations(b); got != 301 {
		t.Errorf("%d confirmation mails after an hour, want all", got)
	}
}

func confirmations(b *bench) (n int) {
	for _, m := range b.peer.Messages() {
		if m.Header(b.t).Get("Subject") == newsletter.ConfirmSubject {
			n++
		}
	}
	return n
}

func TestNewsH37TrapAndHaste(t *testing.T) {
	b := newBench(t)
	for name, r := range map[string]newsletter.Request{
		"the trap is filled":    {Email: "a@x.example", Trap: "x", Issued: b.now.Add(-time.Hour)},
		"posted within seconds": {Email: "b@x.example", Issued: b.now.Add(-time.Second)},
	} {
		if err := b.service.Subscribe(context.Background(), b.now, r); err != nil {
			t.Errorf("%s: %v, want the usual answer", name, err)
		}
	}
	b.drain()
	if got := len(b.peer.Messages()); got != 0 {
		t.Errorf("%d mails, want none", got)
	}
	err := b.service.Subscribe(context.Background(), b.now, newsletter.Request{Email: "c@x.example", Issued: b.now.Add(-23 * time.Hour)})
	b.must(err)
	unlimited := newsletter.NewService(b.db, newsletter.NewLinks(b.ring), false)
	b.must(unlimited.Subscribe(context.Background(), b.now, newsletter.Request{Email: "d@x.example", Issued: b.now}))
	b.drain()
	if got := len(b.peer.Messages()); got != 2 {
		t.Errorf("%d mails, want 2: a slow reader's, and one without limits", got)
	}
}

// erase asks for a fresh link and uses it.
func (b *bench) erase(address string) (token string) {
	b.t.Helper()
	who, err := b.service.Preferences(context.Background(), b.now, b.token(address, "preferences"))
	b.must(err)
	if _, err := b.service.Export(context.Background(), who); !fault.Is(err, fault.NotFound) {
		b.t.Errorf("export by an old link: %v, want not found", err)
	}
	b.must(b.service.AskFresh(context.Background(), b.now, who))
	b.drain()
	token = b.token(address, "preferences")
	fresh, err := b.service.Preferences(context.Background(), b.now, token)
	b.must(err)
	held, err := b.service.Export(context.Background(), fresh)
	b.must(err)
	if held.Address != address || len(held.Consents) != 1 || held.Letters != 2 {
		b.t.Errorf("held = %+v", held)
	}
	b.must(b.service.Erase(context.Background(), b.now, token))
	return token
}

func TestNewsH38EraseAndStayErased(t *testing.T) {
	b := newBench(t)
	const address = "canary.reader@canary.example"
	b.subscribe(address)
	b.start(issue())
	b.drain()
	old := b.token(address, "unsubscribe")
	token := b.erase(address)
	b.must(b.service.Erase(context.Background(), b.now, token)) // a second press
	b.must(b.service.Leave(context.Background(), b.now, old))   // an old letter's link
	if b.state(token) != "" {
		t.Error("the preferences are still there")
	}
	searchFiles(t, b.dir, "canary")
	b.now = b.now.Add(newsletter.AddressPause)
	b.ask(address)
	b.drain()
	b.must(b.confirm(b.token(address, "confirm")))
	second := issue()
	second.Slug = "another"
	b.start(second)
	b.drain()
	if got := len(b.letters()); got != 2 {
		t.Errorf("%d letters, want 2: her own sign-up works again", got)
	}
}

func searchFiles(t *testing.T, dir, canary string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(data), []byte(canary)) {
			t.Errorf("%s holds %q", entry.Name(), canary)
		}
	}
}

func TestUnconfirmedAddressesGoAfterSevenDays(t *testing.T) {
	b := newBench(t)
	b.ask("a@x.example")
	b.drain()
	token := b.token("a@x.example", "confirm")
	b.now = b.now.Add(newsletter.ConfirmFor)
	b.must(b.db.SweepNewsletter(context.Background(), b.now))
	if err := b.service.CheckConfirm(context.Background(), b.now, token); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v, want not found", err)
	}
}

func TestNothingNamesAReaderInTheDatabase(t *testing.T) {
	b := newBench(t)
	b.ask("canary.pending@canary.example")
	b.subscribe("canary.reader@canary.example")
	b.start(issue())
	b.peer.Script("canary.reader@canary.example")
	b.drain()
	searchFiles(t, b.dir, "canary")
}

func TestEraseByAddress(t *testing.T) {
	b := newBench(t)
	b.subscribe("canary.reader@canary.example")
	b.ask("canary.pending@canary.example")
	b.drain()
	pending := b.token("canary.pending@canary.example", "confirm")
	for address, want := range map[string]int{
		"Canary.Reader@canary.example": 2, "canary.pending@canary.example": 1, "nobody@canary.example": 0,
	} {
		parsed, err := mail.ParseAddress(address)
		b.must(err)
		for _, want := range []int{want, 0} {
			if got, err := b.db.EraseAddress(context.Background(), b.now, parsed); got != want || err != nil {
				t.Errorf("%s: %d, %v; want %d", address, got, err, want)
			}
		}
	}
	if err := b.confirm(pending); !fault.Is(err, fault.NotFound) {
		t.Errorf("confirm after erasing: %v, want not found", err)
	}
	searchFiles(t, b.dir, "canary")
}
