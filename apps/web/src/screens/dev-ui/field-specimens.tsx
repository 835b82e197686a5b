import { useState } from 'react'
import { Field, TextArea, TextInput } from '../../ui/field'
import { Select } from '../../ui/select'
import { Group, Row, Specimen } from './specimen'

const languages = [
  { value: 'en-US', label: 'English' },
  { value: 'pt-BR', label: 'Português' },
  { value: 'es-ES', label: 'Español' },
] as const

export function FieldSpecimens() {
  const [language, setLanguage] = useState<(typeof languages)[number]['value']>('en-US')
  return (
    <Group title="Field">
      <Row fill>
        {(['rest', 'hover', 'focus'] as const).map((state) => (
          <Specimen key={state} name={state} {...(state === 'rest' ? {} : { show: state })}>
            <Field label="Name">
              <TextInput placeholder="Chat 20-11 09-12-44" />
            </Field>
          </Specimen>
        ))}
        <Specimen name="disabled">
          <Field label="Name">
            <TextInput disabled defaultValue="Lease clauses" />
          </Field>
        </Specimen>
        <Specimen name="with a hint">
          <Field label="Name" hint="At most 100 characters.">
            <TextInput defaultValue="Lease clauses" />
          </Field>
        </Specimen>
        <Specimen name="with an error">
          <Field label="Name" error="Channel with this name already exists">
            <TextInput defaultValue="Lease clauses" />
          </Field>
        </Specimen>
        <Specimen name="text area">
          <Field label="Prompt" hint="What the agent should know.">
            <TextArea rows={3} defaultValue="You read contracts and mark what a tenant should ask about." />
          </Field>
        </Specimen>
        <Specimen name="select">
          <Select label="Language" value={language} options={languages} onChange={setLanguage} />
        </Specimen>
        <Specimen name="select, focus" show="focus">
          <Select label="Language" value={language} options={languages} onChange={setLanguage} />
        </Specimen>
        <Specimen name="select, disabled">
          <Select label="Language" value={language} options={languages} disabled onChange={setLanguage} />
        </Specimen>
      </Row>
    </Group>
  )
}
