module github.com/deliverylint/deliverylint/test/bench

go 1.26.0
