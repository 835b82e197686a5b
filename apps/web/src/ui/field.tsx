import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import styles from './field.module.css'

type FieldIds = { control: string; description: string | undefined; isInvalid: boolean }

const FieldContext = createContext<FieldIds | undefined>(undefined)

/** A label, its control, and under it the hint or the error of that very control. */
export function Field({
  label,
  error,
  hint,
  children,
}: {
  label: string
  error?: string
  hint?: string
  children: ReactNode
}) {
  const id = useId()
  const below = error ?? hint
  return (
    <FieldContext
      value={{ control: id, description: below ? `${id}-below` : undefined, isInvalid: error !== undefined }}
    >
      <div className={styles.field}>
        <label htmlFor={id}>{label}</label>
        {children}
        {below && (
          <p id={`${id}-below`} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
            {below}
          </p>
        )}
      </div>
    </FieldContext>
  )
}

function useFieldProps() {
  const field = use(FieldContext)
  return field
    ? { id: field.control, 'aria-describedby': field.description, 'aria-invalid': field.isInvalid || undefined }
    : {}
}

export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return (
    <input {...useFieldProps()} {...rest} type={type} className={[styles.input, className].filter(Boolean).join(' ')} />
  )
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      className={[styles.input, styles.area, className].filter(Boolean).join(' ')}
    />
  )
}
