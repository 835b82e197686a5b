type Bytes = Uint8Array<ArrayBuffer>

/** Where a file goes while it is being made. */
export type FileSink = { write: (bytes: Bytes) => void | Promise<void>; end: () => Promise<Blob | undefined> }

/** Pieces of this size are handed to the browser, which may keep them on disk. */
const partBytes = 4 * 1024 * 1024

/** Into a file that the person chose. It takes its place only when it is whole. */
export async function handleSink(handle: FileSystemFileHandle): Promise<FileSink> {
  const writable = await handle.createWritable()
  return {
    write: (bytes) => writable.write(bytes),
    end: async () => {
      await writable.close()
      return undefined
    },
  }
}

/** Into a blob, for a download. */
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
  }
}
