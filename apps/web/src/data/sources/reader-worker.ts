// Reads files and searches in them in a worker: the page stays responsive, and cancelling ends it at any place.
import { browserLoaders } from './browser-loaders'
import { serveReader, type ToReader } from './serve-reader'

const take = serveReader((message, transfer = []) => postMessage(message, { transfer }), browserLoaders)

addEventListener('message', ({ data }: MessageEvent<ToReader>) => take(data))
