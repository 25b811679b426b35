package catalog

// unverified lists the packages that the module proxy doesn't serve here, with
// what their entries rest on instead. It is the only such list.
func unverified() map[string]string {
	return map[string]string{}
}
