# Steadier: `make run` and `make test` are all that a newcomer needs.

GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

# One set of flags for everything: another set compiles SQLite again.
export GOFLAGS     := -trimpath -tags=sqlite_fts5 -buildvcs=false
export CGO_ENABLED := 1

COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS := -X main.commit=$(COMMIT)

.DEFAULT_GOAL := help
.PHONY: help run build test check e2e dev bench torture generate browser

help: ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## set up, build and serve the site at http://127.0.0.1:8080
	./bin/steadier serve

build: ## set up and build bin/steadier
	go build -ldflags '$(LDFLAGS)' -o bin/steadier ./cmd/steadier

test: build browser ## set up, then every test: unit, HTTP, real SMTP peer, real browser; pictures in artefacts/shots
	go test ./...
	cd internal/browser && export CHROME="$$(./chrome)" && node --test --test-concurrency=1 && node shots.mjs >/dev/null

browser: ## set up what the browser tests need
	cd internal/browser && npm ci --no-audit --no-fund --loglevel=error && ./chrome >/dev/null

check: build ## formatting, generated code, vet, linters, and the content
	@test -z "$$(go run $(GOFUMPT) -l cmd internal content templates static migrations | grep -v _templ.go | tee /dev/stderr)"
	go tool templ fmt -fail templates
	go tool templ generate -path templates && git diff --exit-code -- '*_templ.go'
	go mod verify && go mod tidy -diff
	go vet ./...
	go run $(STATICCHECK) -checks=all,-ST1000 ./...
	./bin/steadier check -strict -content content
	@go run $(GOVULNCHECK) ./... || { [ $$? -eq 3 ] && exit 1; echo 'SKIPPED: govulncheck could not reach its database'; }

e2e: build ## what needs mailpit, built here, and SpamAssassin (apt-get install spamassassin)
	GOFLAGS=-trimpath go build -C internal/tools/mailpit -o $(CURDIR)/bin/mailpit github.com/axllent/mailpit
	STEADIER_MAILPIT=$(CURDIR)/bin/mailpit go test -count=1 -tags='sqlite_fts5 e2e' \
	  -run 'RealMailServer|Spam' ./cmd/steadier ./internal/newsletter

# The words of a template change without a restart if the program knows where the
# template is: that one package is built with whole paths. The program watches the
# content by itself. Templates are generated from another folder: put that right after.
DEV_PORT ?= 7331
DEV_SITE ?= 8080
dev: ## the same as run at http://127.0.0.1:7331, with drafts and faults, reloading the browser as files change
	@trap : INT TERM; STEADIER_BASE_URL=http://127.0.0.1:$(DEV_PORT) STEADIER_ADDR=127.0.0.1:$(DEV_SITE) \
	  go tool templ generate --watch --open-browser=false --watch-pattern='\.(go|templ)$$|/static/.+\.(css|js|svg)$$' \
	  --proxy=http://127.0.0.1:$(DEV_SITE) --proxyport=$(DEV_PORT) \
	  --cmd='go run -gcflags=github.com/steadier/steadier/templates=-trimpath= ./cmd/steadier serve -dev'; \
	go tool templ generate -path templates

generate: ## templates to Go
	go tool templ fmt templates && go tool templ generate -path templates

bench: build ## benchmarks, as ratios against baselines of the same run
	go test -run '^$$' -bench . ./...
	go run ./internal/tools/servebench

# TORTURE='-seed 7 -rounds 100 -only kill,points -dir DIR': a seed that was printed, less of
# it, a folder in which to go on. go run ./internal/tools/torture -h tells the rest.
torture: ## the long form of the reliability proofs: a thousand kills, a fault at every write, a million requests
	go run ./internal/tools/torture $(TORTURE)
