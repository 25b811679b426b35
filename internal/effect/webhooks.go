package effect

import (
	"go/types"
	"slices"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// A webhook's endpoint is a handler: the provider delivers again until it is
// answered with a 2xx. What tells it from other endpoints is that it verifies a
// provider's signature or parses a provider's event.

// isRequest reports whether values of a type are a request to a server, or embed one.
func isRequest(t types.Type) bool { return requests(t, 3) }

func requests(t types.Type, depth int) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	if s, ok := n.Underlying().(*types.Struct); ok && depth > 0 {
		for f := range s.Fields() {
			if f.Embedded() && requests(f.Type(), depth-1) {
				return true
			}
		}
	}
	path, name := n.Obj().Pkg().Path(), n.Obj().Name()
	switch name {
	case "Request":
		return path == "net/http" || strings.Contains(path, "go-restful")
	case "Context":
		return path != "context" && slices.ContainsFunc([]string{"/gin", "/echo", "/iris", "/fiber", "/beego", "/goframe", "/ghttp"},
			func(w string) bool { return strings.Contains(path, w) })
	case "Ctx":
		return strings.Contains(path, "/fiber")
	case "RequestCtx":
		return strings.HasSuffix(path, "/fasthttp")
	case "RequestContext":
		return strings.Contains(path, "/hertz")
	case "APIGatewayProxyRequest", "APIGatewayV2HTTPRequest", "LambdaFunctionURLRequest":
		return strings.HasSuffix(path, "aws-lambda-go/events")
	}
	return false
}

// takesRequest: a parameter is a request to a server.
func (f *Func) takesRequest() bool {
	return slices.ContainsFunc(f.Params, func(q Param) bool { return q.Request })
}

// markWebhooks marks the functions that serve such requests.
func (p *Program) markWebhooks() {
	for _, s := range p.Order {
		f := p.Funcs[s]
		if f.Test {
			continue
		}
		n, broker := f.verifies()
		if n == nil {
			if f.namedWebhook() && !browsed(f) {
				p.addHandler(s, Handler{Way: ByWebhook, Broker: "http", Ack: AckResponse, OnError: Redeliver})
			}
			continue
		}
		for _, server := range p.servers(f, 3) {
			g := p.Funcs[server]
			if n.Entry == nil && (!signed(f) && !signed(g) || browsed(g)) || passesOn(g) {
				continue
			}
			p.addHandler(server, Handler{Way: ByWebhook, Broker: broker, Ack: AckResponse, OnError: Redeliver})
		}
	}
}

// verifies finds the node that checks a signature.
func (f *Func) verifies() (n *Node, broker string) {
	for _, n := range f.Nodes {
		switch {
		case n == nil:
		case n.Entry != nil && n.Entry.Kind == catalog.Verify:
			return n, n.Entry.Broker
		case n.Static == "crypto/hmac.Equal", n.Static == "crypto/subtle.ConstantTimeCompare":
			return n, "http"
		case n.Kind == NodeCall && verifiesByName(n.Text) && (n.Static == "" || hasAny(strings.ToLower(n.Text), "signature")):
			return n, "http"
		case asksForToken(n):
			return n, "http"
		}
	}
	return nil, ""
}

// asksForToken: the sender shows a secret of its own in a header, such as
// X-Gitlab-Token; users have theirs in Authorization.
func asksForToken(n *Node) bool {
	if n.Kind != NodeCall || !strings.HasSuffix(n.Text, "Header.Get") && !strings.HasSuffix(n.Text, "GetHeader") {
		return false
	}
	return slices.ContainsFunc(n.Args, func(v *Value) bool {
		if v == nil || v.Kind != ValueConst {
			return false
		}
		l := strings.ToLower(strings.Trim(v.Name, `"`))
		return strings.HasPrefix(l, "x-") && (strings.HasSuffix(l, "-token") || strings.HasSuffix(l, "-secret")) && !hasAny(l, "csrf", "xsrf", "auth")
	})
}

// verifiesByName: a function that is handed in checks the signature.
func verifiesByName(text string) bool {
	l := strings.ToLower(text[strings.LastIndexByte(text, '.')+1:])
	return l == "verify" || hasAny(l, "parsenotify", "parsewebhook") || hasAny(l, "signature") && hasAny(l, "verify", "check", "valid")
}

// signed reports whether a function speaks of a webhook or of a signature's
// header: comparing codes in constant time alone is no sign of one.
func signed(f *Func) bool {
	name := strings.ToLower(f.Name)
	for _, w := range []string{"webhook", "callback", "ipn"} {
		if strings.Contains(name, w) || strings.Contains(strings.ToLower(pathBase(f.Package)), w) {
			return true
		}
	}
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		return n != nil && slices.ContainsFunc(n.Args, func(v *Value) bool {
			return v != nil && v.Kind == ValueConst && len(v.Name) < 60 && strings.Contains(strings.ToLower(v.Name), "signature") && !strings.Contains(v.Name, " ")
		})
	})
}

// browsed reports whether a browser comes here, as it does after a login
// elsewhere: nothing delivers again what it was sent with.
func browsed(f *Func) bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		if n == nil || n.Kind > NodeDefer {
			return false
		}
		name := n.Text[strings.LastIndexByte(n.Text, '.')+1:]
		if l := strings.ToLower(name); strings.HasPrefix(l, "redirect") || hasAny(l, "setupsession", "setsession", "newsession", "login", "signin") {
			return true
		}
		return name == "Redirect" || name == "SetCookie" || strings.HasPrefix(n.Static, "golang.org/x/oauth2.")
	})
}

// passesOn: a middleware that checks who asks, and hands the request to what is asked for.
func passesOn(f *Func) bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool {
		return n != nil && n.Kind == NodeCall && slices.Contains([]string{"Next", "next", "ServeHTTP"}, n.Text[strings.LastIndexByte(n.Text, '.')+1:])
	})
}

// servers are the nearest functions, itself or its callers, that take a request.
func (p *Program) servers(f *Func, depth int) []string {
	if f.Test {
		return nil
	}
	var out []string
	if f.takesRequest() && !validates(f) {
		return []string{f.Symbol}
	}
	if depth == 0 {
		return nil
	}
	for _, c := range p.Callers[f.Symbol] {
		if c != f.Symbol && len(out) < 8 {
			out = append(out, p.servers(p.Funcs[c], depth-1)...)
		}
	}
	return out
}

// validates reports whether a function only says whether a request is genuine.
func validates(f *Func) bool {
	l := strings.ToLower(f.Name)
	for _, w := range []string{"valid", "verify", "check", "genuine", "authentic", "signature"} {
		if strings.Contains(l, w) {
			return f.ErrResult >= 0 || f.BoolResult >= 0
		}
	}
	return false
}
