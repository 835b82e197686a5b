import { AppError } from '@parley/contract/errors'
import { Parser } from 'htmlparser2'
import { bounds } from './bounds'
import type { Reading } from './reading'
import type { Zip } from './zip'

export type XmlAttributes = Record<string, string>

/** Names are given without their prefix: `w:p` is `p`. */
export type XmlHandler = {
  open?(name: string, attributes: XmlAttributes): void
  text?(text: string): void
  close?(name: string): void
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The value of an attribute, with or without a prefix. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  const own = attributes[name]
  if (own !== undefined) return own
  for (const key in attributes) if (local(key) === name) return attributes[key]
  return undefined
}

/**
 * Reads XML as it comes. Entities that the document declares are not expanded, and nothing is loaded. Throws
 * `source.damaged` for elements nested deeper than any document has them.
 */
export function xmlParser(handler: XmlHandler): { write(text: string): void; end(): void } {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > bounds.maxDepth) throw new AppError('source.damaged')
        handler.open?.(local(name), attributes)
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth--
        handler.close?.(local(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return parser
}

/** Reads the XML of an entry. False where there is none. */
export async function readXml(zip: Zip, name: string, reading: Reading, handler: XmlHandler): Promise<boolean> {
  const parser = xmlParser(handler)
  let decoder: TextDecoder | undefined
  const found = await zip.pipe(name, reading, (bytes) => {
    decoder ??= new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8')
    parser.write(decoder.decode(bytes, { stream: true }))
  })
  parser.end()
  return found
}

/** Relations of a part of an Office document: the entry that each id stands for. */
export async function relationsOf(zip: Zip, part: string, reading: Reading): Promise<Map<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations = new Map<string, Relation>()
  await readXml(zip, `${folder}_rels/${part.slice(folder.length)}.rels`, reading, {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Target || TargetMode === 'External') return
      relations.set(Id, { type: Type?.slice(Type.lastIndexOf('/') + 1) ?? '', target: resolvePath(folder, Target) })
    },
  })
  return relations
}

export type Relation = { type: string; target: string }

/** The name of an entry that is named relative to a folder. It is only looked up among entries, never on a disk. */
export function resolvePath(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path: string[] = []
  for (const step of `${folder}${target}`.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  return path.join('/')
}
