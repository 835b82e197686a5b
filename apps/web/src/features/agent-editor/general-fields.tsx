import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import type { AgentForm } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { Field, TextArea, TextInput } from '../../ui/field'
import { AvatarField } from './avatar-field'
import { ChoiceField } from './choice-field'
import styles from './editor.module.css'
import type { FieldErrors } from './use-form-errors'

export type FieldsProps = { form: AgentForm; errors: FieldErrors; onChange: (change: Partial<AgentForm>) => void }

export const errorProp = (error: string | undefined): { error?: string } => (error === undefined ? {} : { error })

/** The public fields of an agent, and its visibility. */
export function GeneralFields({ form, errors, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.fields}>
      <AvatarField
        avatar={form.avatar}
        error={errors.avatar}
        aside={<NameLength length={form.name.length} />}
        onChange={(avatar) => onChange({ avatar })}
      >
        <Field label={t('agentEditor.name')} {...errorProp(errors.name)}>
          <TextInput
            data-autofocus=""
            autoComplete="off"
            dir="auto"
            maxLength={limits.agents.name}
            value={form.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
      </AvatarField>
      <Field label={t('agentEditor.about')} hint={t('agentEditor.aboutHint')} {...errorProp(errors.about)}>
        <TextArea
          rows={3}
          dir="auto"
          maxLength={limits.agents.about}
          value={form.about}
          onChange={(event) => onChange({ about: event.target.value })}
        />
      </Field>
      <Field label={t('agentEditor.role')} hint={t('agentEditor.roleHint')} {...errorProp(errors.role)}>
        <TextInput
          autoComplete="off"
          dir="auto"
          maxLength={limits.agents.role}
          value={form.role}
          onChange={(event) => onChange({ role: event.target.value })}
        />
      </Field>
      <div className={styles.choices}>
        <ChoiceField
          label={t('agentEditor.active')}
          value={form.enabled === undefined ? undefined : form.enabled ? 'yes' : 'no'}
          options={[
            { value: 'yes', label: t('agentEditor.yes') },
            { value: 'no', label: t('agentEditor.no') },
          ]}
          error={errors.enabled}
          onChange={(chosen) => onChange({ enabled: chosen === 'yes' })}
        />
        <ChoiceField
          label={t('agentEditor.visibility')}
          value={form.private === undefined ? undefined : form.private ? 'private' : 'public'}
          options={[
            { value: 'public', label: t('agentEditor.public') },
            { value: 'private', label: t('agentEditor.private') },
          ]}
          error={errors.private}
          onChange={(chosen) => onChange({ private: chosen === 'private' })}
        />
      </div>
    </div>
  )
}

/** The length of the name and its limit; the limit is announced when it is reached. */
function NameLength({ length }: { length: number }) {
  const { t } = useTranslation()
  const max = limits.agents.name
  return (
    <p className={styles.length} data-full={length >= max || undefined}>
      <span aria-live="polite">{length >= max && t('agentEditor.nameFull', { max })}</span>
      <span aria-hidden="true">{t('agentEditor.nameLength', { length, max })}</span>
    </p>
  )
}
