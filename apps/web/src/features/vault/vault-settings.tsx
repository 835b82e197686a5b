import '../../i18n/later-texts'
import { useState } from 'react'
import { lockVault, removePassphrase, setIdleMinutes, useVault } from '../../data/vault/vault-state'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Section, SectionRow } from '../../ui/section'
import { Select } from '../../ui/select'
import { toast } from '../../ui/toast'
import { PassphraseDialog } from './passphrase-dialog'
import styles from './vault.module.css'

const idleChoices = [1, 5, 15, 30, 60] as const

/** Explains the protection of this device's chats, and manages the passphrase lock. */
export function VaultSettings() {
  const { t } = useTranslation()
  const settings = useVault((state) => state.settings)
  const [dialog, setDialog] = useState<'set' | 'change'>()
  const [isBusy, setIsBusy] = useState(false)
  if (!settings) return null

  async function remove() {
    setIsBusy(true)
    try {
      await removePassphrase()
      toast.success(t('vault.unlockedDone'))
    } catch {
      toast.error(t('vault.failed'))
    } finally {
      setIsBusy(false)
    }
  }

  const isLocked = settings.level === 'locked'
  return (
    <Section title={t('vault.title')} text={t(isLocked ? 'vault.lockedText' : 'vault.sealedText')}>
      {isLocked ? (
        <>
          <SectionRow title={t('vault.lockNow')} text={t('vault.lockNowText')}>
            <Button onClick={lockVault}>{t('vault.lockNow')}</Button>
          </SectionRow>
          <SectionRow title={t('vault.idle')}>
            <div className={styles.idle}>
              <Select
                label={t('vault.idle')}
                value={String(settings.idleMinutes)}
                onChange={(minutes) => void setIdleMinutes(Number(minutes)).catch(() => toast.error(t('vault.failed')))}
                options={idleChoices.map((count) => ({
                  value: String(count),
                  label: t('vault.idleMinutes', { count }),
                }))}
              />
            </div>
          </SectionRow>
          <SectionRow title={t('vault.change')}>
            <Button onClick={() => setDialog('change')}>{t('vault.changeButton')}</Button>
          </SectionRow>
          <SectionRow title={t('vault.turnOff')} text={t('vault.turnOffText')}>
            <Button busy={isBusy} onClick={() => void remove()}>
              {t('vault.turnOffButton')}
            </Button>
          </SectionRow>
        </>
      ) : (
        <SectionRow title={t('vault.turnOn')} text={t('vault.turnOnText')}>
          <Button onClick={() => setDialog('set')}>{t('vault.turnOnButton')}</Button>
        </SectionRow>
      )}
      {dialog && <PassphraseDialog isChange={dialog === 'change'} onClose={() => setDialog(undefined)} />}
    </Section>
  )
}
