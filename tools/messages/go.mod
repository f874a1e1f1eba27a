module pulumi-brightdata/tools/messages

go 1.25.11

require (
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260819154853-08b0e4226688
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/net v0.58.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	google.golang.org/grpc v1.83.1 // indirect
)
