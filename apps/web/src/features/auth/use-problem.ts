import { type RefObject, useRef, useState } from 'react'
import { toast } from '../../ui/toast'
import type { Explanation } from './sign-in-error'

type Problem = {
  form: RefObject<HTMLFormElement | null>
  problem: Explanation | undefined
  explain: (found: Explanation) => void
  forget: () => void
  /** The error props of a Field. */
  errorOf: (field: Explanation['field']) => { error?: string }
}

/** Reports a form's problem in a toast and under the field that caused it, which gets the focus. */
export function useProblem(): Problem {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<Explanation>()
  return {
    form,
    problem,
    explain(found) {
      setProblem(found)
      toast.error(found.text)
      if (found.field) form.current?.querySelector<HTMLInputElement>(`input[name=${found.field}]`)?.focus()
    },
    forget: () => setProblem(undefined),
    errorOf: (field) => (problem && problem.field === field ? { error: problem.text } : {}),
  }
}
