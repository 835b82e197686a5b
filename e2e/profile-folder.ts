// A browser whose profile is a folder that can be searched once the browser is closed.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type BrowserContext, chromium, type LaunchOptions, type Page } from '@playwright/test'

export class ProfileFolder {
  readonly dir = mkdtempSync(join(tmpdir(), 'parley-profile-'))
  /** The bytes of every secret that a page has made a key of. */
  readonly keys: Buffer[] = []
  private context: BrowserContext | undefined

  constructor(private readonly options: LaunchOptions) {}

  async open(url: string): Promise<Page> {
    const context = await chromium.launchPersistentContext(this.dir, {
      ...this.options,
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
    })
    this.context = context
    await context.exposeBinding('noteKey', (_source, bytes: number[]) => void this.keys.push(Buffer.from(bytes)))
    await context.addInitScript(noteKeys)
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(url)
    return page
  }

  async close(): Promise<void> {
    await this.context?.close()
    this.context = undefined
  }

  /** The files that hold one of the texts. */
  holders(texts: readonly string[]): string[] {
    return this.search(texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]))
  }

  /** The files that hold the bytes of a key, as they are or as text. */
  keyHolders(): string[] {
    const encodings = ['base64url', 'hex'] as const
    const standard = (key: Buffer): Buffer => Buffer.from(key.toString('base64').replace(/=+$/, ''))
    return this.search(
      this.keys.flatMap((key) => [
        key,
        standard(key),
        ...encodings.map((encoding) => Buffer.from(key.toString(encoding))),
      ]),
    )
  }

  private search(needles: readonly Buffer[]): string[] {
    return readdirSync(this.dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => {
        const content = contentOf(file)
        return needles.some((needle) => content.includes(needle))
      })
      .map((file) => relative(this.dir, file))
  }

  async remove(): Promise<void> {
    await this.close()
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/**
 * In the page, before its own scripts. Keys of 32 bytes: data keys, and what they are wrapped with; of a private key
 * the secret number.
 */
function noteKeys(): void {
  SubtleCrypto.prototype.importKey = new Proxy(SubtleCrypto.prototype.importKey, {
    apply(target, subtle, args: unknown[]) {
      const [format, data] = args
      const bytes = ArrayBuffer.isView(data) ? [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)] : []
      const secret = format === 'pkcs8' ? bytes.slice(36, 68) : bytes
      if (secret.length === 32) Reflect.get(globalThis, 'noteKey')(secret)
      return Reflect.apply(target, subtle, args)
    },
  })
}

/** Empty where the browser has removed the file since the folder was listed. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
