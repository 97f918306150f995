-- CreateTable
CREATE TABLE "audit_check" (
    "only_row" BOOLEAN NOT NULL DEFAULT true,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "whole_at" TIMESTAMPTZ(3) NOT NULL,
    "broken_at" BIGINT,

    CONSTRAINT "audit_check_pkey" PRIMARY KEY ("only_row")
);

ALTER TABLE "audit_check" ADD CONSTRAINT "audit_check_only_row" CHECK ("only_row");
