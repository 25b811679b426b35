module github.com/deliverylint/deliverylint/test/report

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2
	github.com/joshdk/go-junit v1.0.0
	github.com/owenrumney/go-sarif/v3 v3.3.1
	github.com/reviewdog/reviewdog v0.20.3
	github.com/xeipuuv/gojsonschema v1.2.0
	google.golang.org/protobuf v1.35.2
)

require (
	github.com/haya14busa/go-sarif v0.0.0-20240630170108-a3ba8d79599f // indirect
	github.com/reviewdog/errorformat v0.0.0-20240608101709-1d3280ed6bd4 // indirect
	github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f // indirect
	github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 // indirect
)
