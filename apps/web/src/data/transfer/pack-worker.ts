// Compresses and encrypts an export in a worker, and collects the result. It requests each chunk, so that only one is
// in flight.
import { blobSink, filled, handleSink } from './file-sink'
import { type PackOptions, packFile } from './pack-file'

type Bytes = Uint8Array<ArrayBuffer>
export type PackOrder =
  | { packing: PackOptions; handle: FileSystemFileHandle | undefined }
  | { piece: Bytes }
  | 'end'
  | 'abort'
export type PackReply = 'more' | { blob: Blob | undefined } | { failure: string }

const reply = (message: PackReply): void => postMessage(message)
let controller: ReadableStreamDefaultController<Bytes> | undefined
let pulled: (() => void) | undefined

const text = new ReadableStream<Bytes>(
  {
    start: (own) => {
      controller = own
    },
    pull: () => {
      const next = new Promise<void>((resolve) => {
        pulled = resolve
      })
      reply('more')
      return next
    },
  },
  { highWaterMark: 0 },
)

addEventListener('message', ({ data }: MessageEvent<PackOrder>) => {
  if (data === 'abort') {
    controller?.error(new DOMException('The export was cancelled.', 'AbortError'))
    // A piece that was on its way has no stream to go to.
    controller = undefined
  } else if (data === 'end') controller?.close()
  else if ('piece' in data) controller?.enqueue(data.piece)
  else return void pack(data.packing, data.handle)
  pulled?.()
})

async function pack(packing: PackOptions, handle: FileSystemFileHandle | undefined): Promise<void> {
  try {
    const sink = handle ? await handleSink(handle) : blobSink('application/zip')
    reply({ blob: await filled(sink, ({ write }) => packFile(text, packing, write)) })
  } catch (error) {
    reply({ failure: error instanceof Error || error instanceof DOMException ? error.name : '' })
  }
}
