// Package store keeps pumps.
package store

import (
	"errors"
	"fmt"
)

// ErrMissing says that there is no such pump.
var ErrMissing = errors.New("missing")

// Pump is one pump.
type Pump struct {
	Number int
}

type (
	// Kind is a kind of pump.
	Kind int
	Store[T any] struct {
		pumps map[int]T
	}
)

// Put keeps a pump.
//
// It replaces the one before.
func (s *Store[T]) Put(number int, pump T) error {
	s.pumps[number] = pump
	return nil
}

func (k Kind) String() string { return fmt.Sprint(int(k)) }

func New() *Store[Pump] {
	return &Store[Pump]{}
}
