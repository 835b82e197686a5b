import { spawn } from 'node:child_process'

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
