import { limits } from '@parley/contract/limits/shared'
import { vectorLimits } from '@parley/contract/limits/sources'
import { webLimits } from '@parley/contract/limits/web'
import type { SourcePart } from '@parley/contract/parts'
import type { Passage } from '@parley/contract/read-document'
import { numberedAfter, type SentSource } from '@parley/contract/sent-sources'
import { choosePassages, type SourceToChoose } from '@parley/reader/choose-passages'
import { type LexicalIndexJson, readLexicalIndex } from '@parley/reader/lexical-index'
import { searchQuestion } from '@parley/reader/search-question'
import { base64Of } from './base64'
import { deflated, inflated } from './deflate'
import { nearest } from './vector-codec'

/**
 * A source that a question may be answered from. `key`: of its loaded passages. `isPicture`: it goes along as a
 * picture, and so without text.
 */
export type AskedSource = { key: string; isPicture?: boolean } & Omit<SentSource, 'reading' | 'of' | 'passages'>

/**
 * The vector of a question, and under which names the vectors of sources were loaded that it can be compared with, by
 * the sources' keys.
 */
export type NearPassages = { vector: Float32Array; parts: Readonly<Record<string, string>> }

/** `before`: what was asked before, newest first. `cited`: what the answer cites already that is to be continued. */
export type SourcesToChoose = {
  question: string
  before?: readonly string[] | undefined
  roomTokens: number
  sources: readonly AskedSource[]
  cited?: readonly SourcePart[] | undefined
  /** Passages are found by what they mean, too. */
  near?: NearPassages | undefined
}

/**
 * `missing`: keys of passages that have to be loaded first; then nothing was chosen. `hasLeftOut`: not everything had
 * room. `searched`: what was looked for: with a short question, what was asked before it.
 */
export type Chosen =
  | { missing: string[] }
  | { compressed: string; sent: SentSource[]; hasLeftOut: boolean; searched: string }

/** As this program has sealed it: nobody else could have written it, and to check each number would take long. */
type Stored = { passages: Passage[]; index: LexicalIndexJson }

/** How often less is tried until it fits into what a question may carry. */
const maxTries = 12

/** Chooses what of a channel's sources goes along with a question, among passages that it was given before. */
export class SourceChooser {
  private readonly loaded = new Map<string, Pick<SourceToChoose, 'passages' | 'index'>>()
  private readonly vectors = new Map<string, Uint8Array>()

  async load(key: string, stored: Blob): Promise<void> {
    const { passages, index } = JSON.parse(await inflated(stored)) as Stored
    this.loaded.set(key, { passages, index: readLexicalIndex(index) })
  }

  /** Texts of loaded passages for vectors, as many as one call may have; `of`: how many there are. Null: not loaded. */
  texts(key: string, from: number): { texts: string[]; of: number } | null {
    const passages = this.loaded.get(key)?.passages
    if (!passages) return null
    const { maxTexts, maxTextLength, maxCharacters } = vectorLimits
    const texts: string[] = []
    let room = maxCharacters
    for (const { text, headings } of passages.slice(from, from + maxTexts)) {
      const whole = [headings.slice(-2).join(' › '), text].join('\n').trim().slice(0, maxTextLength) || ' '
      if (whole.length > room) break
      room -= whole.length
      texts.push(whole)
    }
    return { texts, of: passages.length }
  }

  /** Keys of those whose vectors have to be loaded first; all others' are let go. */
  missingVectors(parts: NearPassages['parts']): string[] {
    const wanted = new Set(Object.values(parts))
    for (const part of this.vectors.keys()) if (!wanted.has(part)) this.vectors.delete(part)
    return Object.keys(parts).filter((key) => !this.vectors.has(parts[key] ?? ''))
  }

  async loadVectors(part: string, packed: Blob): Promise<void> {
    this.vectors.set(part, new Uint8Array(await packed.arrayBuffer()))
  }

