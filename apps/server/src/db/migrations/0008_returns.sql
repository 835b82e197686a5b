CREATE TABLE "recon_findings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule" text NOT NULL,
	"subject" text NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "shared_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"begun_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "returned" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "returns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "mailed_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "recon_findings_open" ON "recon_findings" USING btree ("rule","subject") WHERE "recon_findings"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "payments_unmailed" ON "payments" USING btree ("credited_at") WHERE "payments"."credited_at" is not null and "payments"."mailed_at" is null;--> statement-breakpoint
-- What was given back until now was given back whole, in one transaction; of what was credited until now nobody is told any more.
UPDATE "payments" SET "returned" = CASE WHEN "status" = 'refunded' THEN "amount" ELSE 0 END, "returns" = CASE WHEN "status" = 'refunded' THEN 1 ELSE 0 END, "mailed_at" = "credited_at" WHERE "credited_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_returned" CHECK ("payments"."returned" between 0 and "payments"."amount" and ("payments"."returned" = 0 or "payments"."credited_at" is not null));--> statement-breakpoint
-- As before, but for two ways back: a dispute that was won makes a payment complete again, and a transfer that is named after the end of its payment, while
-- its last blocks are missing, opens it again.
CREATE OR REPLACE FUNCTION "payment_goes_on"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
	ranks constant jsonb := '{"pending": 0, "failed": 1, "expired": 1, "completed": 2, "refunded": 3}';
	is_given_again constant boolean := old.status = 'refunded' and new.status = 'completed';
	is_open_again constant boolean := old.status = 'expired' and new.status = 'pending' and new.method = 'token' and new.transaction_id is not null;
begin
	if new.status <> old.status and (ranks ->> new.status)::int <= (ranks ->> old.status)::int and not (is_given_again or is_open_again) then
		raise exception 'a payment does not go back' using errcode = 'restrict_violation';
	end if;
	if new.returned <> old.returned and new.returns <= old.returns then
		raise exception 'a change of what was given back is counted' using errcode = 'restrict_violation';
	end if;
	if (new.id, new.amount, new.method, new.asked, new.currency, new.rate, new.terms, new.idempotency_key, new.created_at, new.expires_at)
		is distinct from (old.id, old.amount, old.method, old.asked, old.currency, old.rate, old.terms, old.idempotency_key, old.created_at, old.expires_at)
		or (old.provider_id is not null and new.provider_id is distinct from old.provider_id)
		or (old.credited_at is not null and new.credited_at is distinct from old.credited_at)
		or (new.user_id is not null and new.user_id is distinct from old.user_id) then
		raise exception 'what a payment is about does not change' using errcode = 'restrict_violation';
	end if;
	return new;
end $$;--> statement-breakpoint
CREATE TRIGGER "ledger_transactions_not_emptied" BEFORE TRUNCATE ON "ledger_transactions" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_entries_not_emptied" BEFORE TRUNCATE ON "ledger_entries" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_holds_not_emptied" BEFORE TRUNCATE ON "ledger_holds" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_balances_not_emptied" BEFORE TRUNCATE ON "ledger_balances" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_accounts_not_emptied" BEFORE TRUNCATE ON "ledger_accounts" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "payments_not_emptied" BEFORE TRUNCATE ON "payments" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "token_transfers_not_emptied" BEFORE TRUNCATE ON "token_transfers" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_append_only"();
