import '../../i18n/later-texts'
import { Copy, ExternalLink } from 'lucide-react'
import { useConfig } from '../../data/config/use-config'
import { useTranslation } from '../../i18n/interface-language'
import { Section, SectionRow } from '../../ui/section'
import { Skeleton } from '../../ui/skeleton'
import { toast } from '../../ui/toast'
import styles from './form.module.css'

/** The contacts of this server's operator, as configured. */
export function SupportSection() {
  const { t } = useTranslation()
  const contact = useConfig()?.contact
  if (!contact) return <Skeleton width="100%" height="180px" />
  const { supportChatUrl, communityUrl, supportEmail } = contact
  return (
    <Section title={t('settings.getHelp')}>
      {!supportChatUrl && !communityUrl && !supportEmail && (
        <p className={styles.explanation}>{t('settings.noSupport')}</p>
      )}
      {supportChatUrl && (
        <SectionRow title={t('settings.supportChat')} text={t('settings.supportChatText')}>
          <OpenLink href={supportChatUrl} about={t('settings.supportChat')} />
        </SectionRow>
      )}
      {communityUrl && (
        <SectionRow title={t('settings.community')} text={t('settings.communityText')}>
          <OpenLink href={communityUrl} about={t('settings.community')} />
        </SectionRow>
      )}
      {supportEmail && (
        <SectionRow title={t('settings.supportEmail')} text={t('settings.supportEmailText')}>
          <CopyEmail email={supportEmail} />
        </SectionRow>
      )}
    </Section>
  )
}

function OpenLink({ href, about }: { href: string; about: string }) {
  const { t } = useTranslation()
  const label = t('settings.open')
  return (
    <a className={styles.link} href={href} target="_blank" rel="noreferrer" aria-label={`${label}: ${about}`}>
      {label}
      <ExternalLink aria-hidden="true" size={15} />
    </a>
  )
}

function CopyEmail({ email }: { email: string }) {
  const { t } = useTranslation()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(email)
      toast.success(t('settings.emailCopied'))
    } catch {
      // The browser denies the clipboard: the address is shown for the person to copy.
      toast.error(t('settings.failed'))
    }
  }
  return (
    <button
      type="button"
      className={styles.link}
      aria-label={t('settings.copyEmail', { email })}
      onClick={() => void copy()}
    >
      <span className={styles.selectable}>{email}</span>
      <Copy aria-hidden="true" size={15} />
    </button>
  )
}
