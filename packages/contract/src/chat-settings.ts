import * as z from 'zod/mini'
import { withoutHidden } from './hidden-characters'
import { limits } from './limits/shared'
import { type Model, takesParameter } from './models'

const { temperature, answerTokens, maxInstructions } = limits.chatSettings

/** How long a model thinks before it answers; none: it does not. */
export const efforts = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

const fields = {
  effort: z.enum(efforts),
  /** In tenths: the higher, the more an answer differs from the likeliest one. */
  temperature: z.number().check(
    z.minimum(temperature.least),
    z.maximum(temperature.most),
    z.refine((value) => tenths(value) === value),
  ),
  /** The length of an answer, without what the model thinks. */
  answerTokens: z.int().check(z.minimum(answerTokens.least), z.maximum(answerTokens.most)),
  /** What the answers of the chat are to heed, in the words of the person. */
  instructions: z.string().check(z.maxLength(maxInstructions)),
  /** The questions of the chat search the web. A question says it itself: what is kept here is for the next one. */
  webSearch: z.literal(true),
}

/** How the answers of one chat are asked for. What is absent is the agent's and the model's own. */
export const ChatSettings = z.object({
  effort: z.optional(fields.effort),
  temperature: z.optional(fields.temperature),
  answerTokens: z.optional(fields.answerTokens),
  instructions: z.optional(fields.instructions),
  webSearch: z.optional(fields.webSearch),
})
export type ChatSettings = z.infer<typeof ChatSettings>

/** What is absent stays as it is; null makes it the agent's and the model's own again. */
export const ChatSettingsChange = z.object({
  effort: z.optional(z.nullable(fields.effort)),
  temperature: z.optional(z.nullable(fields.temperature)),
  answerTokens: z.optional(z.nullable(fields.answerTokens)),
  instructions: z.optional(z.nullable(fields.instructions)),
  webSearch: z.optional(z.nullable(fields.webSearch)),
})
export type ChatSettingsChange = z.infer<typeof ChatSettingsChange>

/** As a channel keeps them: a later version may have added fields, or values, which stay as they are. */
export const StoredChatSettings = z.record(z.string(), z.unknown())
export type StoredChatSettings = z.infer<typeof StoredChatSettings>

/** The settings that this version knows; what it cannot read counts as absent. */
export function settingsOf({ settings }: { settings?: StoredChatSettings | undefined }): ChatSettings {
  const read = <S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> | undefined =>
    z.safeParse(schema, value).data
  return defined({
    effort: read(fields.effort, settings?.effort),
    temperature: read(fields.temperature, settings?.temperature),
    answerTokens: read(fields.answerTokens, settings?.answerTokens),
    instructions: read(fields.instructions, settings?.instructions) || undefined,
    webSearch: read(fields.webSearch, settings?.webSearch),
  })
}

export const isAnswerLength = (tokens: number): boolean => z.safeParse(fields.answerTokens, tokens).success

/** Settings as they are used and stored: instructions without what nobody sees, and none instead of blank ones. */
export const cleanSettings = (settings: ChatSettings): ChatSettings =>
  settingsOf({ settings: changedSettings(undefined, cleanSettingsChange(settings)) })

/** As `cleanSettings`. */
export function cleanSettingsChange({ instructions, ...change }: ChatSettingsChange): ChatSettingsChange {
  return instructions === undefined
    ? change
    : { ...change, instructions: instructions === null ? null : cleanInstructions(instructions) || null }
}

/** The settings after a change; undefined where none are left. */
export function changedSettings(
  stored: StoredChatSettings | undefined,
  change: ChatSettingsChange,
): StoredChatSettings | undefined {
  const changed = { ...stored, ...defined(change) }
  const left = Object.entries(changed).filter(([, value]) => value !== null)
  return left.length === 0 ? undefined : Object.fromEntries(left)
}

/** Whether something differs from what the agent and the model do by themselves. */
export const hasAnswerSettings = ({ webSearch: _webSearch, ...settings }: ChatSettings): boolean =>
  Object.keys(settings).length > 0

type WithSettings = { settings?: StoredChatSettings | undefined }

/** The change that gives a channel the settings of another one; undefined where it has them. */
export function settingsChange(from: WithSettings, to: WithSettings): ChatSettingsChange | undefined {
  const [before, after] = [settingsOf(from), settingsOf(to)]
  const change: ChatSettingsChange = {
    ...(before.effort === after.effort ? {} : { effort: after.effort ?? null }),
    ...(before.temperature === after.temperature ? {} : { temperature: after.temperature ?? null }),
    ...(before.answerTokens === after.answerTokens ? {} : { answerTokens: after.answerTokens ?? null }),
    ...(before.instructions === after.instructions ? {} : { instructions: after.instructions ?? null }),
    ...(before.webSearch === after.webSearch ? {} : { webSearch: after.webSearch ?? null }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

/** The settings of a channel, and what another copy of it has beside them. */
export const mergedSettings = (own: WithSettings, other: WithSettings): WithSettings => ({
  settings: { ...settingsOf(other), ...settingsOf(own) },
})

/** Of English; other languages have fewer. */
const wordsPerToken = 0.7

/** How many words an answer of so many tokens has, about. */
export const wordsOf = (tokens: number): number => Math.round((tokens * wordsPerToken) / 10) * 10

/** What a request to a model says. `maxTokens` bounds what it writes, thinking included. */
export type RequestSettings = {
  effort?: Effort
  temperature?: number
  maxTokens?: number
  answerTokens?: number
  instructions?: string
}

/** The settings that a model takes. Instructions go to each. */
export function requestSettings(
  { effort, temperature, answerTokens, instructions }: ChatSettings,
  model: Pick<Model, 'parameters' | 'maxOutputTokens'> | undefined,
): RequestSettings {
  const takenEffort = takesParameter(model, 'reasoning') ? effort : undefined
  const maxTokens =
    answerTokens !== undefined && takesParameter(model, 'max_tokens')
      ? Math.ceil(answerTokens * thinkingFactor(takenEffort, model))
      : undefined
  return defined({
    effort: takenEffort,
    temperature: takesParameter(model, 'temperature') ? temperature : undefined,
    maxTokens: maxTokens && Math.min(maxTokens, model?.maxOutputTokens ?? maxTokens),
    answerTokens,
    instructions,
  })
}

/**
 * A model that thinks writes its thoughts and its answer from the same tokens: by effort a gateway keeps a fifth, a
 * half or four fifths of them for the thoughts. Where nobody tells, it may think.
 */
function thinkingFactor(effort: Effort | undefined, model: Pick<Model, 'parameters'> | undefined): number {
  if (effort !== undefined) return { none: 1, low: 1.25, medium: 2, high: 5 }[effort]
  return model?.parameters === undefined || takesParameter(model, 'reasoning') ? 2 : 1
}

function cleanInstructions(text: string): string {
  const plain = withoutHidden(text.replace(/\r\n?/g, '\n').replace(/\p{Cs}/gu, '\ufffd'))
  return plain.replace(/[^\P{Cc}\n\t]/gu, ' ').trim()
}

const tenths = (value: number): number => Math.round(value * 10) / 10

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>
}
