package fix

import (
	"go/ast"
	"go/types"
)

// Leaves is the return of a handler that has nothing to do: without an error, and with
// what it returns in the end, if that needs no variable but the entity, nil for none.
func (s *Site) Leaves(entity *ast.Ident) (string, bool) {
	r := s.Results()
	body := s.Body().List
	last, ok := body[len(body)-1].(*ast.ReturnStmt)
	switch {
	case s.ReturnsError():
		return "return nil", true
	case r == nil || r.Len() == 0:
		return "return", true
	case !ok || len(last.Results) != r.Len() || r.At(0).Name() != "" || !s.Info.Types[last.Results[r.Len()-1]].IsNil():
		return "", false
	}
	constant := true
	ast.Inspect(last, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		v, variable := s.Info.Uses[id].(*types.Var)
		constant = constant && !(ok && variable && (entity == nil || types.Object(v) != s.Info.ObjectOf(entity)))
		return constant
	})
	return s.Source(last), constant
}
