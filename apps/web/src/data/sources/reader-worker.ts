// Reads files in a worker: the page stays responsive, and cancelling ends the worker at any place.
import { serveReader, type ToReader } from './serve-reader'

const take = serveReader((message, transfer = []) => postMessage(message, { transfer }))

addEventListener('message', ({ data }: MessageEvent<ToReader>) => take(data))
