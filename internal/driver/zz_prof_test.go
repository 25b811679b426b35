package driver

import ("context";"testing";"os";"fmt";"time"
"github.com/deliverylint/deliverylint/internal/load"
"github.com/deliverylint/deliverylint/internal/catalog"
"github.com/deliverylint/deliverylint/internal/flow"
"github.com/deliverylint/deliverylint/analyzers"
)
func TestProf(t *testing.T){
 dir:=os.Getenv("PROFDIR"); if dir=="" {t.Skip("no dir")}
 cat,_:=catalog.Builtin()
 res,err:=load.Load(context.Background(),load.Config{Dir:dir,Patterns:[]string{"./..."},Bodies:bodies(cat)})
 if err!=nil{t.Fatal(err)}
 p,_:=buildProgram(res,cat)
 fmt.Println("functions",len(p.Funcs))
 flow.Debug=true
 s:=time.Now()
 for _,r:=range analyzers.All(){ r.Check(p) }
 fmt.Println(time.Since(s))
}
