package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// pause is how long a program waits before it begins something more. It is virtual: nothing else goes on then.
const pause = time.Millisecond

var errFailed = errors.New("the program failed")

// language runs the program of an operation. What it does not have is never asked for.
type language struct {
	plugin.LanguageRuntime
	op *operation
}

func (language) Close() error { return nil }

func (language) Cancel(context.Context) error { return nil }

func (language) GetPluginInfo(context.Context) (plugin.PluginInfo, error) {
	return plugin.PluginInfo{}, nil
}

func (language) GetRequiredPackages(
	context.Context, plugin.ProgramInfo,
) ([]workspace.PackageDescriptor, []workspace.PackageSpec, error) {
	return nil, nil, nil
}

func (l language) Run(ctx context.Context, info plugin.RunInfo) (string, bool, error) {
	connection, err := grpc.NewClient(
		"passthrough:///"+info.MonitorAddress,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(rpcutil.DialInMemory),
		rpcutil.GrpcChannelOptions(),
	)
	if err != nil {
		return "", false, err
	}
	defer connection.Close()
	run := &programRun{op: l.op, ctx: ctx, monitor: rpc.NewResourceMonitorClient(connection)}
	if err := run.all(l.op.start.Program); err != nil {
		// The engine says itself what is wrong.
		return "", true, nil
	}
	return "", false, nil
}

// programRun is a program while it registers its resources.
type programRun struct {
	op      *operation
	ctx     context.Context
	monitor rpc.ResourceMonitorClient
	stack   string
	ended   []chan struct{}
	results []*rpc.RegisterResourceResponse
	failed  atomic.Bool
}

func (r *programRun) all(program []registration) error {
	stack, err := r.monitor.RegisterResource(r.ctx, &rpc.RegisterResourceRequest{
		Type:          "pulumi:pulumi:Stack",
		Name:          project + "-" + r.op.start.Stack,
		AcceptSecrets: true,
		// What is told of a failure is what newer SDKs are told.
		SupportsResultReporting: true,
	})
	if err != nil {
		return err
	}
	r.stack = stack.GetUrn()
	r.results = make([]*rpc.RegisterResourceResponse, len(program))
	for range program {
		r.ended = append(r.ended, make(chan struct{}))
	}
	for place, each := range program {
		time.Sleep(pause)
		go r.one(place, each)
	}
	for _, ended := range r.ended {
		<-ended
	}
	if r.failed.Load() {
		return errFailed
	}
	_, err = r.monitor.SignalAndWaitForShutdown(r.ctx, &emptypb.Empty{})
	return err
}

func (r *programRun) one(place int, given registration) {
	defer close(r.ended[place])
	if given.Awaits != nil {
		<-r.ended[*given.Awaits]
		if !r.isThere(r.results[*given.Awaits]) {
			r.failed.Store(true)
		}
	}
	for _, other := range given.After {
		<-r.ended[other]
		if !r.isThere(r.results[other]) {
			return
		}
	}
	// Of those that wait for the same, one comes after the other.
	time.Sleep(time.Duration(place+1) * time.Microsecond)
	if r.failed.Load() {
		return
	}
	result, err := r.register(given)
	if err != nil {
		r.failed.Store(true)
		return
	}
	r.results[place] = result
	r.op.tell(event{
		Kind: "registered", URN: result.GetUrn(), ID: result.GetId(), Result: result.GetResult().String(),
		Mark: result.GetObject().GetFields()["__mark"].GetStringValue(),
	})
}

// isThere says whether the program goes on with what needs a resource.
func (r *programRun) isThere(result *rpc.RegisterResourceResponse) bool {
	if result == nil {
		return false
	}
	return result.GetResult() == rpc.Result_SUCCESS || r.op.start.Options.IsOldSDK && result.GetId() != ""
}

func (r *programRun) register(given registration) (*rpc.RegisterResourceResponse, error) {
	request := &rpc.RegisterResourceRequest{}
	if err := protojson.Unmarshal(given.Request, request); err != nil {
		return nil, fmt.Errorf("a registration cannot be read: %w", err)
	}
	if request.Parent == "" {
		request.Parent = r.stack
	}
	if given.Provider != nil {
		provider := r.results[*given.Provider]
		if provider == nil {
			return nil, errors.New("a provider is not there")
		}
		request.Provider = provider.GetUrn() + "::" + provider.GetId()
	}
	for key, place := range given.Refs {
		value := r.results[place].GetObject().GetFields()["name"]
		if value == nil {
			value = structpb.NewStringValue(plugin.UnknownStringValue)
		}
		request.Object.Fields[key] = value
	}
	return r.monitor.RegisterResource(r.ctx, request)
}
