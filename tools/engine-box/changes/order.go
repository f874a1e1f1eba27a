package deploy

import (
	"context"
	"sort"

	mapset "github.com/deckarep/golang-set/v2"

	pkgresource "github.com/pulumi/pulumi/pkg/v3/resource"
)

// DeletionOrder mixes what is deleted at the same time, which is given sorted. The engine itself takes it in any order.
var DeletionOrder = func(keys []string) {}

// inDeletionOrder is what a set holds, in the order that is drawn.
func inDeletionOrder(set mapset.Set[*pkgresource.State]) []*pkgresource.State {
	byKey := map[string]*pkgresource.State{}
	keys := []string{}
	for _, state := range set.ToSlice() {
		key := string(state.URN) + " " + string(state.ID)
		for byKey[key] != nil {
			key += " "
		}
		byKey[key] = state
		keys = append(keys, key)
	}
	sort.Strings(keys)
	DeletionOrder(keys)
	states := []*pkgresource.State{}
	for _, key := range keys {
		states = append(states, byKey[key])
	}
	return states
}

// unless is a channel until the context has ended: of a channel that can be read and a context that has ended, the engine takes either.
func unless[T any](ctx context.Context, channel chan T) chan T {
	if ctx.Err() != nil {
		return nil
	}
	return channel
}
