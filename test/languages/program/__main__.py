import os

import pulumi
import pulumi_brightdata as brightdata

if "COUNTRY" in os.environ:
    zone = brightdata.Zone(
        "web",
        name="web_scraping",
        plan={"type": "static", "ips_type": os.environ.get("IPS_TYPE", "shared"), "country": os.environ["COUNTRY"]},
        opts=pulumi.ResourceOptions(import_=os.environ.get("IMPORT")),
    )
    port = brightdata.ProxyPort(
        "search",
        port=24_000,
        zone=zone.name,
        user="search",
        user_password="a-password-of-the-program",
        headers=[{"name": "X-Team", "value": "search"}],
        opts=pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="30s")),
    )
    brightdata.ProxyPorts(
        "more",
        ports={"first": {"port": 24_100, "user": "first", "user_password": "another-password-of-the-program"}},
        defaults={"zone": zone.name, "ext_proxy_password": "one-that-all-share"},
    )
    pulumi.export("url", pulumi.Output.format("http://search:{0}@127.0.0.1:{1}", port.user_password, port.listen_port))
