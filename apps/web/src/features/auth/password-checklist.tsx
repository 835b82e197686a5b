import '../../i18n/later-texts'
import { checkPassword, passwordProblems } from '@parley/contract/auth'
import { useTranslation } from '../../i18n/interface-language'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './auth.module.css'
import { CheckLine } from './check-line'

/** The requirements of a new password, ticked off while it is typed. */
export function PasswordChecklist({ password }: { password: string }) {
  const { t } = useTranslation()
  const { requirements } = checkPassword(password)
  return (
    <ul className={styles.checks} aria-label={t('auth.requirements')}>
      {passwordProblems.map((problem) => (
        <li key={problem}>
          <CheckLine isMet={requirements[problem]}>
            {t(`auth.${problem}`)}
            {requirements[problem] && <VisuallyHidden> ({t('auth.met')})</VisuallyHidden>}
          </CheckLine>
        </li>
      ))}
    </ul>
  )
}
