import os

import pulumi
import pulumi_brightdata as brightdata

if "COUNTRY" in os.environ:
    zone = brightdata.Zone(
        "web",
        name="web_scraping",
        plan={"type": "static", "ips_type": "shared", "country": os.environ["COUNTRY"]},
        opts=pulumi.ResourceOptions(import_=os.environ.get("IMPORT")),
    )
    port = brightdata.ProxyPort(
        "search",
        zone=zone.name,
        user="search",
        user_password=pulumi.Output.secret("a-password-of-the-program"),
        opts=pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="30s")),
    )
    pulumi.export("url", pulumi.Output.format("http://search:{0}@127.0.0.1:{1}", port.user_password, port.listen_port))
