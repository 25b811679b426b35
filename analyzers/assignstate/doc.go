// Package assignstate finds message handlers that let an older message overwrite newer
// state.
package assignstate
