import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseVariables } from './testing/database-variables'
import { outputUntil, processTimeout } from './testing/run-source'

const fileOf = (path: string): string => new URL(path, import.meta.url).href

/** A package whose start script is the server, run by npm. */
async function npmStart() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'started', private: true, scripts: { start: 'node start.mjs' } }),
  )
  const start = `import { endWithNpm } from '${fileOf('../../../scripts/end-with-npm.mjs')}'
endWithNpm()
console.log('process ' + process.pid)
await import('${fileOf('../.cache/main.js')}')`
  writeFileSync(join(folder, 'start.mjs'), start)
  const env = { ...process.env, ...(await databaseVariables(join(folder, 'data'))), PORT: '0' }
  const npm = spawn('npm', ['start'], { cwd: folder, env, detached: true })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  const said = await outputUntil(npm, /Parley is ready/)
  const pid = Number(/process (\d+)/.exec(said)?.[1])
  onTestFinished(() => void kill(pid, 'SIGKILL'))
  return { npm, pid, output: () => output }
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

describe.skipIf(process.platform === 'win32')('npm start', { timeout: processTimeout }, () => {
  it.each([
    ['npm gets SIGTERM', 'SIGTERM', 'npm'],
    ['npm is killed', 'SIGKILL', 'npm'],
    ['Ctrl-C is pressed', 'SIGINT', 'all'],
    ['its terminal is closed', 'SIGHUP', 'all'],
  ] as const)('ends whole, and in order, when %s', async (_when, signal, whom) => {
    const { npm, pid, output } = await npmStart()
    expect(kill(pid, 0)).toBe(true)
    // Terminals signal the group of processes.
    kill(whom === 'all' ? -(npm.pid ?? 0) : (npm.pid ?? 0), signal)
    await expect.poll(() => kill(pid, 0)).toBe(false)
    expect(output()).toContain('"msg":"ended"')
  })
})
