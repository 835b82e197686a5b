CREATE TABLE "channels" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text,
	"channel_name" text NOT NULL,
	"name_key" text NOT NULL,
	"assistant_id" text,
	"is_document" boolean NOT NULL,
	"is_image" boolean NOT NULL,
	"is_youtube" boolean NOT NULL,
	"is_locked" boolean NOT NULL,
	"last_position" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "channels_client_id" UNIQUE("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"channel_id" text NOT NULL,
	"m_id" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"question" text NOT NULL,
	"answer" text NOT NULL,
	"status" text NOT NULL,
	"is_empty" boolean DEFAULT false NOT NULL,
	"error_code" text,
	"error_content" text,
	"model" text,
	"assistant_id" text,
	"input_tokens" double precision,
	"output_tokens" double precision,
	"cost" bigint,
	"finish_reason" text,
	"duration_ms" double precision,
	"run_message_id" uuid,
	"run_seq" double precision,
	"run_base" double precision,
	"run_question" text,
	"author_user_id" uuid,
	"asked_at" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"folded" text NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', folded) || array_to_tsvector(array['@' || owner_id::text])) STORED,
	CONSTRAINT "messages_channel_id_m_id_pk" PRIMARY KEY("channel_id","m_id"),
	CONSTRAINT "messages_position" UNIQUE("channel_id","position")
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "channel_id" text;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "m_id" text;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_author_user_id_users_id_fk" FOREIGN KEY ("author_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "channels_name" ON "channels" USING btree ("user_id",coalesce("assistant_id", ''),"name_key");--> statement-breakpoint
CREATE INDEX "channels_activity" ON "channels" USING btree ("user_id","updated_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "messages_m_id" ON "messages" USING btree ("m_id");--> statement-breakpoint
CREATE INDEX "messages_author" ON "messages" USING btree ("author_user_id");--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("search");--> statement-breakpoint
CREATE INDEX "messages_newest" ON "messages" USING btree ("owner_id","updated_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "generations_channel" ON "generations" USING btree ("channel_id") WHERE "generations"."status" = 'running';