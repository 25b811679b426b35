package effect

import "strings"

// namedWebhook: a function that takes a request and reads what it carries, and that is
// called a webhook, as its type is or its package. Endpoints that manage webhooks are none.
func (f *Func) namedWebhook() bool {
	if !f.takesRequest() || !f.readsBody() {
		return false
	}
	name := strings.ToLower(f.ownName())
	typ := strings.Trim(strings.TrimSuffix(strings.ToLower(f.Name), name), "(*).")
	if !strings.Contains(name, "webhook") && !strings.HasSuffix(typ, "webhook") && !strings.HasSuffix(typ, "webhooks") && !strings.HasSuffix(typ, "hooks") && !strings.HasSuffix(pathBase(f.Package), "webhook") {
		return false
	}
	for _, w := range []string{"create", "list", "get", "update", "delete", "register", "add", "remove", "edit", "test", "patch", "new", "set", "post", "put", "manage", "enable", "disable", "send", "replay", "resend"} {
		if strings.HasPrefix(strings.TrimPrefix(name, "handle"), w) {
			return false
		}
	}
	return true
}
