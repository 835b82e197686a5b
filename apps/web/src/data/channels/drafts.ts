import * as z from 'zod/mini'
import { type Device, openDevice } from '../local/device'
import { writeSealed } from '../local/write-sealed'

/** The newest text of each draft that is not on the device yet. */
const unsaved = new Map<string, string>()
const saving = new Map<string, Promise<void>>()
const place = (id: string) => ({ table: 'drafts', id, channelId: id })

/** The unsent text of a channel, or of the new chat (`new`). */
export async function readDraft(id: string): Promise<string> {
  const newest = unsaved.get(id)
  if (newest !== undefined) return newest
  return storedDraft(await openDevice(), id)
}

/**
 * Moves the unsent text of another vault of this browser to the same channel of the one that is open, before what was typed there. One that cannot be read
 * stays where it is.
 */
export async function adoptDraft(from: Device, id: string): Promise<void> {
  const theirs = await storedDraft(from, id)
  if (theirs === '') return
  const mine = await readDraft(id)
  if (!mine.includes(theirs)) await keep(id, mine === '' ? theirs : `${theirs}\n\n${mine}`)
  await from.db.delete('drafts', id)
}

async function storedDraft({ db, vault }: Device, id: string): Promise<string> {
  const record = await db.get('drafts', id)
  if (!record) return ''
  // A draft that cannot be opened is no reason to keep anyone from writing.
  const text = z.safeParse(z.string(), await vault.open(place(id), record).catch(() => ''))
  return text.success ? text.data : ''
}

/** Kept at once: a page that is being left gives no time for it. While one version is written, only the newest of the next ones waits. */
export function writeDraft(id: string, text: string): void {
  unsaved.set(id, text)
  // A draft that cannot be kept is still in its box; sending says what is wrong.
  if (!saving.has(id))
    saving.set(
      id,
      save(id).catch(() => undefined),
    )
}

/** Resolves when what was typed until now is on the device, or cannot be put there. */
export const draftsAreKept = (): Promise<unknown> => Promise.all(saving.values())

async function save(id: string): Promise<void> {
  try {
    for (let text = unsaved.get(id); text !== undefined; text = unsaved.get(id)) {
      await keep(id, text)
      if (unsaved.get(id) === text) unsaved.delete(id)
    }
  } finally {
    saving.delete(id)
  }
}

async function keep(id: string, text: string): Promise<void> {
  if (text === '') return (await openDevice()).db.delete('drafts', id)
  await writeSealed(
    openDevice,
    ['drafts'],
    async ({ vault }) => {
      const sealed = await vault.seal(place(id), text)
      return async (records) => void (await records.put('drafts', { id, ...sealed }))
    },
    // A page that is left at once gives little time.
    'relaxed',
  )
}
