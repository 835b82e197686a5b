// Deflates and seals an export off the page's thread, and gathers it. It asks for each piece, so that no more than one is on its way.
import { blobSink, handleSink } from './file-sink'
import { type Packing, packFile } from './pack-file'

type Bytes = Uint8Array<ArrayBuffer>
export type PackOrder = { packing: Packing; handle: FileSystemFileHandle | undefined } | { piece: Bytes } | 'end'
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
  if (data === 'end') controller?.close()
  else if ('piece' in data) controller?.enqueue(data.piece)
  else return void pack(data.packing, data.handle)
  pulled?.()
})

async function pack(packing: Packing, handle: FileSystemFileHandle | undefined): Promise<void> {
  try {
    const sink = handle ? await handleSink(handle) : blobSink('application/zip')
    await packFile(text, packing, sink.write)
    reply({ blob: await sink.end() })
  } catch (error) {
    reply({ failure: error instanceof Error || error instanceof DOMException ? error.name : '' })
  }
}
