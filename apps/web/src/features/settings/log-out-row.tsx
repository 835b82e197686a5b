import '../../i18n/later-texts'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { SectionRow } from '../../ui/section'

const LogOutDialog = lazyPart(() => import('./log-out-dialog'))

export function LogOutRow() {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <SectionRow title={t('shell.logOut')} text={t('settings.logOutText')}>
      <Button onClick={() => setIsAsking(true)}>{t('shell.logOut')}</Button>
      {isAsking && (
        <Suspense>
          <LogOutDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </SectionRow>
  )
}
