import { Field, TextInput } from '../../ui/field'

type Props = {
  label: string
  autoComplete: 'new-password' | 'current-password'
  hint?: string
  error?: string | undefined
  autoFocus?: boolean
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
}

export function PasswordField({ label, hint, error, onChange, ...rest }: Props) {
  return (
    <Field label={label} {...(hint ? { hint } : {})} {...(error ? { error } : {})}>
      <TextInput type="password" {...rest} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}
