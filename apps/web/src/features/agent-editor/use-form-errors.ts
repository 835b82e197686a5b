import '../../i18n/later-texts'
import { AppError } from '@parley/contract/errors'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { AgentForm, FormField } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

export type FieldErrors = Partial<Record<FormField, string>>

type UnreadableField = { field: 'name' | 'about' | 'role' | 'prompt'; text: string }

type FormErrors = {
  /** The container of the fields: its first invalid field gets the focus. */
  fields: RefObject<HTMLDivElement | null>
  /** Shown at each field while it is invalid. */
  errors: FieldErrors
  /** Reports empty required fields, in a toast and at the fields. False: there are none. */
  complain: (missing: readonly FormField[]) => boolean
  /** Marks the fields that the server found unreadable; answers the first one. */
  refuse: (error: unknown) => FormField | undefined
  forget: () => void
}

/**
 * The errors of a form. `missing`: the empty required fields on the screen; they are reported once the person submits.
 */
export function useFormErrors(form: AgentForm, missing: readonly FormField[]): FormErrors {
  const { t } = useTranslation()
  const fields = useRef<HTMLDivElement>(null)
  const [isAsked, setIsAsked] = useState(false)
  const [refused, setRefused] = useState<readonly UnreadableField[]>([])
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
  return field === 'enabled' || field === 'private' || field === 'language'
    ? ('missingChoice' as const)
    : ('missing' as const)
}
