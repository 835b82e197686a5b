// What the reader's worker does. It knows no storage and no keys: files come in, and what is stored goes out.

import { sha256 } from '@noble/hashes/sha2.js'
import { AppError } from '@parley/contract/errors'
import type { ReadDocument } from '@parley/contract/read-document'
import type { SourceProgress } from '@parley/contract/sources'
import type { ReadOptions } from '@parley/reader/read-file'
import { type Chosen, type NearPassages, SourceChooser, type SourcesToChoose } from './choose-sources'
import type { ReadResult } from './read-source'
import type { ScaledPicture } from './scale-picture'

/** What the worker is asked for, and what it answers. */
export type ReaderRequest =
  | { kind: 'digest'; file: Blob }
  | { kind: 'read'; file: Blob; name: string; mediaType: string }
  /** What was read elsewhere. */
  | { kind: 'index'; document: ReadDocument }
  /** Passages of a source for the choices that follow, as they are stored. */
  | { kind: 'load'; key: string; passages: Blob }
  | ({ kind: 'choose' } & SourcesToChoose)
  /** Of loaded passages, for vectors. */
  | { kind: 'texts'; key: string; from: number }
  /** Vectors for the choices that follow, as they are stored; `parts`: see NearPassages. */
  | { kind: 'missing-vectors'; parts: NearPassages['parts'] }
  | { kind: 'load-vectors'; part: string; packed: Blob }
  /** Draws a picture anew, in base64 of at most so many characters. */
  | { kind: 'picture'; file: Blob; maxLength: number }

export type ReaderResults = {
  digest: string
  read: ReadResult
  index: ReadResult
  load: null
  choose: Chosen
  texts: ReturnType<SourceChooser['texts']>
  'missing-vectors': string[]
  'load-vectors': null
  picture: ScaledPicture | null
}

export type ToReader = ReaderRequest & { id: number }

export type FromReader =
  | { id: number; progress: SourceProgress }
  | { id: number; result: ReaderResults[keyof ReaderResults] }
  | { id: number; failure: string }

type Reply = (message: FromReader, transfer?: Transferable[]) => void

/** `loaders`: what reads PDFs and pictures where it runs. */
export function serveReader(
  reply: Reply,
  loaders: () => Promise<Pick<ReadOptions, 'pdf' | 'ocr'>>,
): (message: ToReader) => void {
  const chooser = new SourceChooser()

  async function answer(message: ToReader): Promise<FromReader> {
    const { id } = message
    switch (message.kind) {
      case 'digest':
        return { id, result: await digestOf(message.file) }
      case 'read': {
        const { readSource } = await import('./read-source')
        const onProgress = (progress: SourceProgress): void => reply({ id, progress })
        return { id, result: await readSource(message, { ...(await loaders()), onProgress }) }
      }
      case 'index': {
        const { indexSource } = await import('./read-source')
        return { id, result: await indexSource(message.document) }
      }
      case 'load':
        await chooser.load(message.key, message.passages)
        return { id, result: null }
      case 'choose':
        return { id, result: await chooser.choose(message) }
      case 'texts':
        return { id, result: chooser.texts(message.key, message.from) }
      case 'missing-vectors':
        return { id, result: chooser.missingVectors(message.parts) }
      case 'load-vectors':
        await chooser.loadVectors(message.part, message.packed)
        return { id, result: null }
      case 'picture': {
        const { scaledPicture } = await import('./scale-picture')
        return { id, result: await scaledPicture(message.file, message.maxLength) }
      }
    }
  }

  return (message) => {
    answer(message).then(reply, (error: unknown) =>
      reply({ id: message.id, failure: error instanceof AppError ? error.code : 'source.unreadable' }),
    )
  }
}

/** Piece by piece: the browser's own digest wants all of it at once. */
async function digestOf(file: Blob): Promise<string> {
  const hash = sha256.create()
  for (let at = 0; at < file.size; at += digestBytes)
    hash.update(new Uint8Array(await file.slice(at, at + digestBytes).arrayBuffer()))
  return hex(hash.digest())
}

const digestBytes = 4 * 1024 * 1024

const hex = (digest: Uint8Array): string => Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
