"""Large runs: inputs routed to shards by their references, assessed shard by shard, told of by a manifest."""
