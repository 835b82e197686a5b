import { CircleAlert, CircleCheck, CircleDashed, CircleQuestionMark } from 'lucide-react'
import type { Mark } from '../../data/agents/sui-verify'

/** none: there is nothing to check. */
type Shown = Mark | 'none'

const icons = { good: CircleCheck, bad: CircleAlert, unknown: CircleQuestionMark, none: CircleDashed }

export function MarkIcon({ mark }: { mark: Shown }) {
  const Icon = icons[mark]
  return <Icon aria-hidden="true" />
}

/** What was checked, and how that ended. */
export function MarkLine({ mark, text }: { mark: Shown; text: string }) {
  return (
    <li data-mark={mark}>
      <MarkIcon mark={mark} />
      {text}
    </li>
  )
}
