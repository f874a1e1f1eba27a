package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/pulumi/pulumi/pkg/v3/display"
	"github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/pkg/v3/util/cancel"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

const project = "project"

// operation is one run of the engine.
type operation struct {
	box      *box
	start    *start
	source   *cancel.Source
	killed   chan struct{}
	isKilled atomic.Bool
	journal  *journal
	errors   []string
}

func begin(b *box, given *start) *operation {
	_, source := cancel.NewContext(context.Background())
	op := &operation{box: b, start: given, source: source, killed: make(chan struct{})}
	go op.run()
	return op
}

func (op *operation) tell(told event) {
	told.Run = op.start.Run
	told.op = op
	op.box.tell(told)
}

func (op *operation) cancel() {
	op.source.Cancel()
}

func (op *operation) kill() {
	if op.isKilled.Swap(true) {
		return
	}
	if op.journal != nil {
		op.journal.freeze()
	}
	close(op.killed)
	op.source.Cancel()
}

func (op *operation) run() {
	end := event{Kind: "end"}
	state, err := op.play()
	if err != nil && len(op.errors) == 0 {
		op.errors = append(op.errors, err.Error())
	}
	end.Errors = failures(op.errors)
	end.State = state
	end.Saved = op.journal == nil || !op.journal.isFrozen.Load()
	op.source.Terminate()
	op.tell(end)
	op.box.ended(op.start.Run)
}

// play gives what is left of the state.
func (op *operation) play() (json.RawMessage, error) {
	target, err := op.target()
	if err != nil {
		return nil, fmt.Errorf("the state cannot be read: %w", err)
	}
	events := make(chan engine.Event)
	drained := make(chan struct{})
	go func() {
		op.hear(events)
		close(drained)
	}()
	isPreview := op.start.What == "preview"
	ctx := &engine.Context{Cancel: op.source.Context(), Events: events, PluginManager: noPlugins{}}
	if !isPreview {
		op.journal = newJournal(op, target.Snapshot)
		ctx.SnapshotManager = op.journal
	}
	info := engine.UpdateInfo{Root: "/", Project: program, Target: target}
	failed := op.act(info, ctx, op.options(), isPreview)
	close(events)
	<-drained
	if op.journal == nil {
		return op.start.State, failed
	}
	state, err := op.journal.end()
	if failed == nil {
		failed = err
	}
	return state, failed
}

var program = &workspace.Project{Name: project, Runtime: workspace.NewProjectRuntimeInfo("nodejs", nil)}

func (op *operation) act(info engine.UpdateInfo, ctx *engine.Context, opts engine.UpdateOptions, isPreview bool) error {
	type action func(engine.UpdateInfo, *engine.Context, engine.UpdateOptions, bool) (
		*deploy.Plan, display.ResourceChanges, error)
	isWithProgram := op.start.Options.RunProgram
	var do action
	switch op.start.What {
	case "update", "preview":
		do = engine.Update
	case "refresh":
		do = engine.Refresh
		if isWithProgram {
			do = engine.RefreshV2
		}
	case "destroy":
		do = engine.Destroy
		if isWithProgram {
			do = engine.DestroyV2
		}
	case "import":
		imports, err := op.imports()
		if err != nil {
			return err
		}
		_, _, err = engine.Import(info, ctx, opts, imports, false)
		return err
	default:
		return fmt.Errorf("there is no %q", op.start.What)
	}
	_, _, err := do(info, ctx, opts, isPreview)
	return err
}

func (op *operation) target() (*deploy.Target, error) {
	settings := config.Map{}
	for name, value := range op.start.Config {
		key, err := config.ParseKey(name)
		if err != nil {
			return nil, err
		}
		settings[key] = config.NewValue(value)
	}
	target := &deploy.Target{
		Name:         tokens.MustParseStackName(op.start.Stack),
		Organization: "organization",
		Config:       settings,
		Decrypter:    config.NopDecrypter,
	}
	if len(op.start.State) == 0 || string(op.start.State) == "null" {
		return target, nil
	}
	var deployment apitype.DeploymentV3
	if err := json.Unmarshal(op.start.State, &deployment); err != nil {
		return nil, err
	}
	snapshot, err := stack.DeserializeDeploymentV3(context.Background(), deployment, stack.Base64SecretsProvider{})
	target.Snapshot = snapshot
	return target, err
}

func (op *operation) options() engine.UpdateOptions {
	given := op.start.Options
	deploy.DeletionOrder = func(of plugin.Host, keys []string) { of.(*host).op.mix(keys) }
	return engine.UpdateOptions{
		Parallel:             given.Parallel,
		Targets:              deploy.NewUrnTargets(given.Targets),
		TargetDependents:     given.TargetDependents,
		Excludes:             deploy.NewUrnTargets(given.Excludes),
		ExcludeDependents:    given.ExcludeDependents,
		ReplaceTargets:       deploy.NewUrnTargets(given.Replace),
		ContinueOnError:      given.ContinueOnError,
		Refresh:              given.Refresh,
		RefreshProgram:       given.RunProgram && op.start.What == "refresh",
		DestroyProgram:       given.RunProgram && op.start.What == "destroy",
		SkipPluginPreInstall: true,
		HostFactory: func(context.Context, diag.Sink, diag.Sink, plugin.DebugContext) (plugin.Host, error) {
			return &host{op: op}, nil
		},
	}
}

// hear keeps what the engine says is wrong, and tells of what a preview would do.
func (op *operation) hear(events <-chan engine.Event) {
	for each := range events {
		switch payload := each.Payload().(type) {
		case engine.DiagEventPayload:
			if payload.Severity == diag.Error {
				op.errors = append(op.errors, strings.TrimSpace(colors.Never.Colorize(payload.Message)))
			}
		case engine.ResourcePreEventPayload:
			if payload.Planning && !payload.Internal {
				op.tell(event{Kind: "planned", Op: string(payload.Metadata.Op), URN: string(payload.Metadata.URN)})
			}
		}
	}
}

// failures are what is wrong, without what only says that something is.
func failures(errors []string) []string {
	telling := slices.DeleteFunc(slices.Clone(errors), endings.MatchString)
	if len(telling) > 0 {
		return telling
	}
	return errors[:min(1, len(errors))]
}

var endings = regexp.MustCompile(`^(update|preview) (failed|canceled)$|context canceled|resource monitor shut down`)
