// Writes the pages of Pulumi's Registry from a package schema: docs SCHEMA FOLDER
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/docs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi"

func main() {
	if len(os.Args) != 3 {
		fail(errors.New("usage: docs SCHEMA FOLDER"))
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func generate(path, folder string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	pkg, err := schema.ImportSpec(spec, map[string]schema.Language{
		"csharp": dotnet.Importer,
		"go":     golang.Importer,
		"nodejs": nodejs.Importer,
		"python": python.Importer,
	})
	if err != nil {
		return err
	}
	docs.Initialize(tool, pkg)
	files, err := docs.GeneratePackage(tool, pkg)
	if err != nil {
		return err
	}
	for name, content := range files {
		target := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
