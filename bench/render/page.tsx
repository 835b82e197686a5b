// The page under measurement: it streams an answer into one of three renderers, an update a frame.
import { type ComponentType, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { addTexts } from '../../apps/web/src/i18n/interface-language'
import Markdown from '../../apps/web/src/ui/markdown/markdown'
import { answer, charactersPerToken, hostile } from './answers'

const [texts] = Object.values(
  import.meta.glob<Record<string, string>>('../../apps/web/src/i18n/en-US/markdown.json', {
    eager: true,
    import: 'default',
  }),
)
import.meta.glob('../../apps/web/src/ui/{tokens,global}.css', { eager: true })
addTexts('en-US', { markdown: texts ?? {} })

type Renderer = ComponentType<{ text: string; streaming: boolean }>

const renderers: Record<string, Renderer> = {
  parley: Markdown,
  whole: ({ text }) => (
    <ReactMarkdown remarkPlugins={[remarkGfm, remarkMath]} rehypePlugins={[rehypeSanitize]}>
      {text}
    </ReactMarkdown>
  ),
}

const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
const settled = async () => {
  for (let count = 0; count < 10; count += 1) await frame()
}

const longTasks: number[] = []
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
  type: 'longtask',
})

let show: (text: string, streaming: boolean) => void
let unmount: () => void = () => undefined

async function mount(renderer: string): Promise<void> {
  unmount()
  const element = document.createElement('main')
  element.style.cssText = 'max-width: 760px; margin: auto'
  document.body.append(element)
  if (renderer === 'floor') {
    let paragraph = element.appendChild(document.createElement('p'))
    let shown = 0
    show = (text) => {
      for (const [index, part] of text.slice(shown).split('\n\n').entries()) {
        if (index > 0) paragraph = element.appendChild(document.createElement('p'))
        paragraph.append(part)
      }
      shown = text.length
    }
    unmount = () => element.remove()
  } else {
    const Answer = renderers[renderer]
    if (!Answer) throw new Error(renderer)
    const root = createRoot(element)
    const Host = () => {
      const [state, setState] = useState({ text: '', streaming: true })
      useEffect(() => {
        show = (text, streaming) => setState({ text, streaming })
      }, [])
      return <Answer {...state} />
    }
    root.render(<Host />)
    unmount = () => {
      root.unmount()
      element.remove()
    }
  }
  await settled()
  longTasks.length = 0
}

async function stream(text: string, charactersPerUpdate: number): Promise<void> {
  let arrived = ''
  for (let from = 0; from < text.length; from += charactersPerUpdate) {
    arrived += text.slice(from, from + charactersPerUpdate)
    show(arrived, true)
    await frame()
  }
  show(arrived, false)
  await settled()
}

async function outcome() {
  await settled()
  return {
    longTasks: longTasks.map(Math.round),
    nodes: document.querySelectorAll('main *').length,
    characters: document.querySelector('main')?.textContent?.length ?? 0,
  }
}

Object.assign(window, {
  bench: {
    mount,
    streamAnswer: (tokens: number, tokensPerUpdate: number) =>
      stream(answer(tokens), tokensPerUpdate * charactersPerToken),
    streamHostile: (name: string, updates: number) => {
      const text = hostile[name]?.() ?? ''
      return stream(text, Math.ceil(text.length / updates))
    },
    showHostile: async (name: string) => {
      show(hostile[name]?.() ?? '', false)
      for (let count = 0; count < 120; count += 1) await frame()
    },
    outcome,
    hostile: Object.keys(hostile),
  },
})
