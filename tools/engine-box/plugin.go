package main

import (
	"context"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// plugins is the package of the resources that a plugin of their own has.
const plugins = "brightdata"

// pluginProcess is a process of that plugin. Its messages go to the other side of the box, and its answers come from there, as they are.
type pluginProcess struct{ process }

func newPluginProcess(made process) *pluginProcess {
	made.op.tell(event{Kind: "process", Process: made.number, IsPlugin: true})
	return &pluginProcess{made}
}

type located interface {
	proto.Message
	GetUrn() string
}

func (p *pluginProcess) CheckConfig(
	_ context.Context, in *rpc.CheckRequest, _ ...grpc.CallOption,
) (*rpc.CheckResponse, error) {
	return pass(p, "checkConfig", in, &rpc.CheckResponse{})
}

func (p *pluginProcess) DiffConfig(
	_ context.Context, in *rpc.DiffRequest, _ ...grpc.CallOption,
) (*rpc.DiffResponse, error) {
	return pass(p, "diffConfig", in, &rpc.DiffResponse{})
}

func (p *pluginProcess) Configure(
	_ context.Context, in *rpc.ConfigureRequest, _ ...grpc.CallOption,
) (*rpc.ConfigureResponse, error) {
	return pass(p, "configure", in, &rpc.ConfigureResponse{})
}

func (p *pluginProcess) Check(
	_ context.Context, in *rpc.CheckRequest, _ ...grpc.CallOption,
) (*rpc.CheckResponse, error) {
	return pass(p, "check", in, &rpc.CheckResponse{})
}

func (p *pluginProcess) Diff(_ context.Context, in *rpc.DiffRequest, _ ...grpc.CallOption) (*rpc.DiffResponse, error) {
	return pass(p, "diff", in, &rpc.DiffResponse{})
}

func (p *pluginProcess) Create(
	_ context.Context, in *rpc.CreateRequest, _ ...grpc.CallOption,
) (*rpc.CreateResponse, error) {
	return pass(p, doing("create", in.GetPreview()), in, &rpc.CreateResponse{})
}

func (p *pluginProcess) Read(_ context.Context, in *rpc.ReadRequest, _ ...grpc.CallOption) (*rpc.ReadResponse, error) {
	return pass(p, "read", in, &rpc.ReadResponse{})
}

func (p *pluginProcess) Update(
	_ context.Context, in *rpc.UpdateRequest, _ ...grpc.CallOption,
) (*rpc.UpdateResponse, error) {
	return pass(p, doing("update", in.GetPreview()), in, &rpc.UpdateResponse{})
}

func (p *pluginProcess) Delete(_ context.Context, in *rpc.DeleteRequest, _ ...grpc.CallOption) (*emptypb.Empty, error) {
	return pass(p, "delete", in, &emptypb.Empty{})
}

// doing tells apart what only foresees something.
func doing(method string, isPreview bool) string {
	if isPreview {
		return method + "Preview"
	}
	return method
}

// pass waits for the answer of the plugin, which it reads into the result.
func pass[Result proto.Message](p *pluginProcess, method string, in located, result Result) (Result, error) {
	var none Result
	message, err := proto.MarshalOptions{Deterministic: true}.Marshal(in)
	if err != nil {
		return none, err
	}
	answered, err := p.ask(event{Method: method, URN: in.GetUrn(), Message: message})
	if err != nil {
		return none, err
	}
	if answered.Error != nil {
		return none, refusalOf(answered.Error)
	}
	return result, proto.Unmarshal(answered.Message, result)
}

func refusalOf(failed *failure) error {
	if failed.Code == 0 {
		// The process is gone.
		return status.Error(codes.Unavailable, failed.Message)
	}
	if len(failed.Status) == 0 {
		return status.Error(codes.Code(failed.Code), failed.Message)
	}
	said := &spb.Status{}
	if err := proto.Unmarshal(failed.Status, said); err != nil {
		return err
	}
	return status.ErrorProto(said)
}
