// Writes the SDK of a language from a package schema: sdk SCHEMA LANGUAGE FOLDER
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi"

func main() {
	if len(os.Args) != 4 {
		fail(errors.New("usage: sdk SCHEMA LANGUAGE FOLDER"))
	}
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func generate(path, language, folder string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, alone{}, schema.ValidationOptions{})
	if err != nil {
		return err
	}
	for _, diagnostic := range diagnostics {
		fmt.Fprintln(os.Stderr, diagnostic.Error())
	}
	if diagnostics.HasErrors() {
		return errors.New("the schema has errors")
	}
	// As `pulumi package add` does.
	pkg.SupportPack = true
	files, err := filesOf(pkg, language)
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

func filesOf(pkg *schema.Package, language string) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(tool, pkg, nil, alone{})
	case "go":
		return golang.GeneratePackage(tool, pkg, nil)
	case "java":
		return java.GeneratePackage(tool, pkg, nil, nil, true, false)
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, alone{})
	default:
		return nil, fmt.Errorf("there is no generator for %q", language)
	}
}

// The package refers to no other.
type alone struct{}

func (alone) refuse(name string) error {
	return fmt.Errorf("the schema refers to the package %s", name)
}

func (a alone) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return nil, a.refuse(name)
}

func (a alone) LoadPackageV2(_ context.Context, d *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, a.refuse(d.Name)
}

func (a alone) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	return nil, a.refuse(name)
}

func (a alone) LoadPackageReferenceV2(_ context.Context, d *schema.PackageDescriptor) (schema.PackageReference, error) {
	return nil, a.refuse(d.Name)
}
