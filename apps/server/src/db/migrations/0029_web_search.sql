ALTER TABLE "ledger_holds" ADD COLUMN "beside" bigint DEFAULT 0 NOT NULL;
