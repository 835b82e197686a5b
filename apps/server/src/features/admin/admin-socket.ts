// A local socket through which the admin command runs on a running server: no other process can open the embedded
// database, and without Redis none can reach connected clients. Its token is in the server's data folder, so that only
// those who can read the folder can use it.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { AdminResult } from './admin-service'

/** Where the socket is; stored in the data folder. */
const SocketFile = z.object({ path: z.nullable(z.string()), port: z.nullable(z.int()), token: z.string() })
type SocketFile = z.infer<typeof SocketFile>

const Request = z.object({ token: z.string(), args: z.array(z.string()) })
const Result = z.object({ isOk: z.boolean(), lines: z.array(z.string()) })

const maxRequestBytes = 256 * 1024
const silenceMs = 10 * 60_000
const socketFileOf = (dataDir: string): string => join(dataDir, 'admin.json')

type Options = { dataDir: string; run: (args: string[]) => Promise<AdminResult>; log: FastifyBaseLogger }

/** Logs a failure to open the socket, and lets the server run without it. Returns a function that closes it. */
export async function openAdminSocket({ dataDir, run, log }: Options): Promise<() => void> {
  const token = randomBytes(32).toString('base64url')
  // In the temporary folder, because a socket's path must be short and a mounted folder may not support sockets.
  // Windows has no such sockets, so a port is used there.
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'parley-admin-'))
  const path = folder === undefined ? null : join(folder, 'admin.sock')
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, token, run, log))
  const close = (): void => {
    server.close()
    if (readSocketFile(dataDir)?.token === token) rmSync(socketFileOf(dataDir), { force: true })
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
    const file: SocketFile = {
      path,
      port: typeof address === 'object' && address !== null ? address.port : null,
      token,
    }
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Removed first, because an overwritten file keeps its old permissions.
    rmSync(socketFileOf(dataDir), { force: true })
    writeFileSync(socketFileOf(dataDir), JSON.stringify(file), { mode: 0o600 })
    server.unref()
    process.on('exit', close)
  } catch (error) {
    log.warn({ err: error }, 'no commands can be given to this server while it runs')
    close()
  }
  return close
}

/** Runs a command on the server of this folder; undefined when none is running on this machine. */
export async function runOnServer(dataDir: string, args: readonly string[]): Promise<AdminResult | undefined> {
  const file = readSocketFile(dataDir)
  if (!file) return undefined
  const socket = file.path === null ? createConnection(file.port ?? 0, '127.0.0.1') : createConnection(file.path)
  try {
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  } catch {
    // A server that was killed left its file behind.
    return undefined
  }
  socket.end(JSON.stringify({ token: file.token, args }))
  return z.parse(Result, JSON.parse(await textOf(socket, Number.POSITIVE_INFINITY)))
}

function serve(socket: Socket, token: string, run: Options['run'], log: FastifyBaseLogger): void {
  const handleRequest = async (): Promise<AdminResult> => {
    const request = z.safeParse(Request, JSON.parse(await textOf(socket, maxRequestBytes)))
    if (!request.success || !isSame(request.data.token, token))
      return { isOk: false, lines: ['This is not the door of that server.'] }
    return run(request.data.args)
  }
  socket.on('error', () => undefined)
  handleRequest()
    .catch((error: unknown): AdminResult => {
      log.error({ err: error }, 'a command of the operator failed')
      return { isOk: false, lines: ['The command failed; the log of the server says why.'] }
    })
    .then((result) => socket.end(JSON.stringify(result)))
    .catch((error: unknown) => log.error({ err: error }, 'a command of the operator was not answered'))
}

function textOf(socket: Socket, maxBytes: number): Promise<string> {
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('the other side says nothing')))
  const parts: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    socket.on('data', (part) => {
      parts.push(part)
      length += part.length
      if (length > maxBytes) socket.destroy(new Error('a command is too long'))
    })
    socket.once('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the other side went away')))
  })
}

function isSame(received: string, token: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function readSocketFile(dataDir: string): SocketFile | undefined {
  try {
    return z.parse(SocketFile, JSON.parse(readFileSync(socketFileOf(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}
