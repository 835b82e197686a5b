import { TextInput } from '../../ui/field'

type Props = { value: string; onChange: (email: string) => void }

/** The first field of each view. */
export function EmailInput({ value, onChange }: Props) {
  return (
    <TextInput
      data-autofocus
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
