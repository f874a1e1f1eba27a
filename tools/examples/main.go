// Writes programs of Pulumi's configuration language in other languages: examples SCHEMA PROGRAMS
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type generator func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

var languages = map[string]generator{
	"python": python.GenerateProgram,
	"go":     compilable,
	"csharp": dotnet.GenerateProgram,
	"yaml":   codegen.GenerateProgram,
}

// What the generator for Go leaves wrong of functions: the names of some arguments, and the types of what is taken out of a result.
var (
	lookedUp = regexp.MustCompile(`(brightdata\.Lookup(\w+)Output\(ctx, brightdata\.)Get\w+OutputArgs`)
	taken    = regexp.MustCompile(`\.ApplyT\(func\(\w+ brightdata\.Get\w+Result\).*\{\s+return .*?\w+\.(\w+)\)?, nil;?\s+\}\)\.\(.*Output\)\)`)
)

func compilable(program *pcl.Program) (map[string][]byte, hcl.Diagnostics, error) {
	files, diagnostics, err := golang.GenerateProgram(program)
	if err != nil {
		return nil, diagnostics, err
	}
	for name, content := range files {
		content = lookedUp.ReplaceAll(content, []byte("${1}Lookup${2}OutputArgs"))
		content = taken.ReplaceAll(content, []byte(".$1())"))
		if files[name], err = format.Source(content); err != nil {
			return nil, diagnostics, err
		}
	}
	return files, diagnostics, nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 3 {
		return errors.New("usage: examples SCHEMA PROGRAMS")
	}
	pkg, err := load(os.Args[1])
	if err != nil {
		return err
	}
	input, err := os.ReadFile(os.Args[2])
	if err != nil {
		return err
	}
	var programs map[string]string
	if err := json.Unmarshal(input, &programs); err != nil {
		return err
	}
	written := map[string]map[string]string{}
	var failures []error
	for name, text := range programs {
		in, err := inLanguages(text, pkg)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w\n%s", name, err, text))
		}
		written[name] = in
	}
	if len(failures) > 0 {
		return errors.Join(failures...)
	}
	return json.NewEncoder(os.Stdout).Encode(written)
}

func load(path string) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	return schema.ImportSpec(spec, nil, schema.ValidationOptions{})
}

func inLanguages(text string, pkg *schema.Package) (map[string]string, error) {
	written := map[string]string{}
	for language, generate := range languages {
		// A generator changes the program that it is handed.
		program, err := bind(text, pkg)
		if err != nil {
			return nil, err
		}
		files, diagnostics, err := generate(program)
		if err != nil {
			return nil, err
		}
		if diagnostics.HasErrors() {
			return nil, diagnostics
		}
		if len(files) != 1 {
			return nil, fmt.Errorf("the program in %s has %d files", language, len(files))
		}
		for _, content := range files {
			written[language] = string(content)
		}
	}
	return written, nil
}

func bind(text string, pkg *schema.Package) (*pcl.Program, error) {
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(text), "example.pp"); err != nil {
		return nil, err
	}
	if len(parser.Diagnostics) > 0 {
		return nil, parser.Diagnostics
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, pcl.Loader(one{pkg}), pcl.PreferOutputVersionedInvokes)
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return program, nil
}

// The only package that there is.
type one struct{ pkg *schema.Package }

func (o one) named(name string) (*schema.Package, error) {
	if name != o.pkg.Name {
		return nil, fmt.Errorf("there is no package %s", name)
	}
	return o.pkg, nil
}

func (o one) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return o.named(name)
}

func (o one) LoadPackageV2(_ context.Context, d *schema.PackageDescriptor) (*schema.Package, error) {
	return o.named(d.Name)
}
