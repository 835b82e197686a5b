import '../../i18n/later-texts'
import { useTranslation } from 'react-i18next'
import type { WizardStep } from '../../data/agents/agent-editor-state'
import styles from './editor.module.css'

const labels = ['agentEditor.step1', 'agentEditor.step2', 'agentEditor.step3'] as const

/** Where one is. The steps behind are filled as well. */
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
