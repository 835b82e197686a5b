-- no transaction
ALTER TABLE "ledger_holds" ADD COLUMN IF NOT EXISTS "generation_ref" text;--> statement-breakpoint
ALTER TABLE "ledger_holds" ADD COLUMN IF NOT EXISTS "cost_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "generations_ended";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "generations_ended" ON "generations" USING btree ("ended_at");
