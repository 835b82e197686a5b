CREATE TABLE "generations" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" text NOT NULL,
	"owner" text NOT NULL,
	"epoch" integer DEFAULT 1 NOT NULL,
	"heartbeat_at" timestamp with time zone NOT NULL,
	"seq" integer DEFAULT 0 NOT NULL,
	"storage_mode" text NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost" bigint,
	"error_code" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "socket_tickets" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "generations_running" ON "generations" USING btree ("status","heartbeat_at");--> statement-breakpoint
CREATE INDEX "generations_subject" ON "generations" USING btree ("subject","created_at");--> statement-breakpoint
CREATE INDEX "socket_tickets_expiry" ON "socket_tickets" USING btree ("expires_at");