  async choose({
    question: asked,
    before = [],
    roomTokens,
    sources,
    cited = [],
    near,
  }: SourcesToChoose): Promise<Chosen> {
    const question = searchQuestion(asked, before)
    const texts = sources.filter(({ isPicture }) => !isPicture)
    const keys = new Set(texts.map(({ key }) => key))
    // Those of a channel that is asked no more.
    for (const key of this.loaded.keys()) if (!keys.has(key)) this.loaded.delete(key)
    const missing = [...keys].filter((key) => !this.loaded.has(key))
    if (missing.length > 0) return { missing }
    const all = texts.map(({ key, fileId }) => ({ id: fileId, passages: [], ...this.loaded.get(key) }))
    const isUnread = ({ mediaType, fileId }: AskedSource): boolean =>
      mediaType.startsWith('image/') && all.every(({ id, passages }) => id !== fileId || passages.length === 0)
    // A picture without text is named all the same: the answer says that nothing of it was read.
    const pictures = sources.flatMap((source): SentSource[] => {
      if (source.isPicture) return [asPicture(source)]
      return isUnread(source) ? [{ ...asPicture(source), reading: 'passages' }] : []
    })
    // Those that are cited already may go along beside what is chosen.
    const maxPassages = Math.max(0, limits.sources.maxSentPassages - cited.length)
    const ranked = near && this.nearTo(near, texts)
    const choose = async (room: number) => {
      const chosen = choosePassages({
        question,
        sources: all,
        roomTokens: room,
        maxPassages,
        ...(ranked && { ranked }),
      })
      const hasLeftOut =
        chosen.some(({ reading }) => reading !== 'whole') ||
        chosen.length < all.filter(({ passages }) => passages.length > 0).length
      const sent = numberedAfter([...pictures, ...numbered(chosen, texts)], cited)
      const text = JSON.stringify({ v: 1, sources: sent })
      return {
        sent,
        hasLeftOut,
        searched: question,
        compressed: await base64Of(await deflated(text)),
        fits: fits(text),
      }
    }
    // As much as fits: with less room the worst passages are left out.
    let [least, most] = [0, roomTokens]
    let best = await choose(most)
    if (isSmall(best)) return best
    for (let tries = 0; tries < maxTries; tries++) {
      const room = Math.floor((least + most) / 2)
      const tried = await choose(room)
      if (isSmall(tried)) {
        least = room
        best = tried
      } else most = room
      if (isSmall(best) && most - least < roomTokens / 100) break
    }
    return isSmall(best) ? best : choose(0)
  }

  private nearTo({ vector, parts }: NearPassages, sources: readonly AskedSource[]): { id: string; index: number }[] {
    const compared = sources.flatMap(({ key, fileId: id }) => {
      const packed = this.vectors.get(parts[key] ?? '')
      return packed ? [{ id, packed }] : []
    })
    return nearest(vector, compared, webLimits.sources.nearestPassages)
  }
}

const isSmall = ({ compressed, fits }: { compressed: string; fits: boolean }): boolean =>
  fits && compressed.length <= limits.sources.maxCompressedBytes

const fits = (text: string): boolean => new Blob([text]).size <= limits.sources.maxInflatedBytes

function asPicture({ key: _key, isPicture: _isPicture, ...source }: AskedSource): SentSource {
  return { ...source, reading: 'whole', of: 0, passages: [] }
}

function numbered(chosen: ReturnType<typeof choosePassages>, sources: readonly AskedSource[]): SentSource[] {
  let n = 0
  return chosen.flatMap(({ id, reading, of, passages }) => {
    const asked = sources.find(({ fileId }) => fileId === id)
    if (!asked) return []
    const { key: _key, isPicture: _isPicture, ...source } = asked
    return [
      {
        ...source,
        ...{ reading, of },
        passages: passages.map(({ text, page, headings }) => ({
          ...{ n: ++n, text },
          ...(page === undefined ? {} : { page }),
          ...(headings.length === 0 ? {} : { headings: headings.slice(-10) }),
        })),
      },
    ]
  })
}
