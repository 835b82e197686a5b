import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from './env'

/**
 * The secrets of AUTH_SECRET, newest first: the first signs, all of them verify, so that a secret can be replaced
 * without signing everybody out. Without AUTH_SECRET the one made at the first start and kept in DATA_DIR, readable by
 * its owner only.
 */
export function loadAuthSecrets(env: Pick<Env, 'authSecrets' | 'dataDir'>): readonly [string, ...string[]] {
  const [newest, ...older] = env.authSecrets
  if (newest !== undefined) return [newest, ...older]
  const file = join(env.dataDir, 'auth-secret')
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32)
    throw new Error(
      `${file} is damaged: it must hold at least 32 characters. Delete it to get a new one (everyone is signed out and becomes a new visitor).`,
    )
  return [secret]
}
