import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { updateProfile } from '../../data/auth/account'
import { useTranslation } from '../../i18n/interface-language'
import { personName } from '../../lib/shown-person'
import { Avatar } from '../../ui/avatar'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import { Section } from '../../ui/section'
import { toast } from '../../ui/toast'
import styles from './form.module.css'

const maxNameLength = 100

export function PersonalInfo({ user }: { user: User }) {
  const { t } = useTranslation()
  const fullName = user.name || user.user_metadata.full_name || ''
  const [draft, setDraft] = useState<string>()
  const { mutateAsync, isPending } = useMutation({ mutationFn: updateProfile })
  const name = (draft ?? fullName).trim()
  const canSave = name !== '' && name !== fullName

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!canSave || isPending) return
    try {
      await mutateAsync(name)
      setDraft(undefined)
      toast.success(t('settings.profileUpdated'))
    } catch {
      toast.error(t('settings.profileFailed'))
    }
  }

  return (
    <Section title={t('settings.personalInfo')}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <div className={styles.person}>
          <Avatar seed={user.id} name="" size={56} picture={user.user_metadata.picture} />
          <div>
            <p className={styles.label}>{t('settings.displayName')}</p>
            <p className={styles.name}>{personName(user)}</p>
          </div>
        </div>
        <div className={styles.fields}>
          <Field label={t('settings.fullName')}>
            <TextInput
              autoComplete="name"
              maxLength={maxNameLength}
              value={draft ?? fullName}
              onChange={(event) => setDraft(event.target.value)}
            />
          </Field>
          <Field label={t('settings.email')} hint={t('settings.emailFixed')}>
            <TextInput type="email" readOnly value={user.email} />
          </Field>
        </div>
        <div className={styles.actions}>
          <Button variant="primary" type="submit" busy={isPending} disabled={!canSave}>
            {t('settings.save')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
