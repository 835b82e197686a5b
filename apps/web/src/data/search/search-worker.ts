// Indexes and searches the messages of this device in a worker.
import { serveSearch, type ToWorker } from './serve-search'

const take = serveSearch((message) => postMessage(message))

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => take(data))
