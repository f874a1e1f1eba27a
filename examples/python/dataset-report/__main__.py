from typing import Any

import pulumi
import pulumi_brightdata as brightdata

config = pulumi.Config()


def describe(snapshot_id: str) -> dict[str, Any]:
    """The snapshot in detail, with its first record as a sample."""
    snapshot = brightdata.get_snapshot(snapshot_id=snapshot_id, max_records=1)
    return {
        "snapshotId": snapshot_id,
        "created": snapshot.created,
        "records": snapshot.size,
        "filesOfAThousand": brightdata.get_snapshot_parts(snapshot_id=snapshot_id, batch_size=1000).parts,
        "input": brightdata.get_snapshot_input(snapshot_id=snapshot_id).csv,
        "sample": snapshot.records[0] if snapshot.records else None,
    }


snapshots = brightdata.get_snapshots(
    dataset_id=config.require("datasetId"),
    from_date=config.require("since"),
).snapshots
ready = sorted((each for each in snapshots if each.status == "ready"), key=lambda each: each.created or "")
failed = [each.snapshot_id for each in snapshots if each.status == "failed"]

pulumi.export("collections", len(snapshots))
pulumi.export("records", sum(each.size or 0 for each in ready))
# Why collections have failed, by snapshot.
pulumi.export("failures", {each: brightdata.get_snapshot_progress(snapshot_id=each).error_message for each in failed})
if ready:
    pulumi.export("latest", describe(ready[-1].snapshot_id))

delivery_id = config.get("deliveryId")
if delivery_id:
    delivery = brightdata.get_delivery(delivery_id=delivery_id)
    pulumi.export("delivery", {"deliveryId": delivery.delivery_id, "status": delivery.status})

collector_run = config.get("collectorRun")
if collector_run:
    # A single look: a run that is still going on is `pending`.
    run = brightdata.get_collector_result(response_id=collector_run, timeout=0)
    pulumi.export("collectorRun", {"responseId": run.response_id, "status": run.status, "rows": run.rows})
