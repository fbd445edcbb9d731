package newsletter

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/seal"
)

// Store keeps subscriptions. Each method is one transaction. Tokens reach it only
// as hashes, but for those that it seals into the outbox.
type Store interface {
	// AskNewsletter keeps a sign-up and queues its mail, within the budgets. The
	// result never depends on what is known of the address.
	AskNewsletter(ctx context.Context, now time.Time, a Ask) error
	// FindSignup returns fault.NotFound unless the link to confirm is good.
	FindSignup(ctx context.Context, now time.Time, hash []byte) error
	// ConfirmNewsletter subscribes, once for each link.
	ConfirmNewsletter(ctx context.Context, now time.Time, hash []byte, wording string) error
	// LeaveNewsletter unsubscribes. Somebody who was erased has left already.
	LeaveNewsletter(ctx context.Context, now time.Time, l Link) error
	// FindSubscriber returns whose link it is, or fault.NotFound.
	FindSubscriber(ctx context.Context, l Link) (Subscriber, error)
	// FindFresh returns whose freshly mailed link it is, or fault.NotFound.
	FindFresh(ctx context.Context, now time.Time, hash []byte) (Subscriber, error)
	SetSettings(ctx context.Context, now time.Time, subscriber string, s Settings) error
	// AskFresh queues a mail with a link that may do more.
	AskFresh(ctx context.Context, now time.Time, subscriber, token string, hash []byte) error
	HeldAbout(ctx context.Context, subscriber string) (Held, error)
	// EraseFresh erases whoever holds a freshly mailed link; again and again with
	// the same outcome.
	EraseFresh(ctx context.Context, now time.Time, hash []byte) error
	// StartedIssues are the slugs of the issues whose sending has begun.
	StartedIssues(ctx context.Context) (map[string]bool, error)
}

// Ask is a sign-up to be stored.
type Ask struct {
	Address mail.Address
	Token   string // for the mail
	Hash    []byte // of the token
	SiteCap int    // confirmation mails of the site in SiteWindow; 0: no limit
}

// NewAsk is a sign-up for an address, with a fresh token and no limit of the site.
func NewAsk(address mail.Address) Ask {
	token := seal.NewToken()
	return Ask{Address: address, Token: token, Hash: seal.HashToken(confirmUse, token)}
}

// Service is what the pages of the newsletter may do.
type Service struct {
	store   Store
	links   Links
	budget  *Budget
	limited bool
}

// NewService returns the service. limited switches the limits on networks, on the
// site and on speed; those on one address always hold.
func NewService(store Store, links Links, limited bool) *Service {
	return &Service{store: store, links: links, budget: NewBudget(), limited: limited}
}

// Request is a posted sign-up form.
type Request struct {
	Email  string     // as typed
	Trap   string     // the field that no person sees
	Issued time.Time  // when the form was made
	Client netip.Addr // whose network is limited; may be zero
}

// The sentences at the e-mail field.
const (
	needAddress  = "Enter one e-mail address, like name@example.org."
	plainLetters = "The part before the @ has letters that many mail servers still refuse. Please use another address."
)

// Subscribe asks for the newsletter. A wrong address is fault.Invalid; everything
// else gives nil, whether or not a mail will follow.
func (s *Service) Subscribe(ctx context.Context, now time.Time, r Request) error {
	address, err := mail.ParseAddress(r.Email)
	if errors.Is(err, mail.ErrForeignLocal) {
		return fault.BadFields(fault.Field{Name: "email", Message: plainLetters})
	}
	if err != nil {
		return fault.BadFields(fault.Field{Name: "email", Message: needAddress})
	}
	if r.Trap != "" || s.tooFast(now, r.Issued) {
		return nil
	}
	ask := NewAsk(address)
	if s.limited {
		ask.SiteCap = SiteMost
		if !s.budget.Spend(now, r.Client) {
			return nil
		}
	}
	return s.store.AskNewsletter(ctx, now, ask)
}

func (s *Service) tooFast(now, issued time.Time) bool {
	age := now.Sub(issued)
	return s.limited && age >= 0 && age < TooFast
}

// What the hashes of random tokens are bound to.
const (
	confirmUse = "newsletter confirm"
	freshUse   = "newsletter fresh"
)

// CheckConfirm returns fault.NotFound unless the token can confirm, or has done so.
func (s *Service) CheckConfirm(ctx context.Context, now time.Time, token string) error {
	return s.store.FindSignup(ctx, now, seal.HashToken(confirmUse, token))
}

// Confirm subscribes the address to which the token was mailed.
func (s *Service) Confirm(ctx context.Context, now time.Time, token string) error {
	return s.store.ConfirmNewsletter(ctx, now, seal.HashToken(confirmUse, token), Wording)
}

// CheckLeave returns fault.NotFound unless the token can unsubscribe.
func (s *Service) CheckLeave(ctx context.Context, token string) error {
	link, ok := s.links.Read(token, ToLeave)
	if !ok {
		return fault.New(fault.NotFound, "")
	}
	_, err := s.store.FindSubscriber(ctx, link)
	return err
}

// Leave unsubscribes.
func (s *Service) Leave(ctx context.Context, now time.Time, token string) error {
	link, ok := s.links.Read(token, ToLeave)
	if !ok {
		return fault.New(fault.NotFound, "")
	}
	return s.store.LeaveNewsletter(ctx, now, link)
}

// Choice is whose preferences a token opens, and whether it is a freshly mailed
// one, which may also see and erase what is held.
type Choice struct {
	Subscriber

	Fresh bool
}

// Preferences returns whose preferences a token opens, or fault.NotFound.
func (s *Service) Preferences(ctx context.Context, now time.Time, token string) (Choice, error) {
	if link, ok := s.links.Read(token, ToChoose); ok {
		who, err := s.store.FindSubscriber(ctx, link)
		return Choice{Subscriber: who}, err
	}
	who, err := s.store.FindFresh(ctx, now, seal.HashToken(freshUse, token))
	return Choice{Subscriber: who, Fresh: true}, err
}

// Choose keeps a subscriber's settings.
func (s *Service) Choose(ctx context.Context, now time.Time, who Choice, settings Settings) error {
	return s.store.SetSettings(ctx, now, who.ID, settings)
}

// AskFresh mails a link that may do more, to the subscriber's own address.
func (s *Service) AskFresh(ctx context.Context, now time.Time, who Choice) error {
	token := seal.NewToken()
	return s.store.AskFresh(ctx, now, who.ID, token, seal.HashToken(freshUse, token))
}

// Export returns everything that is held, to the holder of a fresh link only.
func (s *Service) Export(ctx context.Context, who Choice) (Held, error) {
	if !who.Fresh {
		return Held{}, fault.New(fault.NotFound, "")
	}
	return s.store.HeldAbout(ctx, who.ID)
}

// Erase removes everything held about the holder of a fresh link.
func (s *Service) Erase(ctx context.Context, now time.Time, token string) error {
	return s.store.EraseFresh(ctx, now, seal.HashToken(freshUse, token))
}

// Archive tells which issues anybody may read on the site: those whose sending has
// begun.
func (s *Service) Archive(ctx context.Context) (map[string]bool, error) {
	return s.store.StartedIssues(ctx)
}
