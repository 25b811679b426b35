package catalog

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/deliverylint/deliverylint/internal/catalog"
)

// checkEntry tells what is wrong with an entry, given its package.
func checkEntry(pkg *types.Package, e catalog.Entry) error {
	if e.Symbol.Name == "*" {
		return checkType(pkg, e.Symbol.Type)
	}
	fn, err := lookup(pkg, e.Symbol)
	if err != nil {
		return err
	}
	sig := fn.Signature()
	for _, check := range []func(*types.Signature, catalog.Entry) error{checkRange, checkSQL, checkFunc, checkResult} {
		if err := check(sig, e); err != nil {
			return fmt.Errorf("%w in %s", err, types.TypeString(sig, types.RelativeTo(pkg)))
		}
	}
	return nil
}

// lookup finds a function, or a method in the method set of a type or of a
// pointer to it, promoted ones included.
func lookup(pkg *types.Package, s catalog.Symbol) (*types.Func, error) {
	if s.Type == "" {
		fn, ok := pkg.Scope().Lookup(s.Name).(*types.Func)
		if !ok {
			return nil, fmt.Errorf("no function %s", s.Name)
		}
		return fn, nil
	}
	named, err := lookupType(pkg, s.Type)
	if err != nil {
		return nil, err
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, pkg, s.Name)
	if types.IsInterface(named) {
		obj, _, _ = types.LookupFieldOrMethod(named, true, pkg, s.Name)
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil, fmt.Errorf("%s has no method %s", s.Type, s.Name)
	}
	return fn, nil
}

// lookupType finds a type of the package's own: under an alias of another's
// type no call is ever seen.
func lookupType(pkg *types.Package, name string) (*types.Named, error) {
	obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil, fmt.Errorf("no type %s", name)
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return nil, fmt.Errorf("%s is no named type", name)
	}
	if named.Obj() != obj && moved()[pkg.Path()] != named.Obj().Pkg().Path() {
		return nil, fmt.Errorf("%s is an alias of %s", name, named)
	}
	return named, nil
}

// moved are packages whose types were their own in earlier versions, and are names for
// those of another package now: an entry for each stands for its time.
func moved() map[string]string {
	return map[string]string{
		"cloud.google.com/go/pubsub": "cloud.google.com/go/internal/pubsub", // v0.26 to v1.6 and on
	}
}

func checkRange(sig *types.Signature, e catalog.Entry) error {
	for _, arg := range []struct {
		name string
		at   int
	}{
		{"handle", e.Handle.Arg}, {"sql", e.SQL}, {"entity", e.Entity}, {"func", e.Func},
		{"topic", e.Topic}, {"key", e.Key}, {"payload", e.Payload}, {"text", e.Text},
	} {
		if arg.at >= sig.Params().Len() {
			return fmt.Errorf("%s: no argument %d", arg.name, arg.at)
		}
	}
	return nil
}

// argument returns the type of an argument, of a variadic one its element's.
func argument(sig *types.Signature, i int) types.Type {
	t := sig.Params().At(i).Type()
	if slice, ok := t.(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
		return slice.Elem()
	}
	return t
}

// checkSQL wants a string, or an interface that takes one.
func checkSQL(sig *types.Signature, e catalog.Entry) error {
	if e.SQL < 0 {
		return nil
	}
	switch t := argument(sig, e.SQL).Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			return nil
		}
	case *types.Interface:
		if t.Empty() || !t.IsMethodSet() {
			return nil
		}
	}
	return fmt.Errorf("sql: argument %d is no string", e.SQL)
}

// checkFunc wants a function with the parameters that the entry names, an interface,
// whose method is then the handler, or what handlers are registered in.
func checkFunc(sig *types.Signature, e catalog.Entry) error {
	if e.Func < 0 {
		return nil
	}
	switch t := argument(sig, e.Func).Underlying().(type) {
	case *types.Interface:
		if e.TxParam >= 0 || e.CtxParam >= 0 {
			return fmt.Errorf("tx-param: argument %d is an interface", e.Func)
		}
		return nil
	case *types.Signature:
		return checkParams(t, e)
	case *types.Map:
		switch t.Elem().Underlying().(type) {
		case *types.Signature, *types.Interface:
			return nil
		}
	case *types.Pointer:
		if e.Kind == catalog.Handler && hasHandlerField(t.Elem()) {
			return nil
		}
	}
	return fmt.Errorf("func: argument %d is no function", e.Func)
}

// hasHandlerField: options with the handler among them.
func hasHandlerField(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if strings.Contains(f.Name(), "Handler") {
			return true
		}
	}
	return false
}

func checkParams(fn *types.Signature, e catalog.Entry) error {
	if n := fn.Params().Len(); e.TxParam >= n || e.CtxParam >= n {
		return fmt.Errorf("tx-param or ctx-param: the function has %d parameters", n)
	}
	if e.TxParam >= 0 && isContext(fn.Params().At(e.TxParam).Type()) {
		return fmt.Errorf("tx-param: parameter %d is a context", e.TxParam)
	}
	if e.CtxParam >= 0 && !isContext(fn.Params().At(e.CtxParam).Type()) {
		return fmt.Errorf("ctx-param: parameter %d is no context", e.CtxParam)
	}
	return nil
}

// isContext tells context.Context and the interfaces that contain it.
func isContext(t types.Type) bool {
	if !types.IsInterface(t) {
		return false
	}
	for _, name := range []string{"Deadline", "Done", "Err", "Value"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name); obj == nil {
			return false
		}
	}
	return true
}

// checkResult wants the result of the kinds that return something, and wants
// it to be no error.
func checkResult(sig *types.Signature, e catalog.Entry) error {
	switch e.Kind {
	case catalog.Begin, catalog.Bind, catalog.PublishChannel, catalog.OutboxPublisher:
	default:
		if e.Result > 0 && e.Result >= sig.Results().Len() {
			return fmt.Errorf("result: no result %d", e.Result)
		}
		return nil
	}
	if e.Result == catalog.NoArg || e.Kind == catalog.Bind && e.Func >= 0 {
		return nil
	}
	if e.Result >= sig.Results().Len() {
		return fmt.Errorf("result: no result %d", e.Result)
	}
	t := sig.Results().At(e.Result).Type()
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return fmt.Errorf("result: result %d is an error", e.Result)
	}
	if _, ok := t.Underlying().(*types.Chan); e.Kind == catalog.PublishChannel && !ok {
		return fmt.Errorf("result: result %d is no channel", e.Result)
	}
	return nil
}

// checkHandler tells what is wrong with a handler's interface.
func checkHandler(pkg *types.Package, h catalog.HandlerType) error {
	named, err := lookupType(pkg, h.Interface)
	if err != nil {
		return err
	}
	if !types.IsInterface(named) {
		return fmt.Errorf("%s is no interface", h.Interface)
	}
	if obj, _, _ := types.LookupFieldOrMethod(named, false, pkg, h.Method); obj == nil {
		return fmt.Errorf("%s has no method %s", h.Interface, h.Method)
	}
	return nil
}
