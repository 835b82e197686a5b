CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"amount" bigint NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"asked" numeric(78, 0) NOT NULL,
	"currency" text NOT NULL,
	"rate" text,
	"provider_id" text,
	"payment_url" text,
	"qr_code" text,
	"terms" jsonb,
	"transaction_id" text,
	"idempotency_key" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"credited_at" timestamp with time zone,
	CONSTRAINT "payments_idempotency" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "payments_provider" UNIQUE("method","provider_id"),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" > 0),
	CONSTRAINT "payments_asked" CHECK ("payments"."asked" > 0),
	CONSTRAINT "payments_currency" CHECK ("payments"."currency" = case "payments"."method" when 'pix' then 'brl' when 'card' then 'usd' else 'aiz' end),
	CONSTRAINT "payments_method" CHECK ("payments"."method" in ('pix', 'card', 'token')),
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('pending', 'failed', 'expired', 'completed', 'refunded')),
	CONSTRAINT "payments_credited" CHECK ("payments"."credited_at" is null or "payments"."status" in ('completed', 'refunded')),
	CONSTRAINT "payments_terms" CHECK (("payments"."method" = 'token') = ("payments"."terms" is not null))
);
--> statement-breakpoint
CREATE TABLE "token_transfers" (
	"chain_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "token_transfers_chain_id_hash_pk" PRIMARY KEY("chain_id","hash"),
	CONSTRAINT "token_transfers_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "token_transfers_hash" CHECK ("token_transfers"."hash" = lower("token_transfers"."hash"))
);
--> statement-breakpoint
CREATE TABLE "webhook_inbox" (
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "webhook_inbox_provider_event_id_pk" PRIMARY KEY("provider","event_id")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_transfers" ADD CONSTRAINT "token_transfers_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_user" ON "payments" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_open" ON "payments" USING btree ("asked_at") WHERE "payments"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_inbox_age" ON "webhook_inbox" USING btree ("received_at");--> statement-breakpoint
-- A payment only goes on: pending, then failed or expired, then completed, then refunded. What it is about stays, and the person can only go with their account.
CREATE FUNCTION "payment_goes_on"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
	ranks constant jsonb := '{"pending": 0, "failed": 1, "expired": 1, "completed": 2, "refunded": 3}';
begin
	if new.status <> old.status and (ranks ->> new.status)::int <= (ranks ->> old.status)::int then
		raise exception 'a payment does not go back' using errcode = 'restrict_violation';
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
CREATE TRIGGER "payments_go_on" BEFORE UPDATE ON "payments" FOR EACH ROW EXECUTE FUNCTION "payment_goes_on"();--> statement-breakpoint
CREATE TRIGGER "payments_kept" BEFORE DELETE ON "payments" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();--> statement-breakpoint
CREATE TRIGGER "token_transfers_kept" BEFORE UPDATE OR DELETE ON "token_transfers" FOR EACH ROW EXECUTE FUNCTION "ledger_append_only"();
