-- A generated column takes no other expression: it is made anew, and its index with it.
ALTER TABLE "messages" drop column "search";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', folded) || array_to_tsvector(array['@' || owner_id::text, '#' || channel_id])) STORED;--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("search");
