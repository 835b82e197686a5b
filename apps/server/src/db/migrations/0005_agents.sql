CREATE TABLE "agent_likes" (
	"agent_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "agent_likes_agent_id_user_id_pk" PRIMARY KEY("agent_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "agent_search" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL,
	"likes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"filler" text DEFAULT repeat(' ', 2100) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_secrets" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"prompts" jsonb NOT NULL,
	"knowledge" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"user_id" uuid,
	"name" text NOT NULL,
	"category" text NOT NULL,
	"profile_image" text NOT NULL,
	"texts" jsonb NOT NULL,
	"language_bits" smallint NOT NULL,
	"is_private" boolean NOT NULL,
	"is_enabled" boolean NOT NULL,
	"is_listed" boolean GENERATED ALWAYS AS (source = 'community' and not is_private and is_enabled) STORED,
	"user_price" integer DEFAULT 0 NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"content_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_likes" ADD CONSTRAINT "agent_likes_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_likes" ADD CONSTRAINT "agent_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_search" ADD CONSTRAINT "agent_search_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_secrets" ADD CONSTRAINT "agent_secrets_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_likes_user" ON "agent_likes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "agent_search_words" ON "agent_search" USING gin ("words");--> statement-breakpoint
CREATE INDEX "agents_newest" ON "agents" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"language_bits") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "agents_liked" ON "agents" USING btree ("likes" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"language_bits") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "agents_owner" ON "agents" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "agents_product" ON "agents" USING btree ("created_at") WHERE source = 'product';--> statement-breakpoint
CREATE INDEX "pictures_owner" ON "pictures" USING btree ("user_id","created_at");
--> statement-breakpoint
-- Room beside each row, so that a like changes its copy in place and no index of words; the words of a row are kept beside the table.
ALTER TABLE "agent_search" SET (fillfactor = 85, toast_tuple_target = 128);--> statement-breakpoint
ALTER TABLE "agent_search" ALTER COLUMN "words" SET STORAGE EXTERNAL;--> statement-breakpoint
-- In the database, because likes also go when an account goes: the count is exact whatever deletes them.
CREATE FUNCTION "count_agent_like"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
	agent text := case when tg_op = 'INSERT' then new.agent_id else old.agent_id end;
	change integer := case when tg_op = 'INSERT' then 1 else -1 end;
	counted integer;
begin
	update agents set likes = likes + change where id = agent returning likes into counted;
	if found then
		update agent_search set likes = counted where agent_id = agent;
	end if;
	return null;
end $$;--> statement-breakpoint
CREATE TRIGGER "agent_likes_counted" AFTER INSERT OR DELETE ON "agent_likes" FOR EACH ROW EXECUTE FUNCTION "count_agent_like"();--> statement-breakpoint
-- A database that lacks the extension, or whose owner may not create it, searches without tolerance for typing mistakes.
DO $$ begin
	create extension if not exists pg_trgm;
	create index agent_words_trigrams on agent_words using gin (word gin_trgm_ops);
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
	raise notice 'pg_trgm is not available: agents are found by whole words and their beginnings only';
end $$;
