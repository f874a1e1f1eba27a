import pulumi
import pulumi_brightdata as brightdata

config = pulumi.Config()

zone = brightdata.Zone(
    "web",
    plan={"type": "static", "ips_type": "shared", "country": config.get("country") or "us"},
    disabled=config.get_bool("paused") or False,
)

ports = [
    brightdata.ProxyPort(
        topic,
        zone=zone.name,
        internal_name=topic,
        rotate_session=config.get_bool("rotate") or False,
    )
    for topic in ["search", "shop", "news"]
]

brightdata.WhitelistIp("office", ip=config.get("office") or "203.0.113.7", list="ports")

cost = brightdata.get_zone_cost_output(zone=zone.name)
bandwidth = brightdata.get_zone_bandwidth_output(zone=zone.name)


def bytes_of(result: brightdata.GetZoneBandwidthResult) -> float:
    return result.sums.get("backM0", {}).get("bwSum", 0)


def dollars_of(result: brightdata.GetZoneCostResult) -> float:
    month = result.periods.get("backM0")
    return month.cost if month else 0


pulumi.export("zoneName", zone.name)
pulumi.export("password", zone.password)
pulumi.export("urls", [pulumi.Output.format("http://127.0.0.1:{0}", port.listen_port) for port in ports])
pulumi.export("dollarsThisMonth", cost.apply(dollars_of))
pulumi.export("bytesThisMonth", bandwidth.apply(bytes_of))
