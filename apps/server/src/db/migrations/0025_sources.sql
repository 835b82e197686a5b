CREATE TABLE "file_keys" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_removals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"prefix" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "source_passages" (
	"source_id" uuid NOT NULL,
	"reading_id" uuid NOT NULL,
	"index" integer NOT NULL,
	"owner_id" uuid NOT NULL,
	"channel_id" text NOT NULL,
	"text" text NOT NULL,
	"page" integer,
	"headings" jsonb NOT NULL,
	"first_block" integer NOT NULL,
	"end_block" integer NOT NULL,
	"folded" text NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', folded) || array_to_tsvector(array['#' || channel_id])) STORED,
	CONSTRAINT "source_passages_source_id_reading_id_index_pk" PRIMARY KEY("source_id","reading_id","index")
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"url" text,
	"media_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"status" text NOT NULL,
	"progress" jsonb,
	"reason" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"pages" integer,
	"characters" integer,
	"passages" integer,
	"notices" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"excerpt" text,
	"reading_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"fetched_at" timestamp with time zone,
	CONSTRAINT "sources_content" UNIQUE("channel_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "uploads_content" UNIQUE("channel_id","sha256")
);
--> statement-breakpoint
ALTER TABLE "file_keys" ADD CONSTRAINT "file_keys_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_passages" ADD CONSTRAINT "source_passages_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "source_passages_search" ON "source_passages" USING gin ("search");--> statement-breakpoint
CREATE INDEX "sources_owner" ON "sources" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "uploads_owner" ON "uploads" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "uploads_updated" ON "uploads" USING btree ("updated_at");--> statement-breakpoint
CREATE FUNCTION "remove_files_of_row"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_removals (prefix) VALUES (OLD.owner_id || '/' || OLD.id || '/');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "sources_files_removed" AFTER DELETE ON "sources" FOR EACH ROW EXECUTE FUNCTION "remove_files_of_row"();--> statement-breakpoint
CREATE TRIGGER "uploads_files_removed" AFTER DELETE ON "uploads" FOR EACH ROW EXECUTE FUNCTION "remove_files_of_row"();
