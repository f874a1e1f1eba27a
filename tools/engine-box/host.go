package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/blang/semver"

	"github.com/pulumi/pulumi/pkg/v3/pluginstorage"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/env"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

type snippet = resource.Snippet

var errNone = errors.New("the box has none")

// host gives the engine its plugins, each of them a process that the box is told to play.
type host struct {
	op        *operation
	processes []*process
}

func (h *host) Provider(ctx *plugin.Context, asked workspace.PluginDescriptor, _ env.Env) (plugin.Provider, error) {
	if asked.Name == bystanders {
		return plugin.NewProviderWithClient(ctx, bystander{}, false), nil
	}
	made := &process{op: h.op, number: h.op.box.next()}
	h.processes = append(h.processes, made)
	if asked.Name == plugins {
		return plugin.NewProviderWithClient(ctx, newPluginProcess(*made), false), nil
	}
	return plugin.NewProviderWithClient(ctx, made, false), nil
}

func (h *host) ProviderFromPath(*plugin.Context, string, env.Env) (plugin.Provider, error) {
	return nil, errNone
}

func (h *host) LanguageRuntime(*plugin.Context, string) (plugin.LanguageRuntime, error) {
	return language{op: h.op}, nil
}

func (h *host) SignalCancellation() error {
	for _, each := range h.processes {
		h.op.tell(event{Kind: "cancelled", Process: each.number})
	}
	return nil
}

func (h *host) ServerAddr() string                                              { return "127.0.0.1:0" }
func (h *host) Log(diag.Severity, resource.URN, string, int32)                  {}
func (h *host) LogStatus(diag.Severity, resource.URN, string, int32)            {}
func (h *host) ReleaseContext(*plugin.Context) error                            { return nil }
func (h *host) Loader(*plugin.Context) (*plugin.GrpcServer, error)              { return nil, nil }
func (h *host) Mapper(*plugin.Context) (*plugin.GrpcServer, error)              { return nil, nil }
func (h *host) Resolver(*plugin.Context) (*plugin.GrpcServer, error)            { return nil, nil }
func (h *host) StartDebugging(plugin.DebuggingInfo) error                       { return nil }
func (h *host) AttachDebugger(plugin.DebugSpec) bool                            { return false }
func (h *host) Close() error                                                    { return nil }
func (h *host) Analyzer(*plugin.Context, tokens.QName) (plugin.Analyzer, error) { return nil, errNone }

func (h *host) PolicyAnalyzer(
	*plugin.Context, tokens.QName, string, *plugin.PolicyAnalyzerOptions,
) (plugin.Analyzer, error) {
	return nil, errNone
}

func (h *host) ResolvePlugin(_ *plugin.Context, asked workspace.PluginDescriptor) (*workspace.PluginInfo, error) {
	return &workspace.PluginInfo{Name: asked.Name, Kind: asked.Kind}, nil
}

// noPlugins installs nothing: all that is asked for is there.
type noPlugins struct{}

func (noPlugins) GetPluginPath(
	context.Context, diag.Sink, workspace.PluginDescriptor, []workspace.ProjectPlugin,
) (string, error) {
	return "installed", nil
}

func (noPlugins) IsExternalURL(context.Context, string) bool { return false }

func (noPlugins) HasPlugin(context.Context, workspace.PluginDescriptor) pluginstorage.InstallState {
	return pluginstorage.PluginInstalled
}

func (noPlugins) HasPluginGTE(context.Context, workspace.PluginDescriptor) (bool, *semver.Version, error) {
	return true, nil, nil
}

func (noPlugins) GetLatestVersion(context.Context, workspace.PluginDescriptor) (*semver.Version, error) {
	return nil, errNone
}

func (noPlugins) DownloadPlugin(
	context.Context,
	workspace.PluginDescriptor,
	func(io.ReadCloser, int64) io.ReadCloser,
	func(error, int, int, time.Duration),
) (io.ReadCloser, int64, error) {
	return nil, 0, errNone
}

func (noPlugins) InstallPlugin(context.Context, workspace.PluginDescriptor, pluginstorage.Content, bool) error {
	return errNone
}

func (noPlugins) GetPlugins(context.Context) ([]workspace.PluginInfo, error) { return nil, nil }
