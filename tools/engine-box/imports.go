package main

import (
	"encoding/json"
	"errors"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// imports are resources as `pulumi import --file` has them, with their outputs.
func (op *operation) imports() ([]deploy.Import, error) {
	imports := []deploy.Import{}
	for _, each := range op.start.Imports {
		inputs, err := valuesOf(each.Inputs)
		outputs, outputsErr := valuesOf(each.Outputs)
		if err := errors.Join(err, outputsErr); err != nil {
			return nil, err
		}
		imports = append(imports, deploy.Import{
			Type: tokens.Type(each.Type), Name: each.Name, ID: resource.ID(each.ID), Inputs: inputs, Outputs: outputs,
		})
	}
	return imports, nil
}

func valuesOf(text json.RawMessage) (property.Map, error) {
	values := &structpb.Struct{}
	if err := protojson.Unmarshal(text, values); err != nil {
		return property.Map{}, err
	}
	read, err := plugin.UnmarshalProperties(values, plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true})
	return resource.FromResourcePropertyMap(read), err
}
