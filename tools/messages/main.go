// Writes the descriptors of the messages that a plugin and the engine exchange, as Pulumi's own module has them.
package main

import (
	"os"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

func main() {
	var set descriptorpb.FileDescriptorSet
	known := map[string]bool{}
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if known[file.Path()] {
			return
		}
		known[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
	}
	add(pulumirpc.File_pulumi_provider_proto)
	add(pulumirpc.File_pulumi_engine_proto)
	add(status.File_google_rpc_status_proto)
	bytes, err := proto.Marshal(&set)
	if err != nil {
		panic(err)
	}
	if _, err := os.Stdout.Write(bytes); err != nil {
		panic(err)
	}
}
