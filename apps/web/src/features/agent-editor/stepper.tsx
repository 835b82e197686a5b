import '../../i18n/later-texts'
import type { WizardStep } from '../../data/agents/agent-editor-state'
import { useTranslation } from '../../i18n/interface-language'
import styles from './editor.module.css'

const labels = ['agentEditor.step1', 'agentEditor.step2', 'agentEditor.step3'] as const

/** Shows the current step. Completed steps are filled as well. */
export function Stepper({ step }: { step: WizardStep }) {
  const { t } = useTranslation()
  return (
    <ol className={styles.steps} aria-label={t('agentEditor.steps')}>
      {labels.map((label, index) => (
        <li key={label} data-reached={index <= step || undefined} aria-current={index === step ? 'step' : undefined}>
          {t(label)}
        </li>
      ))}
    </ol>
  )
}
