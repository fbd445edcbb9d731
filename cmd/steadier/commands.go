package main

// commands is all that steadier does, in the order of the usage text.
func commands() []command {
	return []command{
		{"serve", "[-dev]", "serve the site until SIGINT or SIGTERM", serve},
		{"check", "[-content DIR] [-strict] [-now DATE]", "read the content folder and print what is wrong", check},
		{"slots", "-availability FILE -zone ZONE -now TIME …", "print the bookable starts", printSlots},
		{"calls", "[-days N]", "print the coming calls as cards", printCalls},
		{"owner", "add NAME", "a one-time link with which an owner sets up how they sign in; also the way back in", ownerCommand},
		{"feed", "add | revoke", "the secret address of the owner's calendar feed", feed},
		{"newsletter", "list | preview | send | pause | resume | status", "the letters and their sending", newsletterCommand},
		{"subscribers", "import FILE | export FILE", "read and write files of subscribers", subscribersCommand},
		{"bounce", "", "note a delivery status notification from standard input", bounceCommand},
		{"backup", "FILE", "a consistent, encrypted copy of the database, also while serving", backup},
		{"restore", "[-check] [-identity FILE] FILE", "put a backup into an empty data folder, or only verify it", restore},
		{"keys", "export FILE | import FILE | rotate", "the sealing keys, kept apart from backups", keysCommand},
		{"erase", "- | ADDRESS-OR-PHONE", "remove everything held about one person", erase},
		{"doctor", "", "look at everything that the site depends on, in plain words", doctor},
		{"export", "DIR", "write the reading part of the site as static files", export},
		{"version", "", "print version, commit, Go and SQLite", version},
	}
}
