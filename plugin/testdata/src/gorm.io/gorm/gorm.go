// Package gorm stands for the library of that name.
package gorm

type DB struct{ Error error }

func (db *DB) Create(value any) *DB                    { return db }
func (db *DB) Transaction(fc func(tx *DB) error) error { return fc(db) }
