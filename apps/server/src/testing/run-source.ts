import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Runs a file of the server's source, bundled by scripts/bundle-for-tests.mjs, in a process of its own, killed when the test ends. The path is relative to `src`. */
export function runSource(path: string, args: string[] = [], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const file = fileURLToPath(new URL(`../../.cache/${parse(path).name}.js`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** What it has printed when that fits, or all of it when it ends before. It is read on afterwards: a process that cannot print may end. */
export function outputUntil(child: ChildProcessWithoutNullStreams, wanted: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (wanted.test(text)) resolve(text)
    })
    child.once('close', () => resolve(text))
  })
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('close', (code) => resolve(code)))
}
