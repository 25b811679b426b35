module github.com/deliverylint/deliverylint/test/release

go 1.26.0
