// Every component with all its states, in both themes. Development only, so its words are not translated.
import { useEffect } from 'react'
import { Segmented } from '../ui/segmented'
import { setTheme, useTheme } from '../ui/theme'
import { ButtonSpecimens } from './dev-ui/button-specimens'
import { ChoiceSpecimens } from './dev-ui/choice-specimens'
import { FeedbackSpecimens } from './dev-ui/feedback-specimens'
import { FieldSpecimens } from './dev-ui/field-specimens'
import { forceStates } from './dev-ui/forced-states'
import { IdentitySpecimens } from './dev-ui/identity-specimens'
import { OverlaySpecimens } from './dev-ui/overlay-specimens'
import styles from './dev-ui-screen.module.css'

const themes = [
  { id: 'light', name: 'Light' },
  { id: 'dark', name: 'Dark' },
] as const

export default function DevUiScreen() {
  const theme = useTheme()
  useEffect(forceStates, [])
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <div>
          <h1>Components</h1>
          <p>
            Both themes, every state. What is marked hover, focus or active is drawn so; all else answers to pointer and
            keyboard.
          </p>
        </div>
        <Segmented
          label="Theme of the page, its toasts and this header"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
            { value: 'system', label: 'System' },
          ]}
        />
      </header>
      <div className={styles.themes}>
        {themes.map(({ id, name }) => (
          <section key={id} data-theme={id} className={styles.theme} aria-labelledby={`theme-${id}`}>
            <h2 id={`theme-${id}`}>{name}</h2>
            <IdentitySpecimens />
            <ButtonSpecimens />
            <FieldSpecimens />
            <ChoiceSpecimens />
            <FeedbackSpecimens />
            <OverlaySpecimens />
          </section>
        ))}
      </div>
    </main>
  )
}
