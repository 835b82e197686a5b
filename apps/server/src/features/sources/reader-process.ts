import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { AppError, isErrorCode } from '@parley/contract/errors'
import type { Passage } from '@parley/contract/read-document'
import type { SourceProgress } from '@parley/contract/sources'
import * as z from 'zod/mini'
import {
  type FileToRead,
  type Frame,
  frameKind,
  framesIn,
  PassageFrame,
  ProgressFrame,
  ReadingFailure,
  ReadingResult,
} from './reader-frames'

/** `program`: a JavaScript file, instead of the one beside this file. */
export type ReaderOptions = { timeMs: number; memoryBytes: number; program?: string }

/** What is done with what is read, in this order; each is awaited before more is taken. */
export type Receiver = {
  onProgress: (progress: SourceProgress) => Promise<void>
  onDocument: (gzip: AsyncIterable<Buffer>) => Promise<void>
  onPassages: (passages: Passage[]) => Promise<void>
}

const memoryCheckMs = 250

/**
 * Reads a file in a process of its own, which has no secret but the key of a sealed file, no network, and bounds of
 * time and memory. Throws AppError with the reason why the file cannot be read, what `content` or the receiver
 * throws, or an Error where the process ended by itself: then it may be tried again.
 */
export async function readInProcess(
  file: FileToRead,
  content: AsyncIterable<Buffer>,
  receiver: Receiver,
  { timeMs, memoryBytes, program, signal }: ReaderOptions & { signal: AbortSignal },
): Promise<ReadingResult> {
  signal.throwIfAborted()
  const folder = await mkdtemp(join(tmpdir(), 'parley-reader-'))
  const child = startReader(memoryBytes, program, folder)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.once('error', () => undefined)
  let reason: unknown
  const kill = (because: unknown): void => {
    reason ??= because
    child.kill('SIGKILL')
  }
  const abort = (): void => kill(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => kill(new AppError('source.took-too-long')), timeMs)
  const memoryTimer = setInterval(() => {
    void residentBytes(child.pid).then((bytes) => bytes > memoryBytes && kill(new AppError('source.took-too-long')))
  }, memoryCheckMs)
  const [input, , , output] = child.stdio as unknown as [Writable, null, null, Readable]
  // A process that ended is told by its answer; a file that cannot be read from the store ends the process.
  const fed = feed(input, withHeader(file, content)).catch((error: unknown) => error instanceof AppError && kill(error))
  try {
    const result = await receive(output, receiver)
    if (result) return result
    await ended
    throw reason ?? endOf(child)
  } catch (error) {
    throw reason ?? error
  } finally {
    clearTimeout(timer)
    clearInterval(memoryTimer)
    signal.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    input.destroy()
    // What nobody takes any more would keep the process from being closed.
    output.destroy()
    await Promise.all([ended, fed])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Undefined where the process ended before its answer did. */
async function receive(output: Readable, receiver: Receiver): Promise<ReadingResult | undefined> {
  const frames = framesIn(output)
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const { value, done } = await frames.next()
      if (done) return undefined
      if (value.kind !== frameKind.progress) return value
      await receiver.onProgress(z.parse(ProgressFrame, jsonOf(value)))
    }
  }
  let frame = await next()
  let isCutOff = false
  if (frame?.kind === frameKind.document)
    await receiver
      .onDocument(
        (async function* () {
          for (; frame?.kind === frameKind.document; frame = await next()) yield frame.content
          // Otherwise half a document would be stored as a whole one.
          if (!frame) {
            isCutOff = true
            throw new Error('the reader ended in the middle of a document')
          }
        })(),
      )
      .catch((error: unknown) => {
        if (!isCutOff) throw error
      })
  for (; frame?.kind === frameKind.passages; frame = await next())
    await receiver.onPassages(z.parse(PassageFrame, jsonOf(frame)))
  if (frame?.kind === frameKind.failure) {
    const { code = '' } = z.parse(ReadingFailure, jsonOf(frame))
    throw isErrorCode(code) && code.startsWith('source.') ? new AppError(code) : new Error('the reader failed')
  }
  return frame && z.parse(ReadingResult, jsonOf(frame))
}

const jsonOf = ({ content }: Frame): unknown => JSON.parse(content.toString('utf8'))

async function* withHeader(file: FileToRead, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const header = Buffer.from(JSON.stringify(file))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  yield Buffer.concat([length, header])
  yield* content
}

/**
 * The input stays open. The next piece is asked for once the one before is written; whoever gives none is not waited
 * for when the process has ended.
 */
async function feed(input: Writable, pieces: AsyncGenerator<Buffer>): Promise<void> {
  const closed = new Promise<undefined>((resolve) => input.once('close', () => resolve(undefined)))
  // Told by the callback as well.
  input.on('error', () => undefined)
  for (;;) {
    const next = await Promise.race([pieces.next(), closed])
    if (!next || next.done) return
    await new Promise<void>((resolve, reject) => {
      input.write(next.value, (error) => (error ? reject(error) : resolve()))
    })
  }
}

function startReader(memoryBytes: number, program: string | undefined, folder: string): ChildProcess {
  const isSource = program === undefined && import.meta.url.endsWith('.ts')
  const beside = new URL(isSource ? './reader-child.ts' : './reader-child.js', import.meta.url)
  const file = program ?? fileURLToPath(beside)
  // In its threads, too: they take the flags of their process.
  const noNetwork = ['--require', fileURLToPath(new URL('./no-network.cjs', import.meta.url))]
  // Beside the heap there are the file's bytes and what libraries keep outside of it.
  const heapMb = Math.floor(memoryBytes / 1024 / 1024 / 2)
  const flags = [
    `--max-old-space-size=${heapMb}`,
    ...noNetwork,
    ...(isSource ? ['--import', import.meta.resolve('tsx')] : []),
  ]
  const child = spawn(process.execPath, [...flags, file], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    // Neither secrets nor addresses.
    env: { TZ: 'UTC', TMPDIR: folder },
    cwd: folder,
  })
  yieldProcessor(child)
  return child
}

/** A third of the weight of others, on Linux: whoever chats goes before what is read for later, which still goes on. */
const readerNiceness = 5

function yieldProcessor({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, readerNiceness)
  } catch {
    // It has ended already, or the system does not let it.
  }
}

function endOf({ exitCode, signalCode }: ChildProcess): Error {
  // So V8 ends where the heap is full.
  if (signalCode === 'SIGABRT' || exitCode === 134) return new AppError('source.took-too-long')
  return new Error(`the reader ended with ${signalCode ?? exitCode}`)
}

/** 0 where the system does not tell. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(statm.split(' ')[1] ?? 0) * 4_096
}
