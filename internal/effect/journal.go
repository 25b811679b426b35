package effect

import (
	"strings"

	"github.com/deliverylint/deliverylint/internal/sqltext"
)

// isJournal: audit and delivery logs record what happened, inboxes which messages
// did, counters how often, traces and signs of life that somebody ran; caches and
// access tokens can be had again. None is a state that an event tells of.
func isJournal(names []string) bool {
	for _, n := range names {
		l := strings.ToLower(n)
		for _, suffix := range journalSuffixes() {
			if strings.HasSuffix(l, suffix) && !strings.HasSuffix(l, "catalog") && !strings.HasSuffix(l, "blog") {
				return true
			}
		}
		if strings.Contains(l, "audit") || strings.Contains(l, "otel") && !strings.Contains(l, "hotel") || strings.Contains(l, "processed_message") || strings.Contains(l, "processedmessage") || strings.Contains(l, "idempotenc") {
			return true
		}
	}
	return false
}

func journalSuffixes() []string {
	return []string{
		"_log", "_logs", "log", "logs", "audit", "audits", "inbox", "counter", "counters", "ratelimit", "ratelimits",
		"rate_limit", "rate_limits", "resourcelimit", "resourcelimits", "resource_limit", "resource_limits", "quota", "quotas", "metrics", "stats", "statistics", "cache", "caches",
		"access_token", "access_tokens", "accesstoken", "accesstokens", "refresh_tokens", "refreshtoken",
	}
}

// signsOfLife: an update that only notes when somebody was last heard of.
func signsOfLife(set []sqltext.Column) bool {
	signs := 0
	for _, c := range set {
		name := strings.ReplaceAll(c.Name, "_", "")
		switch {
		case hasAny(name, "heartbeat", "lastseen", "lastping", "keepalive"):
			signs++
		case name != "updatedat" && name != "modifiedat":
			return false
		}
	}
	return signs > 0
}
