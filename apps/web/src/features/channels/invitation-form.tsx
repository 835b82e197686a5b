import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import type { MemberRole } from '@parley/contract/sharing'
import { useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { invitationsQuery, invite } from '../../data/channels/sharing'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import { Segmented } from '../../ui/segmented'
import { Select } from '../../ui/select'
import { toast } from '../../ui/toast'
import styles from './members-dialog.module.css'
import { useShortDate } from './use-short-date'

const dayChoices = [1, 7, 30] as const
type Days = `${(typeof dayChoices)[number]}`

/** Creates an invitation link, which is shown only until the dialog closes. */
export function InvitationForm({ channelId }: { channelId: string }) {
  const { t, language } = useTranslation()
  const queries = useQueryClient()
  const dateOf = useShortDate()
  const [role, setRole] = useState<MemberRole>('write')
  const [days, setDays] = useState<Days>(limits.sharing.defaultInvitationDays === 7 ? '7' : '1')
  const [made, setMade] = useState<{ url: string; expires_at: string }>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setIsBusy(true)
    try {
      setMade(await invite(channelId, { role, days: Number(days) }))
      await queries.invalidateQueries(invitationsQuery(channelId))
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('sharing.failed'))
    } finally {
      setIsBusy(false)
    }
  }

  async function copy(url: string) {
    try {
      await navigator.clipboard.writeText(url)
      toast.success(t('sharing.copied'))
    } catch {
      // The browser denies the clipboard: the link is selected for the person to copy.
      document.querySelector<HTMLInputElement>('[data-invitation-link]')?.select()
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className={styles.choices}>
        <Segmented
          label={t('sharing.role')}
          value={role}
          options={[
            { value: 'read', label: t('sharing.read') },
            { value: 'write', label: t('sharing.write') },
          ]}
          onChange={setRole}
        />
        <Select
          label={t('sharing.days')}
          value={days}
          options={dayChoices.map((count) => ({ value: `${count}` as const, label: t('sharing.daysLong', { count }) }))}
          onChange={setDays}
        />
      </div>
      <Button variant="primary" type="submit" busy={isBusy}>
        {t('sharing.makeLink')}
      </Button>
      <p className={styles.fine}>{t('sharing.payNote')}</p>
      {made && (
        <div className={styles.made} role="status">
          <Field label={t('sharing.link')} hint={t('sharing.linkHint', { date: dateOf(made.expires_at) })}>
            <TextInput
              readOnly
              data-invitation-link=""
              value={made.url}
              onFocus={(event) => event.currentTarget.select()}
            />
          </Field>
          <Button icon={Copy} onClick={() => void copy(made.url)}>
            {t('sharing.copy')}
          </Button>
        </div>
      )}
    </form>
  )
}
