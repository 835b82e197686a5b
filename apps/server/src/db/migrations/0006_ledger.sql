CREATE TABLE "ledger_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	CONSTRAINT "ledger_accounts_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "ledger_accounts_owner" CHECK ("ledger_accounts"."kind" = 'user' or "ledger_accounts"."user_id" is null)
);
--> statement-breakpoint
CREATE TABLE "ledger_balances" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"posted" bigint NOT NULL,
	"held" bigint NOT NULL,
	"owed" bigint NOT NULL,
	CONSTRAINT "ledger_balances_held" CHECK ("ledger_balances"."held" >= 0),
	CONSTRAINT "ledger_balances_owed" CHECK ("ledger_balances"."owed" >= 0),
	CONSTRAINT "ledger_balances_spendable" CHECK ("ledger_balances"."posted" - "ledger_balances"."held" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"balance" bigint,
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" <> 0),
	CONSTRAINT "ledger_entries_balance" CHECK ("ledger_entries"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"charged" bigint,
	"produced" bigint NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "ledger_holds_message" UNIQUE("account_id","message_id"),
	CONSTRAINT "ledger_holds_amount" CHECK ("ledger_holds"."amount" > 0),
	CONSTRAINT "ledger_holds_produced" CHECK ("ledger_holds"."produced" >= 0),
	CONSTRAINT "ledger_holds_charged" CHECK ("ledger_holds"."charged" between 0 and "ledger_holds"."amount"),
	CONSTRAINT "ledger_holds_ended" CHECK (("ledger_holds"."state" = 'held') = ("ledger_holds"."charged" is null) and ("ledger_holds"."state" = 'held') = ("ledger_holds"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"idem" text NOT NULL,
	"kind" text NOT NULL,
	"hold_id" uuid,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_transactions_idem_unique" UNIQUE("idem")
);
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_balances" ADD CONSTRAINT "ledger_balances_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_holds" ADD CONSTRAINT "ledger_holds_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_hold_id_ledger_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."ledger_holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "ledger_entries_transaction" ON "ledger_entries" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "ledger_holds_open" ON "ledger_holds" USING btree ("expires_at") WHERE "ledger_holds"."state" = 'held';--> statement-breakpoint
-- What has happened with money has happened: a mistake is put right by a transaction of its own.
CREATE FUNCTION "ledger_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	raise exception 'rows of % can only be added', tg_table_name using errcode = 'restrict_violation';
end $$;--> statement-breakpoint
CREATE TRIGGER "ledger_transactions_append_only" BEFORE UPDATE OR DELETE ON "ledger_transactions" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE ON "ledger_entries" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_holds_kept" BEFORE DELETE ON "ledger_holds" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_balances_kept" BEFORE DELETE ON "ledger_balances" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "ledger_accounts_kept" BEFORE DELETE ON "ledger_accounts" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
-- Of an account only the person can go, when theirs is deleted.
CREATE FUNCTION "ledger_account_unchanged"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	if new.id <> old.id or new.kind <> old.kind or (new.user_id is not null and new.user_id is distinct from old.user_id) then
		raise exception 'an account of the ledger does not change' using errcode = 'restrict_violation';
	end if;
	return new;
end $$;--> statement-breakpoint
CREATE TRIGGER "ledger_accounts_unchanged" BEFORE UPDATE ON "ledger_accounts" FOR EACH ROW EXECUTE FUNCTION "ledger_account_unchanged"();--> statement-breakpoint
-- A hold ends once, and what it is about never changes.
CREATE FUNCTION "ledger_hold_open"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	if old.state <> 'held' then
		raise exception 'this hold is over' using errcode = 'restrict_violation';
	end if;
	if (new.id, new.account_id, new.message_id, new.amount, new.model, new.created_at)
		is distinct from (old.id, old.account_id, old.message_id, old.amount, old.model, old.created_at) then
		raise exception 'what a hold is about does not change' using errcode = 'restrict_violation';
	end if;
	return new;
end $$;--> statement-breakpoint
CREATE TRIGGER "ledger_holds_open_only" BEFORE UPDATE ON "ledger_holds" FOR EACH ROW EXECUTE FUNCTION "ledger_hold_open"();--> statement-breakpoint
-- Looked at when it commits: before, the entries come one after the other.
CREATE FUNCTION "ledger_transaction_balanced"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
	which uuid := case when tg_table_name = 'ledger_entries' then (to_jsonb(new) ->> 'transaction_id')::uuid else (to_jsonb(new) ->> 'id')::uuid end;
begin
	if (select coalesce(sum(amount), 1) from ledger_entries where transaction_id = which) <> 0 then
		raise exception 'the entries of a transaction must sum to zero' using errcode = 'check_violation';
	end if;
	return null;
end $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_transactions_balanced" AFTER INSERT ON "ledger_transactions" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_transaction_balanced"();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_entries_balanced" AFTER INSERT ON "ledger_entries" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_transaction_balanced"();
