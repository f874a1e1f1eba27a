package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// drawn decides what the engine leaves to chance: it is a number for a name, whatever other names there are.
// `test/histories/imitation/chance.mts` has the same.
func (op *operation) drawn(name string) uint32 {
	hash := fnv.New32a()
	fmt.Fprintf(hash, "%d %s", op.start.Seed, name)
	drawn := hash.Sum32()
	// Names that end alike are to be far apart.
	drawn = (drawn ^ drawn>>16) * 0x85ebca6b
	drawn = (drawn ^ drawn>>13) * 0xc2b2ae35
	return drawn ^ drawn>>16
}

// mix draws the order of what is deleted at the same time, by URNs, which their keys begin with.
func (op *operation) mix(keys []string) {
	urnOf := func(key string) string {
		urn, _, _ := strings.Cut(key, " ")
		return urn
	}
	// Of those with the same name, the first in the state is the first.
	slices.SortStableFunc(keys, func(one, other string) int {
		one, other = urnOf(one), urnOf(other)
		return cmp.Or(cmp.Compare(op.drawn(one), op.drawn(other)), strings.Compare(one, other))
	})
}
