package outbox

import (
	"os"
	"strings"
)

// BootID names this run of the machine, on systems that give it a name; else it is
// empty. A program that was killed finds the same one again, after a power cut it
// finds another.
func BootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}
