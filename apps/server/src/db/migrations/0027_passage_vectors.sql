CREATE TABLE "passage_vectors" (
	"source_id" uuid NOT NULL,
	"reading_id" uuid NOT NULL,
	"index" integer NOT NULL,
	"owner_id" uuid NOT NULL,
	"key" text NOT NULL,
	"vector" real[] NOT NULL,
	CONSTRAINT "passage_vectors_source_id_reading_id_index_pk" PRIMARY KEY("source_id","reading_id","index")
);
--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "vectors_key" text;--> statement-breakpoint
ALTER TABLE "passage_vectors" ADD CONSTRAINT "passage_vectors_passage" FOREIGN KEY ("source_id","reading_id","index") REFERENCES "public"."source_passages"("source_id","reading_id","index") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Numbers that look like noise: to compress them only takes time.
ALTER TABLE "passage_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL;--> statement-breakpoint
-- Without the extension the server compares vectors itself.
DO $$ begin
	create extension if not exists vector;
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
	raise notice 'pgvector is not available: the server compares vectors itself';
end $$;
