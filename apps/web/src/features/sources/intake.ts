// What the paperclip does with what was dropped or pasted; loaded with the first of it.
import '../../i18n/later-texts'
import { addText, removeSource } from '../../data/channels/source-actions'
import { interfaceLanguage, t } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { mod } from '../../ui/key-names'
import { toast } from '../../ui/toast'
import { insertText } from './insert-text'
import { loneLinkOf } from './link-kind'
import { linkOffer } from './link-offer-state'

export { addFilesAloud } from './add-sources'

type Pasted = { channelId: string; text: string; box: HTMLTextAreaElement }

/** A long text becomes a file. Ctrl or ⌘ Z right after turns it back into text; so does a failure. */
export async function takeLongText({ channelId, text, box }: Pasted): Promise<void> {
  const undone = undoneRightAfter(box)
  try {
    const { source, isKnown } = await addText(channelId, text, t('sources.pastedName'))
    if (isKnown) return toast.info(t('sources.textKnown'))
    toast.info(t('sources.textAdded', { key: mod }))
    void undone.then(() => {
      insertText(box, text)
      removeSource(source).catch(() => toast.error(t('sources.contentFailed')))
    })
  } catch (error) {
    insertText(box, text)
    toast.error(errorMessage(error, interfaceLanguage()) ?? t('sources.sendFailed'))
  }
}

/** Resolves when undo is the next thing that the person does in the box; otherwise never. */
function undoneRightAfter(box: HTMLTextAreaElement): Promise<void> {
  return new Promise((resolve) => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return
      end()
      if (event.key.toLowerCase() !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      resolve()
    }
    const end = (): void => {
      box.removeEventListener('keydown', onKeyDown)
      box.removeEventListener('input', end)
    }
    box.addEventListener('keydown', onKeyDown)
    box.addEventListener('input', end)
  })
}

/** A link that was pasted into an empty box: reading it is offered. */
export function offerLink({ channelId, text, box }: Pasted): void {
  const link = loneLinkOf(text)
  if (!link) return
  const takeBack = (): void => {
    if (box.value.trim() !== text.trim()) return
    box.select()
    insertText(box, '')
  }
  linkOffer.make({ channelId, link, takeBack })
}
