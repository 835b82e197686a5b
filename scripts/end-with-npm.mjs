// npm runs a script in a shell, which passes no signal on: whoever ends npm, or kills it, would leave the script's
// process behind without a parent.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const lookMs = 250

/** Ends this process in order, by SIGTERM, once the npm that runs it is gone. Without npm it does nothing. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const parent = process.ppid
  const above = ancestorOf(parent)
  const isGone = () => process.ppid !== parent || (above !== undefined && !isAlive(above))
  const timer = setInterval(() => {
    if (!isGone()) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookMs)
  timer.unref()
}

/** The npm above the shell; undefined where there is no shell between. */
function ancestorOf(pid) {
  try {
    const { name, parent } = existsSync(`/proc/${pid}/stat`) ? fromProc(pid) : fromPs(pid)
    return /^-?(?:.*\/)?(?:sh|bash|dash|zsh|ksh|ash|busybox)$/.test(name) && parent > 1 ? parent : undefined
  } catch {
    return undefined
  }
}

function fromProc(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const end = stat.lastIndexOf(')')
  return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 2).split(' ')[1]) }
}

function fromPs(pid) {
  const [parent = '', ...name] = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
  return { name: name.join(' '), parent: Number(parent) }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
