// Compresses and encrypts an export in a worker, and collects the result. It requests each chunk, so that only one is
// in flight.
import { blobSink, filled, handleSink } from './file-sink'
import { type FilePiece, type PackOptions, packFile } from './pack-file'

export type PackOrder =
  | { packing: PackOptions; handle: FileSystemFileHandle | undefined }
  | { piece: FilePiece }
  | 'end'
  | 'abort'
export type PackReply = 'more' | { blob: Blob | undefined } | { failure: string }

const reply = (message: PackReply): void => postMessage(message)
type Asked = { give: (piece: IteratorResult<FilePiece, undefined>) => void; fail: (error: unknown) => void }
let asked: Asked | undefined
let aborted: DOMException | undefined

const pieces: AsyncIterator<FilePiece, undefined> = {
  next: () => {
    if (aborted) return Promise.reject(aborted)
    const next = new Promise<IteratorResult<FilePiece, undefined>>((give, fail) => {
      asked = { give, fail }
    })
    reply('more')
    return next
  },
}

addEventListener('message', ({ data }: MessageEvent<PackOrder>) => {
  if (data === 'abort') {
    aborted = new DOMException('The export was cancelled.', 'AbortError')
    asked?.fail(aborted)
    // A piece that was on its way has nowhere to go to.
    asked = undefined
  } else if (data === 'end') asked?.give({ done: true, value: undefined })
  else if ('piece' in data) asked?.give({ done: false, value: data.piece })
  else return void pack(data.packing, data.handle)
})

async function pack(packing: PackOptions, handle: FileSystemFileHandle | undefined): Promise<void> {
  try {
    const sink = handle ? await handleSink(handle) : blobSink('application/zip')
    reply({ blob: await filled(sink, ({ write }) => packFile(pieces, packing, write)) })
  } catch (error) {
    reply({ failure: error instanceof Error || error instanceof DOMException ? error.name : '' })
  }
}
