import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Runs a program of node_modules/.bin or Node itself; resolves with its exit code. Ctrl-C reaches it as well. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      shell: process.platform === 'win32',
      ...options,
      env: { ...process.env, ...options.env },
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
  })
}

/** Node with the program of an installed package, so that no shell and no npx is needed. */
export function runBin(path, args, options) {
  return run(process.execPath, [`node_modules/${path}`, ...args], { shell: false, ...options })
}

/**
 * Runs a script of this folder in the time that the processors have nothing else to do, and prints what it says once it
 * has ended: what runs meanwhile prints as well.
 * @returns {Promise<number>} its exit code
 */
export function runWhenIdle(script) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('error', reject)
    child.on('close', (code) => {
      process.stdout.write(output)
      resolve(code ?? 1)
    })
  })
}
