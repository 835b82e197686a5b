// The team's agents: one Markdown file each in `agents/`, read and checked when the server starts.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentLanguage } from '@parley/contract/agents'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { parse } from 'yaml'
import * as z from 'zod/mini'

// Beside this file in the source, beside the bundle after a build.
const ownFolder = fileURLToPath(new URL('./agents', import.meta.url))
const orderFile = 'order.yaml'

const text = (maximum: number, minimum = 1) => z.string().check(z.minLength(minimum), z.maxLength(maximum))

/** Of one language, written by a native speaker. `prompt` goes to the model, the others are for people. */
const Texts = z.strictObject({
  role: text(serverLimits.agents.maxProductRole),
  about: text(limits.agents.about),
  prompt: text(limits.agents.prompt, serverLimits.agents.minProductPrompt),
  defaultGreetings: text(limits.agents.greeting),
})

/**
 * An agent of the product's own team. A digest tells whether it has changed, and depends on the order of these keys.
 */
const ProductAgent = z.strictObject({
  /** `product-<file name>`; never changes. */
  id: z.string().check(z.regex(/^product-[a-z]+(-[a-z]+)*$/, 'must be "product-" and lower-case words with hyphens')),
  /** The same in every language. */
  name: text(limits.agents.name),
  category: z.enum(['General', 'Writing', 'Work', 'Study', 'Code', 'Data', 'Life', 'Ideas']),
  /** Seed of its drawn face. */
  face: text(serverLimits.agents.maxFaceSeed).check(
    z.regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, hyphens and underscores'),
  ),
  texts: z.strictObject({ en: Texts, pt: Texts, es: Texts } satisfies Record<AgentLanguage, typeof Texts>),
})
export type ProductAgent = z.infer<typeof ProductAgent>

/** What is wrong with the content files, one line for each fault: file, field, reason. */
export class ContentError extends Error {
  override name = 'ContentError'
}

/** In the order of their list. Throws ContentError. */
export function readProductAgents(folder = ownFolder): readonly ProductAgent[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  const fields = Object.fromEntries(files.map((file) => [file, contentOf(folder, file, fieldsOf)]))
  const agents = new Map(Object.entries(checked(z.record(z.string(), ProductAgent), fields)))
  const order = { [orderFile]: contentOf(folder, orderFile, parse) }
  const listed = checked(z.object({ [orderFile]: z.array(z.string()) }), order)[orderFile].map((name) => `${name}.md`)
  const faults = [...faultsOfOrder(files, listed), ...faultsOfTeam(agents)]
  if (faults.length > 0) throw new ContentError(faults.join('\n'))
  return listed.flatMap((file) => agents.get(file) ?? [])
}

function contentOf(folder: string, file: string, parseText: (text: string) => unknown): unknown {
  try {
    // A checkout on Windows may have other line ends.
    return parseText(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'))
  } catch (cause) {
    // Below its first line a fault of YAML quotes the text.
    const [reason] = String(cause instanceof Error ? cause.message : cause).split(/:?\n/)
    throw new ContentError(`${file}: ${reason}`, { cause })
  }
}

/** The values are those of files, by their names. */
function checked<T>(schema: z.ZodMiniType<T>, values: Record<string, unknown>): T {
  const { data, error } = z.safeParse(schema, values, { error: z.locales.en().localeError })
  if (!error) return data
  const faults = error.issues.map(({ path: [file, ...field], message }) =>
    [file, field.join('.'), message].filter(Boolean).join(': '),
  )
  throw new ContentError(faults.join('\n'))
}

/** Short fields in YAML, then each text under `# language` and `## part`. Deeper headings belong to the texts. */
function fieldsOf(markdown: string): unknown {
  const [, head, body = ''] = /^(---\n.*?\n)---\n(.*)$/s.exec(markdown) ?? []
  if (head === undefined) throw new Error('must begin with its fields between two lines of "---"')
  const fields: object | null = parse(head)
  const texts = underHeadings('#', body, (parts) => underHeadings('##', parts, (part) => part.trim()))
  return { ...fields, texts }
}

function underHeadings<T>(mark: '#' | '##', text: string, contentIn: (text: string) => T): Record<string, T> {
  const [before = '', ...parts] = text.split(new RegExp(`^${mark} (.+)$`, 'm'))
  if (before.trim())
    throw new Error(`there is text before the first heading "${mark} …": ${before.trim().slice(0, 40)}`)
  const found = new Map<string, T>()
  for (let i = 0; i < parts.length; i += 2) {
    const [title = '', content = ''] = parts.slice(i, i + 2)
    if (found.has(title.trim())) throw new Error(`has two headings "${mark} ${title.trim()}"`)
    found.set(title.trim(), contentIn(content))
  }
  return Object.fromEntries(found)
}

function faultsOfOrder(files: string[], listed: string[]): string[] {
  return [
    ...listed.filter((file) => !files.includes(file)).map((file) => `${orderFile}: there is no file ${file}`),
    ...listed
      .filter((file, index) => listed.indexOf(file) < index)
      .map((file) => `${orderFile}: ${file} is there twice`),
    ...files.filter((file) => !listed.includes(file)).map((file) => `${file}: is not in ${orderFile}`),
  ]
}

function faultsOfTeam(agents: Map<string, ProductAgent>): string[] {
  const entries = [...agents]
  const misnamed = entries.filter(([file, { id }]) => file !== `${id.slice('product-'.length)}.md`)
  const alike = (['name', 'face'] as const).flatMap((key) =>
    entries
      .filter(([, agent], index) => entries.findIndex(([, other]) => other[key] === agent[key]) < index)
      .map(([file]) => `${file}: ${key}: another agent has it`),
  )
  return [...misnamed.map(([file]) => `${file}: id: must be "product-" and the name of the file`), ...alike]
}
