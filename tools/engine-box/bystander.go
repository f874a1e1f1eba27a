package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

type protoMessage = proto.Message

const bystanders = "bystander"

// bystander is another provider, whose resources cannot be created.
type bystander struct{ unimplemented }

func (bystander) Configure(
	context.Context, *rpc.ConfigureRequest, ...grpc.CallOption,
) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{}, nil
}

func (bystander) Check(_ context.Context, in *rpc.CheckRequest, _ ...grpc.CallOption) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: in.GetNews()}, nil
}

func (bystander) Create(context.Context, *rpc.CreateRequest, ...grpc.CallOption) (*rpc.CreateResponse, error) {
	return nil, status.Error(codes.Unknown, "The bystander cannot be created.")
}
