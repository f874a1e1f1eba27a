package main

import (
	"context"
	"encoding/json"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// unimplemented are calls that the process of dynamic resources does not know. The others are never made.
type unimplemented struct{ rpc.ResourceProviderClient }

var errUnimplemented = status.Error(codes.Unimplemented, "not implemented")

func (unimplemented) Handshake(
	context.Context, *rpc.ProviderHandshakeRequest, ...grpc.CallOption,
) (*rpc.ProviderHandshakeResponse, error) {
	return nil, errUnimplemented
}

func (unimplemented) CheckConfig(context.Context, *rpc.CheckRequest, ...grpc.CallOption) (*rpc.CheckResponse, error) {
	return nil, errUnimplemented
}

func (unimplemented) DiffConfig(context.Context, *rpc.DiffRequest, ...grpc.CallOption) (*rpc.DiffResponse, error) {
	return nil, errUnimplemented
}

func (unimplemented) GetPluginInfo(context.Context, *emptypb.Empty, ...grpc.CallOption) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{}, nil
}

func (unimplemented) Cancel(context.Context, *emptypb.Empty, ...grpc.CallOption) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// process is a process of dynamic resources. Its calls are answered on the other side of the box.
type process struct {
	unimplemented
	op     *operation
	number int
}

func (p *process) Configure(
	_ context.Context, in *rpc.ConfigureRequest, _ ...grpc.CallOption,
) (*rpc.ConfigureResponse, error) {
	p.op.tell(event{Kind: "process", Process: p.number, URN: in.GetUrn(), Config: textOf(in.GetArgs())})
	return &rpc.ConfigureResponse{}, nil
}

func (p *process) Check(_ context.Context, in *rpc.CheckRequest, _ ...grpc.CallOption) (*rpc.CheckResponse, error) {
	return call(p, &rpc.CheckResponse{}, event{
		Method: "check", URN: in.GetUrn(), Olds: textOf(in.GetOlds()), News: textOf(in.GetNews()),
	})
}

func (p *process) Diff(_ context.Context, in *rpc.DiffRequest, _ ...grpc.CallOption) (*rpc.DiffResponse, error) {
	return call(p, &rpc.DiffResponse{}, event{
		Method: "diff", URN: in.GetUrn(), ID: in.GetId(), Olds: textOf(in.GetOlds()), News: textOf(in.GetNews()),
	})
}

func (p *process) Create(_ context.Context, in *rpc.CreateRequest, _ ...grpc.CallOption) (*rpc.CreateResponse, error) {
	return call(p, &rpc.CreateResponse{}, event{Method: "create", URN: in.GetUrn(), News: textOf(in.GetProperties())})
}

func (p *process) Read(_ context.Context, in *rpc.ReadRequest, _ ...grpc.CallOption) (*rpc.ReadResponse, error) {
	return call(p, &rpc.ReadResponse{}, event{
		Method: "read", URN: in.GetUrn(), ID: in.GetId(), Olds: textOf(in.GetProperties()), News: textOf(in.GetInputs()),
	})
}

func (p *process) Update(_ context.Context, in *rpc.UpdateRequest, _ ...grpc.CallOption) (*rpc.UpdateResponse, error) {
	return call(p, &rpc.UpdateResponse{}, event{
		Method: "update", URN: in.GetUrn(), ID: in.GetId(), Olds: textOf(in.GetOlds()), News: textOf(in.GetNews()),
	})
}

func (p *process) Delete(_ context.Context, in *rpc.DeleteRequest, _ ...grpc.CallOption) (*emptypb.Empty, error) {
	return call(p, &emptypb.Empty{}, event{
		Method: "delete", URN: in.GetUrn(), ID: in.GetId(), Olds: textOf(in.GetProperties()),
	})
}

// call waits for the answer, which it reads into the result.
func call[Result interface {
	comparable
	protoMessage
}](p *process, result Result, asked event) (Result, error) {
	var none Result
	answered, err := p.ask(asked)
	if err != nil {
		return none, err
	}
	if answered.Error != nil {
		return none, errorOf(answered.Error)
	}
	return result, protojson.Unmarshal(answered.Result, result)
}

// ask waits for the answer of the process.
func (p *process) ask(asked event) (answer, error) {
	if p.op.isKilled.Load() {
		return answer{}, status.Error(codes.Unavailable, errKilled.Error())
	}
	asked.Kind = "call"
	asked.Process = p.number
	asked.Call = p.op.box.next()
	waiting := p.op.box.asked(asked.Call)
	p.op.tell(asked)
	select {
	case <-p.op.killed:
		p.op.box.answered(asked.Call)
		return answer{}, status.Error(codes.Unavailable, errKilled.Error())
	case answered := <-waiting:
		return answered, nil
	}
}

// errorOf says it as the process of dynamic resources does.
func errorOf(failed *failure) error {
	found := status.New(codes.Unknown, failed.Message)
	if failed.ID == "" {
		return found.Err()
	}
	properties := &structpb.Struct{}
	if err := protojson.Unmarshal(failed.Properties, properties); err != nil {
		return err
	}
	detailed, err := found.WithDetails(&rpc.ErrorResourceInitFailed{
		Id: failed.ID, Properties: properties, Reasons: failed.Reasons,
	})
	if err != nil {
		return err
	}
	return detailed.Err()
}

// textOf is JSON of which the keys are sorted.
func textOf(values *structpb.Struct) json.RawMessage {
	if values == nil {
		return nil
	}
	text, err := json.Marshal(values.AsMap())
	if err != nil {
		panic(err)
	}
	return text
}
