-- Messages made of several items: the batch that an attempt and its repeats share, and the life of a group.
ALTER TABLE "outbox" ADD COLUMN "batch_id" UUID, ADD COLUMN "episode" UUID;
-- A batch may hold two items of one alert; that one batch of a group is in flight is seen to under a lock.
DROP INDEX outbox_one_in_flight;
CREATE INDEX outbox_of_group ON outbox (channel_id, group_key, created_at);
CREATE INDEX outbox_dead ON outbox (done_at) WHERE state = 'dead';

-- A link in a message: good once, for a day, for one alert and one act.
CREATE TABLE "message_link" (
    "hash" BYTEA NOT NULL,
    "alert_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "message_link_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "message_link_expires_at_idx" ON "message_link"("expires_at");
ALTER TABLE "message_link" ADD CONSTRAINT "message_link_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "message_link" ADD CONSTRAINT "message_link_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
