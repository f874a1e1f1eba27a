from typing import Any, Callable, TypeVar

import pulumi
import pulumi_brightdata as brightdata

config = pulumi.Config()


T = TypeVar("T")


def if_kept(look_up: Callable[[], T]) -> T | None:
    """Nothing, where the service no longer has what is looked up: it keeps records for some weeks, and not every input."""
    try:
        return look_up()
    except Exception as error:
        if "Snapshot is expired" in str(error) or "Snapshot input does not exist" in str(error):
            return None
        raise


def describe(found: brightdata.outputs.SnapshotSummary) -> dict[str, Any]:
    """The snapshot in detail, with its first record as a sample."""
    snapshot_id = found.snapshot_id
    snapshot = if_kept(lambda: brightdata.get_snapshot(snapshot_id=snapshot_id, max_records=1))
    count = if_kept(lambda: brightdata.get_snapshot_parts(snapshot_id=snapshot_id, batch_size=1000))
    collected_from = if_kept(lambda: brightdata.get_snapshot_input(snapshot_id=snapshot_id))
    return {
        "snapshotId": snapshot_id,
        "created": found.created,
        "records": found.size,
        "filesOfAThousand": count.parts if count else None,
        "input": collected_from.csv if collected_from else None,
        "sample": snapshot.records[0] if snapshot and snapshot.records else None,
    }


snapshots = brightdata.get_snapshots(
    dataset_id=config.require("datasetId"),
    from_date=config.require("since"),
    limit=5000,
).snapshots
ready = sorted((each for each in snapshots if each.status == "ready"), key=lambda each: each.created or "")
failed = [each.snapshot_id for each in snapshots if each.status == "failed"]

pulumi.export("collections", len(snapshots))
pulumi.export("records", sum(each.size or 0 for each in ready))
# Why collections have failed, by snapshot.
pulumi.export("failures", {each: brightdata.get_snapshot_progress(snapshot_id=each).error_message for each in failed})
if ready:
    pulumi.export("latest", describe(ready[-1]))

delivery_id = config.get("deliveryId")
if delivery_id:
    delivery = brightdata.get_delivery(delivery_id=delivery_id)
    pulumi.export("delivery", {"deliveryId": delivery.delivery_id, "status": delivery.status})

collector_run = config.get("collectorRun")
if collector_run:
    # A single look: a run that is still going on is `pending`.
    run = brightdata.get_collector_result(response_id=collector_run, timeout=0)
    pulumi.export("collectorRun", {"responseId": run.response_id, "status": run.status, "rows": run.rows})
