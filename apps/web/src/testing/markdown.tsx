import { render } from '@testing-library/react'
import Markdown from '../ui/markdown/markdown'

export const show = (text: string, streaming = false) => render(<Markdown text={text} streaming={streaming} />)

export function stream(text: string, steps: readonly number[]) {
  const view = show('', true)
  for (let end = 0, step = 0; end < text.length; step += 1) {
    end += steps[step % steps.length] ?? 1
    view.rerender(<Markdown text={text.slice(0, end)} streaming />)
  }
  view.rerender(<Markdown text={text} streaming={false} />)
  return view
}
