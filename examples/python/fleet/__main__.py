from typing import Optional

import pulumi
import pulumi_brightdata as brightdata

config = pulumi.Config()
ports_per_country = config.require_int("portsPerCountry")

plan = brightdata.StaticPlanArgs(type="static", ips_type="shared")
web = brightdata.Zone("web", plan=plan)
shop = brightdata.Zone("shop", plan=plan, account="shop")

# The same ports for every machine: from 24000 on for the first country, from 24100 on for the second, ...
ports = {
    f"{country}-{number}": brightdata.PortSettingsArgs(port=24_000 + 100 * block + number, country=country)
    for block, country in enumerate(config.require("countries").split())
    for number in range(ports_per_country)
}


def ports_of(
    name: str,
    zone: brightdata.Zone,
    manager: Optional[str] = None,
    provider: Optional[brightdata.Provider] = None,
) -> brightdata.ProxyPorts:
    return brightdata.ProxyPorts(
        name,
        manager=manager,
        ports=ports,
        defaults={"zone": zone.name, "rotate_session": True},
        opts=pulumi.ResourceOptions(provider=provider),
    )


fleet = [ports_of(machine, web, manager=machine) for machine in config.require("machines").split()]
fleet += [ports_of(machine, shop, manager=machine) for machine in config.require("shopMachines").split()]

# The address of a machine that the program makes itself would be an output of that machine.
spare_url = config.get("spareUrl")
if spare_url:
    spare = brightdata.Provider("spare", proxy_manager_url=spare_url)
    fleet.append(ports_of("spare", web, provider=spare))


def dollars_of(costs: list[brightdata.GetZoneCostResult]) -> float:
    months = [cost.periods.get("backM0") for cost in costs]
    return sum((month.cost for month in months if month), 0.0)


# What the stack's own zones have cost this month.
costs = pulumi.Output.all(
    brightdata.get_zone_cost_output(zone=web.name),
    brightdata.get_zone_cost_output(zone=shop.name, account="shop"),
)
pulumi.export("dollarsThisMonth", costs.apply(dollars_of))
pulumi.export("zones", {"web": web.name, "shop": shop.name})
pulumi.export("numbers", [machine.ports.apply(len) for machine in fleet])
