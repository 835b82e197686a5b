import { CircleAlert, CircleCheck, CircleDashed, CircleQuestionMark } from 'lucide-react'
import type { Mark } from '../../data/agents/sui-verify'

/** none: there is nothing to verify. */
type MarkOrNone = Mark | 'none'

const icons = { good: CircleCheck, bad: CircleAlert, unknown: CircleQuestionMark, none: CircleDashed }

export function MarkIcon({ mark }: { mark: MarkOrNone }) {
  const Icon = icons[mark]
  return <Icon aria-hidden="true" />
}

/** A verified part and its result. */
export function MarkLine({ mark, text }: { mark: MarkOrNone; text: string }) {
  return (
    <li data-mark={mark}>
      <MarkIcon mark={mark} />
      {text}
    </li>
  )
}
