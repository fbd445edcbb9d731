package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// deployFiles are the files of the folder deploy, with what is in them.
func deployFiles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("deploy/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v: %d files", err, len(paths))
	}
	files := make(map[string]string)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(text)
	}
	return files
}

var (
	variable = regexp.MustCompile(`STEADIER_[A-Z_]+`)
	// A command line of the program: in a file of systemd, of a shell, or in a text.
	commandLine = regexp.MustCompile("(?m)(?:bin/steadier|steadier-as|^(?:#\\s+)?steadier|`steadier) ([a-z]+)((?: +[^\\s`#;&|]+)*)(?:[\\s`#;&|\"]|$)")
	flagOfLine  = regexp.MustCompile(`(?:^| )(-[a-z]+)`)
	shipped     = regexp.MustCompile(`cmd/steadier/deploy/([A-Za-z.-]+[a-z])`)
)

// What a file of deploy names must be there: a variable, a command, its flags.
func TestDeployFilesNameWhatExists(t *testing.T) {
	known := make(map[string]bool)
	for _, s := range settings {
		known[s.name] = true
	}
	var seen []string
	for name, text := range deployFiles(t) {
		for _, v := range variable.FindAllString(text, -1) {
			if !known[v] {
				t.Errorf("%s: there is no variable %s", name, v)
			}
		}
		for _, line := range commandLine.FindAllStringSubmatch(text, -1) {
			checkCommandLine(t, name, line[1], line[2])
			seen = append(seen, line[1])
		}
	}
	for _, want := range []string{"serve", "backup", "restore", "keys", "doctor"} {
		if !slices.Contains(seen, want) {
			t.Errorf("no file of deploy tells how to run %s", want)
		}
	}
}

func checkCommandLine(t *testing.T, file, name, rest string) {
	t.Helper()
	if !slices.ContainsFunc(commands(), func(c command) bool { return c.name == name }) {
		t.Errorf("%s: there is no command %q", file, name)
		return
	}
	d := desk{t: t}
	_, help, _ := d.run("", name, "-h")
	for _, f := range flagOfLine.FindAllStringSubmatch(rest, -1) {
		if !strings.Contains(help, f[1]) {
			t.Errorf("%s: %s has no %s", file, name, f[1])
		}
	}
	if verb := strings.Fields(rest); (name == "keys" || name == "newsletter") && len(verb) > 0 && !strings.Contains(help, "steadier "+name+" "+verb[0]) {
		t.Errorf("%s: %s has no %s", file, name, verb[0])
	}
}

// Whoever reads the way to a server finds each file that is there, and none that is not.
func TestDeployFilesAreAllExplained(t *testing.T) {
	files := deployFiles(t)
	guide := files["README.md"]
	for name := range files {
		if name != "README.md" && !strings.Contains(guide, name) {
			t.Errorf("deploy/README.md does not speak of %s", name)
		}
	}
	for _, m := range shipped.FindAllStringSubmatch(guide, -1) {
		if _, ok := files[m[1]]; !ok {
			t.Errorf("deploy/README.md speaks of %s, which is not there", m[1])
		}
	}
	front, err := os.ReadFile("../../README.md")
	if err != nil || !strings.Contains(string(front), "(cmd/steadier/deploy/README.md)") {
		t.Errorf("README.md does not lead to cmd/steadier/deploy/README.md (%v)", err)
	}
}

// The example of the environment starts the program once the recipient is a real one.
func TestDeployEnvironmentIsTaken(t *testing.T) {
	text := strings.Replace(deployFiles(t)["env.example"], "age1…", "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p", 1)
	values := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			values[name] = value
		}
	}
	c, err := readConfig(func(name string) string { return values[name] })
	if err != nil || len(c.proxies) != 1 || c.mailBase == nil || c.recipient == "" {
		t.Errorf("%+v, %v", c, err)
	}
}

// The units are clean where systemd is there to say so. The program need not be
// installed: another one stands for it.
func TestDeployUnitsAreClean(t *testing.T) {
	tool := orSkip(t, "systemd-analyze")
	dir := t.TempDir()
	var units []string
	for name, text := range deployFiles(t) {
		if !strings.HasSuffix(name, ".service") && !strings.HasSuffix(name, ".timer") {
			continue
		}
		text = strings.ReplaceAll(text, "/usr/local/bin/steadier", "/bin/true")
		text = strings.ReplaceAll(text, "/usr/local/bin/litestream", "/bin/true")
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		units = append(units, path)
	}
	out, err := exec.Command(tool, append([]string{"verify"}, units...)...).CombinedOutput()
	if said := aboutUnits(string(out), units); err != nil || said != "" {
		t.Errorf("systemd-analyze verify: %v\n%s", err, said)
	}
}

// aboutUnits keeps the lines that speak of these units: others of the machine may have
// faults of their own, and systemd wants documentation to be installed.
func aboutUnits(out string, units []string) string {
	var said strings.Builder
	for line := range strings.Lines(out) {
		if slices.ContainsFunc(units, func(u string) bool { return strings.Contains(line, filepath.Base(u)) }) {
			said.WriteString(line)
		}
	}
	return said.String()
}

func TestDeployCaddyfileIsTaken(t *testing.T) {
	tool := orSkip(t, "caddy")
	cmd := exec.Command(tool, "validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("caddy validate: %v\n%s", err, out)
	}
	out, err := exec.Command(tool, "fmt", "--diff", "deploy/Caddyfile").CombinedOutput()
	if err != nil {
		t.Errorf("caddy fmt: %v\n%s", err, out)
	}
}

func TestDeployScriptIsAScript(t *testing.T) {
	if out, err := exec.Command("/bin/sh", "-n", "deploy/steadier-as").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	info, err := os.Stat("deploy/steadier-as")
	if err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("steadier-as cannot be run (%v)", err)
	}
}

// orSkip finds a tool that is no part of the set-up.
func orSkip(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: there is no %s here, so nothing was seen of what it thinks", name)
	}
	return path
}
