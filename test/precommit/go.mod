module github.com/deliverylint/deliverylint/test/precommit

go 1.26.0
