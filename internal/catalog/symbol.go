package catalog

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"
)

// ParseSymbol reads a fully qualified name: "example.org/shop/events.Bus.Emit",
// "example.org/shop/events.Emit", or, where a dot in the import path makes that
// ambiguous, "(example.org/shop/events.go.Bus).Emit".
func ParseSymbol(s string) (Symbol, error) {
	if rest, ok := strings.CutPrefix(s, "("); ok {
		return parseMethod(s, rest)
	}
	dir, base := splitDir(s)
	parts := strings.Split(base, ".")
	if len(parts) < 2 {
		return Symbol{}, badSymbol(s)
	}
	sym := Symbol{Name: parts[len(parts)-1]}
	parts = parts[:len(parts)-1]
	if len(parts) > 1 && isTypeName(parts[len(parts)-1]) {
		sym.Type = parts[len(parts)-1]
		parts = parts[:len(parts)-1]
	}
	sym.Package = dir + strings.Join(parts, ".")
	return checked(sym, s)
}

func parseMethod(s, rest string) (Symbol, error) {
	receiver, name, ok := strings.Cut(strings.TrimPrefix(rest, "*"), ").")
	dot := strings.LastIndex(receiver, ".")
	if !ok || dot < 0 {
		return Symbol{}, badSymbol(s)
	}
	return checked(Symbol{Package: receiver[:dot], Type: receiver[dot+1:], Name: name}, s)
}

func checked(sym Symbol, s string) (Symbol, error) {
	if sym.Package == "" || strings.HasSuffix(sym.Package, "/") || strings.ContainsAny(sym.Package, " ()*") ||
		!token.IsIdentifier(sym.Name) || sym.Type != "" && !token.IsIdentifier(sym.Type) {
		return Symbol{}, badSymbol(s)
	}
	return sym, nil
}

func badSymbol(s string) error {
	return fmt.Errorf("%q is no import/path.Func or import/path.Type.Method", s)
}

// splitDir splits behind the last slash.
func splitDir(s string) (dir, base string) {
	i := strings.LastIndex(s, "/") + 1
	return s[:i], s[i:]
}

// isTypeName tells a type from a part of an import path's last element:
// "nats.go" and "yaml.v2" end in what is no type.
func isTypeName(s string) bool {
	if !token.IsIdentifier(s) {
		return false
	}
	version := len(s) > 1 && s[0] == 'v' && strings.IndexFunc(s[1:], func(r rune) bool { return !unicode.IsDigit(r) }) < 0
	return !version
}

// anyMethod stands for the methods of a type that have no entry.
const anyMethod = "*"

// parseLocal reads "Type.Method", "Type.*" or "Func" of a library file.
func parseLocal(s string) (Symbol, error) {
	var sym Symbol
	sym.Name = s
	if typ, method, ok := strings.Cut(s, "."); ok {
		sym.Type, sym.Name = typ, method
		if !token.IsIdentifier(typ) {
			return Symbol{}, fmt.Errorf("%q is no Func or Type.Method", s)
		}
	}
	if !token.IsIdentifier(sym.Name) && (sym.Type == "" || sym.Name != anyMethod) {
		return Symbol{}, fmt.Errorf("%q is no Func or Type.Method", s)
	}
	return sym, nil
}

// parseLocalType reads the name of a type in a library file.
func parseLocalType(s string) (Symbol, error) {
	if !token.IsIdentifier(s) {
		return Symbol{}, fmt.Errorf("%q is no type name", s)
	}
	return Symbol{Name: s}, nil
}

// parseQualifiedType reads "example.org/shop/events.Bus".
func parseQualifiedType(s string) (Symbol, error) {
	dot := strings.LastIndex(s, ".")
	if dot < 0 {
		return Symbol{}, fmt.Errorf("%q is no import/path.Type", s)
	}
	sym, err := checked(Symbol{Package: s[:dot], Name: s[dot+1:]}, s)
	if err != nil {
		err = fmt.Errorf("%q is no import/path.Type", s)
	}
	return sym, err
}
