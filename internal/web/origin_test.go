package web

import (
	"net/http"
	"net/url"
	"testing"
)

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// SEC-H06: where a POST may come from.
func TestSECH06JudgeOfOrigins(t *testing.T) {
	h := newHosts(mustURL(t, "https://steadier.example"), mustURL(t, "https://post.example"))
	for _, tt := range []struct {
		name, site, origin string
		want               verdict
	}{
		{"our form, no referrer", "same-origin", "null", trusted},
		{"our form, origin sent", "same-origin", "https://steadier.example", trusted},
		{"our form from the mail host", "same-origin", "https://post.example", trusted},
		{"our form, no origin", "same-origin", "", trusted},
		{"typed or bookmarked", "none", "", trusted},
		{"another site", "cross-site", "https://evil.example", refused},
		{"another site that hides", "cross-site", "null", refused},
		{"another site without origin", "cross-site", "", refused},
		{"a host beside ours", "same-site", "https://x.steadier.example", refused},
		{"same-origin with another's origin", "same-origin", "https://evil.example", refused},
		{"same-origin over http", "same-origin", "http://steadier.example", refused},
		{"a word nobody knows", "friendly", "", refused},
		{"an older browser, our origin", "", "https://steadier.example", trusted},
		{"an older browser, no referrer", "", "null", unproven},
		{"an older browser, another site", "", "https://evil.example", refused},
		{"our host over http", "", "http://steadier.example", refused},
		{"our host with a user", "", "https://evil@steadier.example", refused},
		{"our host in other letters", "", "https://STEADIER.example", refused},
		{"our host with its port", "", "https://steadier.example:443", refused},
		{"a longer host", "", "https://steadier.example.evil.example", refused},
		{"no browser at all", "", "", trusted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := http.Header{}
			if tt.site != "" {
				header.Set("Sec-Fetch-Site", tt.site)
			}
			if tt.origin != "" {
				header.Set("Origin", tt.origin)
			}
			if got := judge(header, h.ours); got != tt.want {
				t.Errorf("judge = %v, want %v", got, tt.want)
			}
		})
	}
	doubled := http.Header{"Origin": {"https://steadier.example", "https://evil.example"}}
	if got := judge(doubled, h.ours); got != refused {
		t.Errorf("two origins: %v", got)
	}
}

func TestHostsUnderWhichTheSiteAnswers(t *testing.T) {
	public := newHosts(mustURL(t, "https://steadier.example"), mustURL(t, "https://post.example"))
	local := newHosts(mustURL(t, "http://127.0.0.1:8080"), nil)
	for _, tt := range []struct {
		name       string
		hosts      hosts
		host       string
		base, mail bool
	}{
		{"the site", public, "steadier.example", true, false},
		{"the site with its port", public, "steadier.example:443", true, false},
		{"the site in capitals", public, "Steadier.Example", true, false},
		{"the mail host", public, "post.example", false, true},
		{"another", public, "evil.example", false, false},
		{"a longer one", public, "steadier.example.evil.example", false, false},
		{"the machine", public, "127.0.0.1:8080", false, false},
		{"none", public, "", false, false},
		{"loopback by number", local, "127.0.0.1:8080", true, false},
		{"loopback by name", local, "localhost:8080", true, false},
		{"loopback, six", local, "[::1]:8080", true, false},
		{"loopback on another port", local, "localhost:80", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if b, m := tt.hosts.isBase(tt.host), tt.hosts.isMail(tt.host); b != tt.base || m != tt.mail {
				t.Errorf("base %v, mail %v; want %v, %v", b, m, tt.base, tt.mail)
			}
		})
	}
	for _, origin := range []string{"http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"} {
		if !local.ours(origin) {
			t.Errorf("%s is not ours", origin)
		}
	}
}
