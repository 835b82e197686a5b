import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate` in this folder writes the migration of what changed in the schema files. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/db/schema/*.ts',
  out: './src/db/migrations',
})
