ALTER TABLE "sources" ALTER COLUMN "channel_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "agent_id" text;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sources_draft" ON "sources" USING btree ("updated_at") WHERE channel_id is null and agent_id is null;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_agent_content" UNIQUE("agent_id","sha256");--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_one_home" CHECK (channel_id is null or agent_id is null);