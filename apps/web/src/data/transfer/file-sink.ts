type Bytes = Uint8Array<ArrayBuffer>

/** The destination of a file that is being written. */
export type FileSink = {
  write: (bytes: Bytes) => void | Promise<void>
  end: () => Promise<Blob | undefined>
  /** Gives up what was written, and frees the file for others. */
  abort: () => Promise<void>
}

/** Bytes are moved to a blob in chunks of this size; the browser may keep blobs on disk. */
const partBytes = 4 * 1024 * 1024

/** Writes to a file that the person chose. It replaces the former content only when it is complete. */
export async function handleSink(handle: FileSystemFileHandle): Promise<FileSink> {
  const writable = await handle.createWritable()
  return {
    write: (bytes) => writable.write(bytes),
    end: async () => {
      await writable.close()
      return undefined
    },
    // A stream that has failed of itself has nothing left to abort.
    abort: () => writable.abort().catch(() => undefined),
  }
}

/** What `fill` writes into the sink, which is aborted when it throws. */
export async function filled(sink: FileSink, fill: (sink: FileSink) => Promise<void>): Promise<Blob | undefined> {
  try {
    await fill(sink)
    return await sink.end()
  } catch (error) {
    await sink.abort()
    throw error
  }
}

/** Writes to a blob, for a download. */
export function blobSink(type: string): FileSink {
  const parts: Blob[] = []
  let waiting: Bytes[] = []
  let size = 0
  const flush = (): void => {
    parts.push(new Blob(waiting))
    waiting = []
    size = 0
  }
  return {
    write: (bytes) => {
      waiting.push(bytes)
      size += bytes.byteLength
      if (size >= partBytes) flush()
    },
    end: async () => {
      flush()
      return new Blob(parts, { type })
    },
    abort: async () => {
      parts.length = 0
      waiting = []
    },
  }
}
