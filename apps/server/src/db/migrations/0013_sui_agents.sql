CREATE TABLE "sui_agents" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"version" integer NOT NULL,
	"digest" text NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	"salt" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sui_versions" (
	"agent_id" text NOT NULL,
	"version" integer NOT NULL,
	"digest" text NOT NULL,
	"manifest" text NOT NULL,
	"signature" text NOT NULL,
	CONSTRAINT "sui_versions_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
ALTER TABLE "sui_agents" ADD CONSTRAINT "sui_agents_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sui_versions" ADD CONSTRAINT "sui_versions_agent_id_sui_agents_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."sui_agents"("agent_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agents_sui" ON "agents" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"language_bits") WHERE source = 'sui';