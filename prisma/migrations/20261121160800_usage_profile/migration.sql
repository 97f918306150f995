-- Hour by hour what a machine's paid minutes of a day were: five bytes an hour (billed, heard, busy, stoppable empty, stoppable held),
-- so that what-if questions about a month of a thousand machines are answered from a few megabytes.
CREATE TABLE "usage_profile" (
    "resource_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "hours" BYTEA NOT NULL,
    "peak_mib" INTEGER,
    "stops" SMALLINT NOT NULL DEFAULT 0,
    "resumes" SMALLINT NOT NULL DEFAULT 0,
    CONSTRAINT "usage_profile_pkey" PRIMARY KEY ("resource_id", "day"),
    CONSTRAINT "usage_profile_hours" CHECK (octet_length("hours") = 125)
);
CREATE INDEX "usage_profile_day_idx" ON "usage_profile"("day");
ALTER TABLE "usage_profile" ADD CONSTRAINT "usage_profile_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
