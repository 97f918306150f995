-- One price per thing, day and source: machines of other sizes under one name are other things, and what was taken back is none.
DROP INDEX "quote_provider_type_name_region_tier_unit_as_of_source_key";
CREATE UNIQUE INDEX "quote_key" ON "quote"("provider", "type_name", "region", "tier", "unit", "gpus", (coalesce("gpu_memory_gb", 0)), "as_of", "source") WHERE "deleted_at" IS NULL;
