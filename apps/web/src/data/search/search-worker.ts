// Reads and searches the messages of this device off the page's thread.
import { serveSearch, type ToWorker } from './serve-search'

const take = serveSearch((message) => postMessage(message))

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => take(data))
