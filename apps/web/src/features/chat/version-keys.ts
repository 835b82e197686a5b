import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, string>> = { '[': 'previous', ']': 'next' }

/**
 * The keys [ and ] change the version of the message that has the focus: that of its question or its answer, whichever
 * part it is in; of the message as a whole that of its answer, where that has any.
 */
export function onVersionKey(event: KeyboardEvent): void {
  const { target, key, metaKey, ctrlKey } = event
  const step = steps[key]
  // Some keyboards have these characters behind AltGr, which counts as Ctrl and Alt.
  const isCommand = metaKey || (ctrlKey && !event.getModifierState('AltGraph'))
  if (step === undefined || isCommand || !(target instanceof Element) || target.closest('textarea, input')) return
  const article = target.closest('[data-message-id]')
  const part = target.closest('[data-question]') ? ['question', 'answer'] : ['answer', 'question']
  const button = part
    .map((each) => article?.querySelector<HTMLElement>(`[data-versions=${each}] [data-step=${step}]`))
    .find((each) => each)
  if (!button) return
  event.preventDefault()
  button.click()
}
