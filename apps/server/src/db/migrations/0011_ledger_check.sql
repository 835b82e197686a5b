-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "ledger_transactions_hold";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_transactions_hold" ON "ledger_transactions" USING btree ("hold_id") WHERE "ledger_transactions"."hold_id" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_transactions_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_transactions_at" ON "ledger_transactions" USING btree ("at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_transactions_refund";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_transactions_refund" ON "ledger_transactions" USING btree (split_part("idem", ':', 2)) WHERE "ledger_transactions"."kind" = 'refund';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_holds_ended_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_holds_ended_at" ON "ledger_holds" USING btree ("ended_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_balances_holding";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_balances_holding" ON "ledger_balances" USING btree ("account_id") WHERE "ledger_balances"."held" <> 0;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_updated";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_updated" ON "payments" USING btree ("updated_at");--> statement-breakpoint
ALTER TABLE "shared_jobs" ADD COLUMN IF NOT EXISTS "succeeded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shared_jobs" ADD COLUMN IF NOT EXISTS "mark_entry" bigint;--> statement-breakpoint
ALTER TABLE "shared_jobs" ADD COLUMN IF NOT EXISTS "mark_at" timestamp with time zone;
