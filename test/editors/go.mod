module github.com/deliverylint/deliverylint/test/editors

go 1.26.0
