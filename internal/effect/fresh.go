package effect

import (
	"go/types"
	"strings"
)

// makesFresh reports whether a function returns something that is new in every
// call, whatever it is given: a random id, the clock.
func makesFresh(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	path, name := f.Pkg().Path(), f.Name()
	switch path {
	case "time":
		return name == "Now" || name == "Since" || name == "Until"
	case "math/rand", "math/rand/v2", "crypto/rand":
		return true
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	if strings.HasPrefix(base, "v") && len(base) <= 3 { // a major version
		base = strings.TrimSuffix(path, "/"+base)
		base = base[strings.LastIndexByte(base, '/')+1:]
	}
	switch strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go") {
	case "uuid", "go.uuid", "uuid.go":
		// NewV3, NewV5, NewMD5, NewSHA1 and NewHash are made from a name.
		return strings.HasPrefix(name, "New") && !strings.Contains(name, "V3") && !strings.Contains(name, "V5") &&
			!strings.Contains(name, "MD5") && !strings.Contains(name, "SHA1") && !strings.Contains(name, "Hash") || name == "GenerateUUID"
	case "ulid":
		return name == "Make" || name == "New" || name == "MustNew" || name == "Now"
	case "xid", "ksuid", "shortuuid", "cuid", "cuid2", "typeid":
		return strings.HasPrefix(name, "New") || name == "Generate"
	case "nanoid", "snowflake", "sonyflake":
		return name == "New" || name == "Must" || name == "Generate" || name == "NextID"
	case "primitive", "bson":
		return name == "NewObjectID"
	case "watermill":
		return name == "NewUUID" || name == "NewShortUUID" || name == "NewULID"
	}
	return false
}
