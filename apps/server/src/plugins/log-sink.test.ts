import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LogSink } from './log-sink'

const times = { afterErrorMs: 5, afterFullPipeMs: 5 }

/** A pipe with a name, whose ends can be opened and closed by themselves. */
function aPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'log')
  execFileSync('mkfifo', [path])
  const openReader = (): number => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = openReader()
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(writer))
  return { first, writer, openReader }
}

/** What can be read now. */
function read(fd: number): string {
  const buffer = Buffer.alloc(256 * 1024)
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer))
  } catch {
    return ''
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean)

describe.skipIf(process.platform === 'win32')('the log of a process', () => {
  it('keeps every line in its order while its reader is slow', async () => {
    const { first, writer } = aPipe()
    onTestFinished(() => closeSync(first))
    const sink = new LogSink(writer, times)
    // More than a pipe holds, less than may wait.
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`)
    for (const line of lines) sink.write(`${line}\n`)
    let text = ''
    await expect
      .poll(() => {
        text += read(first)
        return linesOf(text).length
      })
      .toBe(lines.length)
    expect(linesOf(text)).toEqual(lines)
    expect(sink).toMatchObject({ lost: 0, errors: 0 })
  })

  it('loses what is too much for a reader that has stopped, counts it, and says so when it reads again', async () => {
    const { first, writer } = aPipe()
    onTestFinished(() => closeSync(first))
    const sink = new LogSink(writer, times)
    const said: number[] = []
    sink.onBack = (lost) => said.push(lost)
    for (let line = 0; line < 3_000; line++) sink.write(`${'x'.repeat(999)}\n`)
    expect(sink.lost).toBeGreaterThan(1_000)
    const { lost } = sink
    let text = ''
    await expect
      .poll(() => {
        text += read(first)
        return linesOf(text).length
      })
      .toBe(3_000 - lost)
    await expect.poll(() => said).toEqual([lost])
  })

  it('goes on when its reader has gone, and writes again to the next one', async () => {
    const { first, writer, openReader } = aPipe()
    const sink = new LogSink(writer, times)
    closeSync(first)
    sink.write('to nobody\n')
    await expect.poll(() => sink.errors).toBeGreaterThan(1)
    const next = openReader()
    onTestFinished(() => closeSync(next))
    sink.write('to somebody\n')
    let text = ''
    await expect
      .poll(() => {
        text += read(next)
        return text
      })
      .toBe('to nobody\nto somebody\n')
    expect(sink.lost).toBe(0)
  })
})
