package consult

import (
	"sort"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/slots"
)

// offeredZones are the zones in the list on the page: a city for every offset and
// clock change that people live with. Any other zone is taken too, and then
// stands in the list.
const offeredZones = `
Pacific/Midway Pacific/Honolulu Pacific/Marquesas America/Anchorage America/Los_Angeles America/Vancouver America/Tijuana
America/Phoenix America/Denver America/Edmonton America/Chicago America/Winnipeg America/Mexico_City America/Guatemala
America/Costa_Rica America/Bogota America/Lima America/Jamaica America/New_York America/Toronto America/Havana
America/Panama America/Caracas America/La_Paz America/Puerto_Rico America/Halifax America/Santiago America/Asuncion
America/St_Johns America/Argentina/Buenos_Aires America/Montevideo America/Sao_Paulo America/Nuuk America/Noronha
Atlantic/Azores Atlantic/Cape_Verde Atlantic/Reykjavik Africa/Abidjan Africa/Accra Europe/London Europe/Dublin Europe/Lisbon
Africa/Casablanca Africa/Algiers Africa/Lagos Africa/Tunis Europe/Amsterdam Europe/Berlin Europe/Brussels Europe/Copenhagen
Europe/Madrid Europe/Oslo Europe/Paris Europe/Prague Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich
Europe/Belgrade Europe/Budapest Africa/Cairo Africa/Johannesburg Africa/Tripoli Asia/Beirut Asia/Jerusalem Europe/Athens
Europe/Bucharest Europe/Helsinki Europe/Kyiv Europe/Sofia Europe/Vilnius Africa/Nairobi Asia/Baghdad Asia/Riyadh
Europe/Istanbul Europe/Minsk Europe/Moscow Asia/Tehran Asia/Baku Asia/Dubai Asia/Tbilisi Asia/Yerevan Indian/Mauritius
Asia/Kabul Asia/Karachi Asia/Tashkent Asia/Almaty Asia/Colombo Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Yangon
Asia/Bangkok Asia/Ho_Chi_Minh Asia/Jakarta Asia/Hong_Kong Asia/Kuala_Lumpur Asia/Manila Asia/Shanghai Asia/Singapore
Asia/Taipei Australia/Perth Australia/Eucla Asia/Seoul Asia/Tokyo Australia/Adelaide Australia/Darwin Australia/Brisbane
Australia/Melbourne Australia/Sydney Pacific/Guam Australia/Lord_Howe Pacific/Noumea Pacific/Auckland Pacific/Fiji
Pacific/Chatham Pacific/Apia Pacific/Tongatapu Pacific/Kiritimati UTC`

// ZoneChoice is one line of the list of zones.
type ZoneChoice struct {
	Name   string // Europe/Madrid
	Words  string // "Madrid, UTC+1"
	Chosen bool
}

// loadZones reads the zones of the list once.
func loadZones() []*time.Location {
	names := strings.Fields(offeredZones)
	out := make([]*time.Location, 0, len(names))
	for _, name := range names {
		if zone, err := slots.LoadZone(name); err == nil {
			out = append(out, zone)
		}
	}
	return out
}

// Zones is the list of zones on the page, by city, with the chosen one among them.
func (s *Service) Zones(now time.Time, chosen string) []ZoneChoice {
	out := make([]ZoneChoice, 0, len(s.zones)+1)
	found := false
	for _, zone := range s.zones {
		c := zoneChoice(now, zone)
		c.Chosen = c.Name == chosen
		found = found || c.Chosen
		out = append(out, c)
	}
	if zone, err := slots.LoadZone(chosen); err == nil && !found {
		c := zoneChoice(now, zone)
		c.Chosen = true
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Words < out[j].Words })
	return out
}

func zoneChoice(now time.Time, zone *time.Location) ZoneChoice {
	return ZoneChoice{Name: zone.String(), Words: City(zone.String()) + ", " + OffsetWords(now, zone)}
}
