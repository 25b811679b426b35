module github.com/deliverylint/deliverylint

go 1.26.0

require (
	github.com/DataDog/go-sqllexer v0.2.6
	github.com/goccy/go-yaml v1.19.2
	github.com/golangci/plugin-module-register v0.1.2
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/mod v0.43.0
	golang.org/x/term v0.48.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/google/go-cmp v0.7.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
