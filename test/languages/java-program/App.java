package languages;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.brightdata.BrightdataFunctions;
import com.pulumi.brightdata.Provider;
import com.pulumi.brightdata.ProviderArgs;
import com.pulumi.brightdata.ProxyPort;
import com.pulumi.brightdata.ProxyPortArgs;
import com.pulumi.brightdata.ProxyPorts;
import com.pulumi.brightdata.ProxyPortsArgs;
import com.pulumi.brightdata.Zone;
import com.pulumi.brightdata.ZoneAccess;
import com.pulumi.brightdata.ZoneAccessArgs;
import com.pulumi.brightdata.ZoneArgs;
import com.pulumi.brightdata.inputs.GetZoneCostArgs;
import com.pulumi.brightdata.inputs.GetZonePasswordsArgs;
import com.pulumi.brightdata.inputs.PortHeaderArgs;
import com.pulumi.brightdata.inputs.PortRuleActionArgs;
import com.pulumi.brightdata.inputs.PortRuleArgs;
import com.pulumi.brightdata.inputs.PortSettingsArgs;
import com.pulumi.brightdata.inputs.StaticPlanArgs;
import com.pulumi.core.Either;
import com.pulumi.core.Output;
import com.pulumi.deployment.InvokeOutputOptions;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.resources.CustomTimeouts;
import java.time.Duration;
import java.util.Map;

public final class App {
    public static void main(String[] args) {
        Pulumi.run(App::declare);
    }

    private static void declare(Context ctx) {
        var plan = StaticPlanArgs.builder().type("static").ipsType("shared").country(System.getenv("COUNTRY")).build();
        var zone = new Zone("web", ZoneArgs.builder().plan(plan).build());
        new ZoneAccess("office", ZoneAccessArgs.builder().zone(zone.name()).allowedIps("203.0.113.7").build());
        var port = port(zone);
        new ProxyPorts("more", ProxyPortsArgs.builder()
            .defaults(PortSettingsArgs.builder().zone(zone.name()).extProxyPassword("one-that-all-share").build())
            .ports(Map.of("first", PortSettingsArgs.builder()
                .port(24100)
                .user("first")
                .userPassword("another-password-of-the-program")
                .build()))
            .build());
        var passwords = BrightdataFunctions.getZonePasswords(
            GetZonePasswordsArgs.builder().zone(zone.name()).build(), InvokeOutputOptions.Empty);
        var cost = BrightdataFunctions.getZoneCost(
            GetZoneCostArgs.builder().zone(zone.name()).build(), InvokeOutputOptions.Empty);
        ctx.export("zone", zone.name());
        ctx.export("country", zone.plan().applyValue(each -> each.country().orElse("")));
        ctx.export("passwords", passwords.applyValue(each -> each.passwords()));
        ctx.export("spent", cost.applyValue(each -> each.periods().values().stream().mapToDouble(one -> one.cost()).sum()));
        ctx.export("banned", port.rules().applyValue(each -> each.get().get(0).action().banIp().get().left()));
        ctx.export("url", Output.format("http://127.0.0.1:%s", port.listenPort()));
    }

    private static ProxyPort port(Zone zone) {
        var own = new Provider("own", ProviderArgs.builder()
            .proxyManagerUrl(System.getenv("BRIGHTDATA_PROXY_MANAGER_URL"))
            .requestTimeout(12.5)
            .retries(2)
            .build());
        var rule = PortRuleArgs.builder()
            .action(PortRuleActionArgs.builder().banIp(Either.ofLeft(60000)).build())
            .actionType("ban_ip")
            .triggerType("status")
            .status(Either.ofRight(403))
            .build();
        var args = ProxyPortArgs.builder()
            .port(24000)
            .zone(zone.name())
            .const_(true)
            .session(Either.ofLeft(true))
            .user("search")
            .userPassword("a-password-of-the-program")
            .headers(PortHeaderArgs.builder().name("X-Team").value(System.getenv("TEAM")).build())
            .rules(rule)
            .build();
        var timeouts = CustomTimeouts.builder().create(Duration.ofSeconds(30)).build();
        return new ProxyPort("search", args, CustomResourceOptions.builder().provider(own).customTimeouts(timeouts).build());
    }
}
