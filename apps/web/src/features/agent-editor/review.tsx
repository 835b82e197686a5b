import '../../i18n/later-texts'
import { Globe, Lock, Power } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type AgentForm, isBegun } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { AgentFace } from '../../ui/agent-face'
import { Badge } from '../../ui/badge'
import styles from './review.module.css'

/** Shows all fields before they are published. Names and texts are rendered as plain text. */
export function Review({ form, creator }: { form: AgentForm; creator: string }) {
  const { t } = useTranslation()
  const box = useRef<HTMLElement>(null)
  // The step has no field for the focus.
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  const characters = (text: string) => t('agentEditor.review.characters', { count: text.length })
  const languages = [
    ...(form.language === undefined ? [] : [form.language]),
    ...form.translations.filter(isBegun).map(({ language }) => language),
  ]
  return (
    <section ref={box} className={styles.review} tabIndex={-1} aria-label={t('agentEditor.step3')}>
      <h3>{t('agentEditor.review.title')}</h3>
      <div className={styles.card}>
        <AgentFace src={form.avatar} size={76} label={t('agentEditor.avatar')} />
        <div className={styles.texts}>
          <b dir="auto">{form.name}</b>
          <p dir="auto">{form.role}</p>
          <p className={styles.creator}>
            <bdi>{creator}</bdi>
          </p>
        </div>
        <p className={styles.badges}>
          {languages.map((language) => (
            <Badge key={language} tone="plain">
              {t(`agentEditor.languages.${language}`)}
            </Badge>
          ))}
        </p>
        <p className={styles.about} dir="auto">
          {form.about}
        </p>
      </div>
      <ul className={styles.facts}>
        <li>
          {form.private ? <Lock aria-hidden="true" /> : <Globe aria-hidden="true" />}
          {t(form.private ? 'agentEditor.review.onlyYou' : 'agentEditor.review.everyone')}
        </li>
        {form.enabled === false && (
          <li>
            <Power aria-hidden="true" />
            {t('agentEditor.review.inactive')}
          </li>
        )}
      </ul>
      <dl className={styles.list}>
        <div>
          <dt>{t('agentEditor.review.greeting')}</dt>
          <dd dir="auto">{form.greeting.trim() === '' ? t('agentEditor.review.madeGreeting') : form.greeting}</dd>
        </div>
      </dl>
      <h3>{t('agentEditor.review.secrets')}</h3>
      <dl className={styles.list}>
        <div>
          <dt>{t('agentEditor.prompt')}</dt>
          {/* Long texts scroll, also by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
          <dd className={styles.prompt} dir="auto" tabIndex={0}>
            {form.prompt}
          </dd>
        </div>
        <div>
          <dt>{t('agentEditor.review.knowledge')}</dt>
          <dd>{form.knowledge.trim() === '' ? t('agentEditor.review.noKnowledge') : characters(form.knowledge)}</dd>
        </div>
        {form.files && form.files.length > 0 && (
          <div>
            <dt>{t('agentEditor.files.list')}</dt>
            <dd>{t('agentEditor.files.count', { count: form.files.length })}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
