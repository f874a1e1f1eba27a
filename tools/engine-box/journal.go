package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/pulumi/pulumi/pkg/v3/backend"
	"github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/secrets/b64"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// ours are what the types of the resources that are counted begin with.
var ours = []string{"pulumi-nodejs:dynamic/brightdata:", "brightdata:index:"}

var errUnsaved = errors.New("the state cannot be saved")

var errKilled = errors.New("the engine was killed")

// journal saves the state as the engine's own backends do, and says what it has saved.
type journal struct {
	op       *operation
	manager  engine.SnapshotManager
	saved    json.RawMessage
	isFrozen atomic.Bool
	isFull   atomic.Bool
	begun    atomic.Int64
	recorded atomic.Int64
}

func newJournal(op *operation, base *deploy.Snapshot) *journal {
	j := &journal{op: op, saved: op.start.State}
	j.manager = backend.NewSnapshotManager(j, b64.NewBase64SecretsManager(), base, nil)
	return j
}

// Save is called with each state that is to be kept.
func (j *journal) Save(deployment apitype.TypedDeployment) error {
	if j.isFull.Load() {
		return errUnsaved
	}
	if j.isFrozen.Load() {
		return nil
	}
	text, err := json.Marshal(deployment.Deployment)
	if err != nil {
		return err
	}
	j.saved = text
	return nil
}

func (j *journal) freeze() {
	j.isFrozen.Store(true)
}

// end gives what has been saved.
func (j *journal) end() (json.RawMessage, error) {
	err := j.manager.Close()
	return j.saved, err
}

func (j *journal) BeginMutation(step deploy.Step) (engine.SnapshotMutation, error) {
	begun, err := j.manager.BeginMutation(step)
	if err != nil {
		return nil, err
	}
	if isCounted(step) && step.Op() != deploy.OpRefresh {
		if isAt(j.op.start.Broken.Begun, j.begun.Load()) {
			j.stop()
		}
		j.begun.Add(1)
	}
	return &mutation{j, begun}, nil
}

type mutation struct {
	journal *journal
	begun   engine.SnapshotMutation
}

func (m *mutation) End(step deploy.Step, isSuccess bool) error {
	j := m.journal
	isChange := isSuccess && isCounted(step)
	if isChange && isAt(j.op.start.Broken.Unsaved, j.recorded.Load()) {
		j.isFull.Store(true)
		j.freeze()
	}
	err := m.begun.End(step, isSuccess)
	if !isSuccess || !isOurs(step) {
		return err
	}
	told := event{Kind: "recorded", Op: string(step.Op()), URN: string(step.URN()), Saved: !j.isFrozen.Load()}
	if state := step.New(); state != nil {
		told.ID = string(state.ID)
		told.IsPartial = len(state.InitErrors) > 0
	}
	j.op.tell(told)
	if isChange {
		if isAt(j.op.start.Broken.Recorded, j.recorded.Load()) {
			j.stop()
		}
		j.recorded.Add(1)
	}
	return err
}

// stop waits until the run is killed.
func (j *journal) stop() {
	j.freeze()
	j.op.tell(event{Kind: "stopped"})
	<-j.op.killed
}

func (j *journal) Write(base *deploy.Snapshot) error { return j.manager.Write(base) }

func (j *journal) RebuiltBaseState() error { return j.manager.RebuiltBaseState() }

func (j *journal) SupportsStateMigrations() bool { return j.manager.SupportsStateMigrations() }

func (j *journal) StateMigration(migration *deploy.StateMigrationTransaction) error {
	return j.manager.StateMigration(migration)
}

func (j *journal) SetSnippets(snippets []snippet) error { return j.manager.SetSnippets(snippets) }

func (j *journal) RegisterResourceOutputs(step deploy.Step) error {
	return j.manager.RegisterResourceOutputs(step)
}

func (j *journal) Close() error { return nil }

func isAt(place *int, count int64) bool {
	return place != nil && int64(*place) == count
}

func isOurs(step deploy.Step) bool {
	isOf := func(prefix string) bool { return strings.HasPrefix(string(step.Type()), prefix) }
	return slices.ContainsFunc(ours, isOf)
}

// isCounted says whether a step changes the state of a resource of ours.
func isCounted(step deploy.Step) bool {
	return isOurs(step) && step.Op() != deploy.OpSame && step.Op() != deploy.OpReplace
}
