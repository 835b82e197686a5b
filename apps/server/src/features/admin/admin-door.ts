// The way into a running server for the operator's commands: with the embedded database no other process can open it, and without Redis no other
// process reaches the people who are connected. It is a socket of this machine; whoever can read the server's folder may use it, and nobody else.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { AdminAnswer } from './admin-service'

/** What the server's folder says of its door. */
const Sign = z.object({ path: z.nullable(z.string()), port: z.nullable(z.int()), token: z.string() })
type Sign = z.infer<typeof Sign>

const Request = z.object({ token: z.string(), args: z.array(z.string()) })
const Answer = z.object({ isOk: z.boolean(), lines: z.array(z.string()) })

const maxRequestBytes = 256 * 1024
const silenceMs = 10 * 60_000
const signOf = (dataDir: string): string => join(dataDir, 'admin.json')

type Options = { dataDir: string; run: (args: string[]) => Promise<AdminAnswer>; log: FastifyBaseLogger }

/** Opens the door of this process; a server that cannot have one runs without. Answers how it is closed. */
export async function openAdminDoor({ dataDir, run, log }: Options): Promise<() => void> {
  const token = randomBytes(32).toString('base64url')
  // In the temporary folder: a socket's path must be short, and a mounted folder may not hold sockets. Windows has none: there it is a port.
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'parley-admin-'))
  const path = folder === undefined ? null : join(folder, 'admin.sock')
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, token, run, log))
  const close = (): void => {
    server.close()
    if (readSign(dataDir)?.token === token) rmSync(signOf(dataDir), { force: true })
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    process.off('exit', close)
  }
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      if (path === null) server.listen(0, '127.0.0.1', resolve)
      else server.listen(path, resolve)
    })
    const address = server.address()
    const sign: Sign = { path, port: typeof address === 'object' && address !== null ? address.port : null, token }
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Removed first: a file that is written over keeps the rights that it has.
    rmSync(signOf(dataDir), { force: true })
    writeFileSync(signOf(dataDir), JSON.stringify(sign), { mode: 0o600 })
    server.unref()
    process.on('exit', close)
  } catch (error) {
    log.warn({ err: error }, 'no commands can be given to this server while it runs')
    close()
  }
  return close
}

/** Has the server of this folder run a command; undefined when none runs on this machine. */
export async function askAdminDoor(dataDir: string, args: readonly string[]): Promise<AdminAnswer | undefined> {
  const sign = readSign(dataDir)
  if (!sign) return undefined
  const socket = sign.path === null ? createConnection(sign.port ?? 0, '127.0.0.1') : createConnection(sign.path)
  try {
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  } catch {
    // What a server that was killed left behind.
    return undefined
  }
  socket.end(JSON.stringify({ token: sign.token, args }))
  return z.parse(Answer, JSON.parse(await textOf(socket, Number.POSITIVE_INFINITY)))
}

function serve(socket: Socket, token: string, run: Options['run'], log: FastifyBaseLogger): void {
  const answer = async (): Promise<AdminAnswer> => {
    const request = z.safeParse(Request, JSON.parse(await textOf(socket, maxRequestBytes)))
    if (!request.success || !isSame(request.data.token, token)) return { isOk: false, lines: ['This is not the door of that server.'] }
    return run(request.data.args)
  }
  socket.on('error', () => undefined)
  answer()
    .catch((error: unknown): AdminAnswer => {
      log.error({ err: error }, 'a command of the operator failed')
      return { isOk: false, lines: ['The command failed; the log of the server says why.'] }
    })
    .then((said) => socket.end(JSON.stringify(said)))
    .catch((error: unknown) => log.error({ err: error }, 'a command of the operator was not answered'))
}

function textOf(socket: Socket, most: number): Promise<string> {
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('the other side says nothing')))
  const parts: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    socket.on('data', (part) => {
      parts.push(part)
      length += part.length
      if (length > most) socket.destroy(new Error('a command is too long'))
    })
    socket.once('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the other side went away')))
  })
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function readSign(dataDir: string): Sign | undefined {
  try {
    return z.parse(Sign, JSON.parse(readFileSync(signOf(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}
