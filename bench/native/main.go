// A provider whose resources are nothing but their state: what is left of a run is the engine's own cost.
package main

import (
	"context"
	"fmt"
	"log"
	"net"

	pulumi "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

type provider struct {
	pulumi.UnimplementedResourceProviderServer
}

func (provider) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumi.PluginInfo, error) {
	return &pulumi.PluginInfo{Version: "0.1.0"}, nil
}

func (provider) CheckConfig(_ context.Context, request *pulumi.CheckRequest) (*pulumi.CheckResponse, error) {
	return &pulumi.CheckResponse{Inputs: request.News}, nil
}

func (provider) DiffConfig(context.Context, *pulumi.DiffRequest) (*pulumi.DiffResponse, error) {
	return &pulumi.DiffResponse{Changes: pulumi.DiffResponse_DIFF_NONE}, nil
}

func (provider) Configure(context.Context, *pulumi.ConfigureRequest) (*pulumi.ConfigureResponse, error) {
	return &pulumi.ConfigureResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true}, nil
}

func (provider) Check(_ context.Context, request *pulumi.CheckRequest) (*pulumi.CheckResponse, error) {
	return &pulumi.CheckResponse{Inputs: request.News}, nil
}

func (provider) Diff(_ context.Context, request *pulumi.DiffRequest) (*pulumi.DiffResponse, error) {
	changes := pulumi.DiffResponse_DIFF_NONE
	if !proto.Equal(request.OldInputs, request.News) {
		changes = pulumi.DiffResponse_DIFF_SOME
	}
	return &pulumi.DiffResponse{Changes: changes}, nil
}

func (provider) Create(_ context.Context, request *pulumi.CreateRequest) (*pulumi.CreateResponse, error) {
	port := request.Properties.Fields["port"].GetNumberValue()
	return &pulumi.CreateResponse{Id: fmt.Sprint(int(port)), Properties: outputs(request.Properties)}, nil
}

func (provider) Read(_ context.Context, request *pulumi.ReadRequest) (*pulumi.ReadResponse, error) {
	return &pulumi.ReadResponse{Id: request.Id, Inputs: request.Inputs, Properties: request.Properties}, nil
}

func (provider) Update(_ context.Context, request *pulumi.UpdateRequest) (*pulumi.UpdateResponse, error) {
	return &pulumi.UpdateResponse{Properties: outputs(request.News)}, nil
}

func (provider) Delete(context.Context, *pulumi.DeleteRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (provider) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// outputs are those of a proxy port, so that the states of both can be compared.
func outputs(inputs *structpb.Struct) *structpb.Struct {
	all := proto.Clone(inputs).(*structpb.Struct)
	if port, ok := all.Fields["port"]; ok {
		all.Fields["listenPort"] = port
	}
	return all
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	pulumi.RegisterResourceProviderServer(server, provider{})
	// The engine reads the number of the port from the first line.
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(server.Serve(listener))
}
