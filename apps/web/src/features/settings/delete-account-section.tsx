import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { Section, SectionRow } from '../../ui/section'

const DeleteAccountDialog = lazyPart(() => import('./delete-account-dialog'))

type Props = { user: User; chatCount: number; onExportChats: () => void }

export function DeleteAccountSection(props: Props) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Section title={t('settings.dangerZone')}>
      <SectionRow title={t('settings.deleteAccount')} text={t('settings.deleteAccountText')}>
        <Button onClick={() => setIsAsking(true)}>{t('settings.deleteAccount')}</Button>
        {isAsking && (
          <Suspense>
            <DeleteAccountDialog {...props} onClose={() => setIsAsking(false)} />
          </Suspense>
        )}
      </SectionRow>
    </Section>
  )
}
