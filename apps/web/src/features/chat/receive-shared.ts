import '../../i18n/later-texts'
import i18next from 'i18next'
import { takeSharedDraft } from '../../data/chat/shared-draft'
import { toast } from '../../ui/toast'

/** Takes what was shared, and says what is not in the draft. */
export async function receiveShared(): Promise<{ text: string } | undefined> {
  const draft = await takeSharedDraft()
  if (!draft) toast.error(i18next.t('install.sharedGone'))
  for (const { name, reason } of draft?.refused ?? [])
    toast.notice(i18next.t(reason === 'too-long' ? 'install.sharedTooLong' : 'install.sharedNotText', { name }))
  return draft && { text: draft.text }
}
