package deploy

import (
	"context"
	"time"

	mapset "github.com/deckarep/golang-set/v2"

	pkgresource "github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
)

// DeletionOrder mixes what is deleted at the same time, by URNs and ids. The engine itself takes it in any order.
// Whose run it is, its host tells.
var DeletionOrder = func(host plugin.Host, keys []string) {}

// inDeletionOrder is what a set holds of what is to be deleted, in the order that is drawn.
func (sg *stepGenerator) inDeletionOrder(
	steps []Step, set mapset.Set[*pkgresource.State],
) []*pkgresource.State {
	byKey := map[string]*pkgresource.State{}
	keys := []string{}
	for _, step := range steps {
		state := step.Res()
		if !set.Contains(state) {
			continue
		}
		key := string(state.URN) + " " + string(state.ID)
		for byKey[key] != nil {
			key += " "
		}
		byKey[key] = state
		keys = append(keys, key)
	}
	DeletionOrder(sg.deployment.ctx.Host, keys)
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

// settle waits until all that can be done without waiting is done: the time is virtual.
func settle() {
	time.Sleep(time.Nanosecond)
}
