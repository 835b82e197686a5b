import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadAuthSecrets } from './auth-secret'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('auth secret', () => {
  it('is made once, for its owner only', () => {
    const dataDir = join(aFolder(), 'new', 'data')
    const [secret] = loadAuthSecrets({ authSecrets: [], dataDir })
    expect(secret.length).toBeGreaterThanOrEqual(64)
    expect(loadAuthSecrets({ authSecrets: [], dataDir })).toEqual([secret])
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600)
  })

  it('is the one of the environment where there is one, the older ones behind it', () => {
    expect(loadAuthSecrets({ authSecrets: ['new', 'old'], dataDir: '/nowhere' })).toEqual(['new', 'old'])
  })

  it('is never empty: a damaged file stops the start', () => {
    const dataDir = aFolder()
    writeFileSync(join(dataDir, 'auth-secret'), '\n')
    expect(() => loadAuthSecrets({ authSecrets: [], dataDir })).toThrow('is damaged')
  })
})
