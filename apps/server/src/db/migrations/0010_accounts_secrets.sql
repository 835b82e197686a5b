CREATE TABLE "known_browsers" (
	"user_id" uuid NOT NULL,
	"browser_hash" text NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_browsers_user_id_browser_hash_pk" PRIMARY KEY("user_id","browser_hash")
);
--> statement-breakpoint
CREATE TABLE "server_keys" (
	"name" text NOT NULL,
	"sealed_by" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "server_keys_name_sealed_by_pk" PRIMARY KEY("name","sealed_by")
);
--> statement-breakpoint
ALTER TABLE "mail_tokens" ADD COLUMN "browser_hash" text;--> statement-breakpoint
ALTER TABLE "socket_tickets" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "secrets_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sign_up_browser_hash" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletion_requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletion_keeps_agents" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_browsers_used" ON "known_browsers" USING btree ("used_at");