import '../../i18n/later-texts'
import { AppError } from '@parley/contract/errors'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentForm, FormField } from '../../data/agents/agent-form'
import { toast } from '../../ui/toast'

export type FieldErrors = Partial<Record<FormField, string>>

type Refused = { field: 'name' | 'about' | 'role' | 'prompt'; text: string }

type FormErrors = {
  /** Around the fields: the first that is wrong gets the focus. */
  fields: RefObject<HTMLDivElement | null>
  /** At its field, for as long as it is wrong. */
  errors: FieldErrors
  /** Says what is missing, in a toast and at the fields. False: nothing is. */
  complain: (missing: readonly FormField[]) => boolean
  /** Marks what the server found unreadable; the first such field. */
  refuse: (error: unknown) => FormField | undefined
  forget: () => void
}

/** What is wrong with a form. `missing`: of what is on the screen; it is said once somebody wants to go on. */
export function useFormErrors(form: AgentForm, missing: readonly FormField[]): FormErrors {
  const { t } = useTranslation()
  const fields = useRef<HTMLDivElement>(null)
  const [isAsked, setIsAsked] = useState(false)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (attempt > 0) fields.current?.querySelector<HTMLElement>(firstWrong)?.focus()
  }, [attempt])

  const unreadable = refused.filter(({ field, text }) => form[field] === text)
  const errors: FieldErrors = {
    ...Object.fromEntries(unreadable.map(({ field }) => [field, t('agentEditor.unreadable')])),
    ...(isAsked ? Object.fromEntries(missing.map((field) => [field, t(`agentEditor.${textOf(field)}`)])) : {}),
  }

  return {
    fields,
    errors,
    complain(found) {
      if (found.length === 0) return false
      setIsAsked(true)
      setAttempt((before) => before + 1)
      toast.error(t('agentEditor.missingAll'))
      return true
    },
    refuse(error) {
      const paths = error instanceof AppError ? (error.issues ?? []).map(({ path }) => path) : []
      const found = (['name', 'about', 'role', 'prompt'] as const).filter((field) => paths.includes(field))
      setRefused(found.map((field) => ({ field, text: form[field] })))
      setAttempt((before) => before + 1)
      return found[0]
    },
    forget() {
      setIsAsked(false)
      setRefused([])
    },
  }
}

const firstWrong = '[aria-invalid=true], [data-invalid] :is(input, button, textarea):not([hidden])'

function textOf(field: FormField) {
  if (field === 'avatar') return 'missingAvatar' as const
  if (field === 'translations') return 'missingTranslation' as const
  return field === 'enabled' || field === 'private' || field === 'language' ? ('missingChoice' as const) : ('missing' as const)
}
