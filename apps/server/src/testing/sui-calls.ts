import { buildTestApp, databaseKind, type databases } from './build-test-app'

export const home = { domain: 'parley.example', url: 'https://parley.example' }
export const away = { domain: 'other.example', url: 'https://other.example' }

export async function aSuiApp(
  kind: (typeof databases)[number] = databaseKind,
  { url, keepTables = false } = { ...home, keepTables: false },
) {
  return buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0', PUBLIC_URL: url }, keepTables })
}

export const codeOf = async (answer: Promise<{ status: number; body: unknown }>): Promise<string> =>
  ((await answer).body as { code?: string }).code ?? 'none'
