CREATE TABLE "sui_anchors" (
	"agent_id" text NOT NULL,
	"version" integer NOT NULL,
	"transaction" text NOT NULL,
	"bytes" text NOT NULL,
	"signature" text NOT NULL,
	"checkpoint" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "sui_anchors_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
ALTER TABLE "sui_anchors" ADD CONSTRAINT "sui_anchors_agent_id_version_sui_versions_agent_id_version_fk" FOREIGN KEY ("agent_id","version") REFERENCES "public"."sui_versions"("agent_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Wallets' agents are found by words in the list of theirs: public ones by everybody, all by their owner.
UPDATE "agent_search" SET "words" = "words" || array_to_tsvector(
  CASE WHEN "agents"."is_private" OR NOT "agents"."is_enabled" THEN ARRAY['@sui-' || "agents"."user_id"] ELSE ARRAY['@sui-' || "agents"."user_id", '@sui'] END)
FROM "agents" WHERE "agents"."id" = "agent_search"."agent_id" AND "agents"."source" = 'sui' AND "agents"."user_id" IS NOT NULL;
