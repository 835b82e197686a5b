import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/**
 * Runs a file of the server's source, bundled by scripts/bundle-for-tests.mjs, in a process of its own, killed when the
 * test ends. The path is relative to `src`.
 */
export function runSource(
  path: string,
  args: string[] = [],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [bundleOf(path), ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The same with an open file as its standard output. */
export function runSourceInto(stdout: number, path: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [bundleOf(path)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function bundleOf(path: string): string {
  return fileURLToPath(new URL(`../../.cache/${parse(path).name}.js`, import.meta.url))
}

/** For tests that start processes, which on a busy machine take long to begin. */
export const processTimeout = 180_000
const outputMs = 90_000

/**
 * What it has printed when that fits, or all of it when it ends before. It is read on afterwards: a process that cannot
 * print may end.
 */
export function outputUntil(child: ChildProcessWithoutNullStreams, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let errors = ''
    const timer = setTimeout(() => {
      reject(
        new Error(
          `a process did not print ${wanted} within ${outputMs} ms, but: ${text.slice(-500)}\n${errors.slice(-2_000)}`,
        ),
      )
    }, outputMs)
    const settle = (): void => {
      clearTimeout(timer)
      resolve(text)
    }
    child.stderr.on('data', (chunk) => {
      errors += String(chunk)
    })
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (wanted.test(text)) settle()
    })
    child.once('close', settle)
  })
}

export function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('close', (code) => resolve(code)))
}
