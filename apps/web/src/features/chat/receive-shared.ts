import '../../i18n/later-texts'
import { readSharedDraft } from '../../data/chat/shared-draft'
import { t } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

/** Adds shared content to the draft, and reports the files that were rejected. */
export async function receiveShared(): Promise<{ text: string } | undefined> {
  const draft = await readSharedDraft()
  if (!draft) toast.error(t('install.sharedGone'))
  for (const { name, reason } of draft?.refused ?? [])
    toast.notice(t(reason === 'too-long' ? 'install.sharedTooLong' : 'install.sharedNotText', { name }))
  return draft && { text: draft.text }
}
