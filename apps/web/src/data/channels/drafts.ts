import * as z from 'zod/mini'
import type { Device } from '../local/device'
import { writeSealed } from '../local/write-sealed'
import { currentScope, scoped } from '../scope/scope'
import { openDeviceOf } from './device-of'

/** `unsaved`: the newest text of each draft that is not stored yet. */
const drafts = scoped(() => ({ unsaved: new Map<string, string>(), saving: new Map<string, Promise<void>>() }))
const bindingOf = (id: string) => ({ table: 'drafts', id, channelId: id })

/** The unsent text of a channel, or of the new chat (`new`). */
export async function readDraft(id: string): Promise<string> {
  const newest = drafts().unsaved.get(id)
  if (newest !== undefined) return newest
  return storedDraft(await openDeviceOf(id), id)
}

/**
 * Moves a draft from another vault of this browser to the same channel of the open one, before the text there. An
 * unreadable draft stays where it is.
 */
export async function adoptDraft(from: Device, id: string): Promise<void> {
  const theirs = await storedDraft(from, id)
  if (theirs === '') return
  const mine = await readDraft(id)
  if (!mine.includes(theirs)) await storeDraft(id, mine === '' ? theirs : `${theirs}\n\n${mine}`)
  await from.db.delete('drafts', id)
}

async function storedDraft({ db, vault }: Device, id: string): Promise<string> {
  const record = await db.get('drafts', id)
  if (!record) return ''
  // An unreadable draft must not keep anyone from writing.
  const text = z.safeParse(z.string(), await vault.open(bindingOf(id), record).catch(() => ''))
  return text.success ? text.data : ''
}

/**
 * Stores a draft at once: a page that is being closed gives no time to debounce. While one version is written, only the
 * newest of the following ones waits.
 */
export function writeDraft(id: string, text: string): void {
  const { unsaved, saving } = drafts()
  unsaved.set(id, text)
  // A draft that cannot be stored stays in its box; sending reports the problem.
  if (!saving.has(id))
    saving.set(
      id,
      save(id).catch(() => undefined),
    )
}

/** Resolves when the text typed until now is stored, or cannot be. */
export const draftsAreStored = (): Promise<unknown> => Promise.all(drafts().saving.values())

async function save(id: string): Promise<void> {
  const scope = currentScope()
  const { unsaved, saving } = drafts(scope)
  try {
    // What one person typed must not be stored for the next one.
    for (let text = unsaved.get(id); text !== undefined && !scope.isDisposed; text = unsaved.get(id)) {
      await storeDraft(id, text)
      if (unsaved.get(id) === text) unsaved.delete(id)
    }
  } finally {
    saving.delete(id)
  }
}

async function storeDraft(id: string, text: string): Promise<void> {
  if (text === '') return (await openDeviceOf(id)).db.delete('drafts', id)
  await writeSealed(
    () => openDeviceOf(id),
    ['drafts'],
    async ({ vault }) => {
      const sealed = await vault.seal(bindingOf(id), text)
      return async (records) => void (await records.put('drafts', { id, ...sealed }))
    },
    // A page that is being closed gives little time.
    'relaxed',
  )
}
