import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Egress, Service } from '../egress'
import { checkKey, type FileStore, FileStoreError, MissingFileError, type StoredFile } from './file-store'
import { canonicalQuery, type S3Access, signedHeaders } from './s3-signature'

type Options = S3Access & {
  endpoint: string
  bucket: string
  egress: Egress
  /** Where a file waits until its length and its hash are known; it is sealed there as it will be in the store. */
  spoolFolder: string
  now: () => number
}

type Call = {
  method: 'GET' | 'PUT' | 'DELETE'
  key?: string
  query?: URLSearchParams
  body?: { file: FileHandle; bytes: number; sha256: string }
}
type Answer = Awaited<ReturnType<Service>>

const emptyHash = createHash('sha256').digest('hex')
const timeoutMs = 5 * 60_000

/** A store that speaks S3, with addresses of the form `{endpoint}/{bucket}/{key}`. */
export class S3Store implements FileStore {
  private readonly service: Service
  private readonly base: URL

  constructor(private readonly options: Options) {
    this.base = new URL(options.endpoint)
    this.service = options.egress.service({ baseUrl: options.endpoint })
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const file = await openNameless(this.options.spoolFolder)
    try {
      const body = { file, ...(await spool(file, content)) }
      await this.call({ method: 'PUT', key: checkKey(key), body }).then(drained)
    } finally {
      await file.close()
    }
  }

  async get(key: string): Promise<Readable> {
    return (await this.call({ method: 'GET', key: checkKey(key) })).body
  }

  async remove(key: string): Promise<void> {
    await this.call({ method: 'DELETE', key: checkKey(key) }).then(drained)
  }

  async *list(prefix: string): AsyncIterable<StoredFile> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const more = token === '' ? {} : { 'continuation-token': token }
      const query = new URLSearchParams({ 'list-type': '2', prefix, ...more })
      const page = await this.call({ method: 'GET', query }).then(({ text }) => text())
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        yield {
          key: tagOf(entry, 'Key') ?? '',
          bytes: Number(tagOf(entry, 'Size')),
          modifiedAt: Date.parse(tagOf(entry, 'LastModified') ?? ''),
        }
      token = tagOf(page, 'NextContinuationToken')
    }
  }

  private async call({ method, key = '', query = new URLSearchParams(), body }: Call): Promise<Answer> {
    const path = `${this.base.pathname.replace(/\/$/, '')}/${this.options.bucket}${key === '' ? '' : `/${key}`}`
    const length = body ? { 'content-length': String(body.bytes) } : {}
    const headers = signedHeaders(this.options, {
      ...{ method, path, query, headers: length },
      host: this.base.host,
      payloadHash: body?.sha256 ?? emptyHash,
      at: new Date(this.options.now()),
    })
    const search = query.size === 0 ? '' : `?${canonicalQuery(query)}`
    const answer = await this.service(`${path.slice(this.base.pathname.replace(/\/$/, '').length)}${search}`, {
      ...{ method, headers },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body ? { body: body.file.createReadStream({ start: 0, autoClose: false }) } : {}),
    }).catch((cause: unknown) => {
      throw new FileStoreError('the store did not answer', { cause })
    })
    if (answer.isOk) return answer
    const text = await answer.text().catch(() => '')
    // Not a bucket that is not there.
    const isMissing = answer.status === 404 && tagOf(text, 'Code') === 'NoSuchKey'
    throw new (isMissing ? MissingFileError : FileStoreError)(`the store answered ${answer.status}`)
  }
}

/** Without a name it is gone with whoever writes it, however that ends. */
async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomUUID()}.unfinished`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/** S3 wants both before the first byte. Throws what `content` throws. */
async function spool(file: FileHandle, content: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
    await file.writeFile(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}

const drained = async (answer: Answer): Promise<void> => {
  await answer.text()
}

function tagOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml) ?? []
  return text?.replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, entity: string) => entities[entity] ?? '')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" }
