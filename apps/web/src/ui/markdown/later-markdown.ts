import { whenIdle } from '../../lib/when-idle'
import { preloadableExtra } from '../lazy-part'

/** Draws what a model has written. It is a file of its own, without which an answer can be read as it was written. */
export const { Part: Markdown, preload: preloadMarkdown } = preloadableExtra(async () => {
  const markdown = await import('./markdown')
  whenIdle(markdown.readOnce)
  return markdown
})
