-- The same file is one invoice; the months that an invoice touches are found by its days.
CREATE UNIQUE INDEX "invoice_connection_id_file_hash_key" ON "invoice"("connection_id", "file_hash");
CREATE INDEX "invoice_from_day_idx" ON "invoice"("from_day");
