CREATE TABLE "summaries" (
	"channel_id" text NOT NULL,
	"id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"m_id" text NOT NULL,
	"up_to_run_id" text NOT NULL,
	"text" text NOT NULL,
	"messages" integer NOT NULL,
	"is_edited" boolean DEFAULT false NOT NULL,
	"is_undone" boolean DEFAULT false NOT NULL,
	"author_user_id" uuid,
	"cost" bigint,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "summaries_channel_id_id_pk" PRIMARY KEY("channel_id","id"),
	CONSTRAINT "summaries_run" UNIQUE("channel_id","up_to_run_id")
);
--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_author_user_id_users_id_fk" FOREIGN KEY ("author_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_channel_id_m_id_messages_channel_id_m_id_fk" FOREIGN KEY ("channel_id","m_id") REFERENCES "public"."messages"("channel_id","m_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "summaries_author" ON "summaries" USING btree ("author_user_id");