package main

import (
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-brightdata/sdk/go/brightdata"
)

type group struct {
	pulumi.ResourceState
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		zone, err := brightdata.NewZone(ctx, "web", &brightdata.ZoneArgs{
			Name: pulumi.String("web_scraping"),
			Plan: &brightdata.StaticPlanArgs{
				Type:    pulumi.String("static"),
				IpsType: pulumi.String("shared"),
				Country: pulumi.String(os.Getenv("COUNTRY")),
			},
		}, pulumi.Protect(os.Getenv("PROTECT") != ""))
		if err != nil {
			return err
		}
		if err := ports(ctx, zone); err != nil {
			return err
		}
		looked := brightdata.GetZonePasswordsOutput(ctx, brightdata.GetZonePasswordsOutputArgs{Zone: zone.Name})
		ctx.Export("password", looked.Password())
		ctx.Export("plan", zone.Plan)
		return nil
	})
}

func ports(ctx *pulumi.Context, zone *brightdata.Zone) error {
	own, err := brightdata.NewProvider(ctx, "own", &brightdata.ProviderArgs{
		ProxyManagerUrl: pulumi.String(os.Getenv("BRIGHTDATA_PROXY_MANAGER_URL")),
		RequestTimeout:  pulumi.Float64(12.5),
		Retries:         pulumi.Int(2),
	})
	if err != nil {
		return err
	}
	parent := &group{}
	if err := ctx.RegisterComponentResource("languages:index:Group", "group", parent); err != nil {
		return err
	}
	options := []pulumi.ResourceOption{
		pulumi.Parent(parent), pulumi.Provider(own), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "30s"}),
	}
	if path := os.Getenv("REPLACE_ON"); path != "" {
		options = append(options, pulumi.ReplaceOnChanges([]string{path}))
	}
	port, err := brightdata.NewProxyPort(ctx, "search", &brightdata.ProxyPortArgs{
		Port:         pulumi.Int(24000),
		Zone:         zone.Name,
		User:         pulumi.String("search"),
		UserPassword: pulumi.String("a-password-of-the-program"),
		Headers: brightdata.PortHeaderArray{
			&brightdata.PortHeaderArgs{Name: pulumi.String("X-Team"), Value: pulumi.String(os.Getenv("TEAM"))},
		},
	}, options...)
	if err != nil {
		return err
	}
	_, err = brightdata.NewProxyPorts(ctx, "more", &brightdata.ProxyPortsArgs{
		Defaults: &brightdata.PortSettingsArgs{Zone: zone.Name, ExtProxyPassword: pulumi.String("one-that-all-share")},
		Ports: brightdata.PortSettingsMap{
			"first": &brightdata.PortSettingsArgs{
				Port:         pulumi.Int(24100),
				User:         pulumi.String("first"),
				UserPassword: pulumi.String("another-password-of-the-program"),
			},
		},
	}, pulumi.Parent(parent))
	ctx.Export("url", pulumi.Sprintf("http://search:%s@127.0.0.1:%d", port.UserPassword.Elem(), port.ListenPort))
	return err
}
