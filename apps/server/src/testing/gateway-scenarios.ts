// What the stand-in gateway does when a question holds one of these words:
//   #markdown  one of everything that an answer may hold     #slow      about 20 s of known words
//   #empty     no text at all                                 #blank     spaces only
//   #busy      429 with Retry-After, then an answer           #down      500 every time
//   #key       401      #credit   402      #long   400: longer than the model's context
//   #error     an error object in mid-stream                  #early     an error object before the first word
//   #cut       the connection breaks in mid-answer            #nodone    a proper finish without [DONE]
//   #nofinish  the stream just ends                           #comments  OpenRouter's comments between the words
//   #cost      usage with a cost                              #badutf8   bytes that are no UTF-8
//   #50k       50,000 tokens                                  #1mb       one line of 1 MB
//   #table     a table of 10,000 rows                         #fence     a code fence that is never closed
//   #think     ten seconds of thinking, then an answer       #thinkonly thinking, then no text
//   #hostile   script, SVG, frames, javascript: links, remote images
import type { GatewayScript } from './gateway-script'

/** `word0 word1 …`: whoever reads it sees at once what is missing or doubled. */
export const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

export const markdownText = `Three clauses deserve a conversation before you sign. The **early-exit fee** is the costly one, so start there.

| Clause | What it says | Exposure |
|---|---|---:|
| 8.2 Early exit | Three full rents, whenever you leave | R$ 10,500 |
| 11 Index | IGP-M with no ceiling | R$ 2,940 a year |

The law already makes the fee proportional to the time left:

\`\`\`ts
const rent = 3500, term = 24, stayed = 14
const fee = rent * 3 * ((term - stayed) / term)  // 4375, not 10500
\`\`\`

In general $f = 3r \\cdot \\frac{t - s}{t}$, so:

1. Ask for the wording.
2. Offer a notice of two months.
`

export const hostileText = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><svg onload="window.hacked = 1"></svg>
<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe><style>body { display: none }</style>

[click](javascript:window.hacked=1) [data](data:text/html,<script>1</script>) ![pixel](https://tracker.invalid/p.png?chat=secret)

[reference][r]

[r]: javascript:alert(1)
`

export const longText = (): string =>
  Array.from({ length: 50_000 }, (_, index) => (index % 40 === 39 ? `w${index}\n\n` : `w${index} `)).join('')
export const longLine = (): string => 'x'.repeat(1024 * 1024)
export const longTable = (): string =>
  `| n | square |\n|---|---|\n${Array.from({ length: 10_000 }, (_, n) => `| ${n} | ${n * n} |`).join('\n')}\n`

const hello = 'Here is the answer: Ação, 日本語 and 👩‍👩‍👧 arrive whole.'

/** More than one script: for the first, second … request with the same question; the last one stays. */
const scenarios: Record<string, () => GatewayScript[]> = {
  markdown: () => [{ text: markdownText, tokensPerSecond: 40 }],
  slow: () => [{ text: words(400), tokensPerSecond: 20 }],
  empty: () => [{ text: '' }],
  blank: () => [{ text: '  \n ' }],
  busy: () => [{ status: 429, retryAfter: '1' }, { text: hello }],
  down: () => [{ status: 500 }],
  key: () => [{ status: 401 }],
  credit: () => [{ status: 402 }],
  long: () => [{ status: 400, message: "This model's maximum context length is 8192 tokens" }],
  error: () => [{ text: words(40), tokensPerSecond: 40, breakAfter: 60, breakBy: 'error' }],
  early: () => [{ text: words(40), breakAfter: 0, breakBy: 'error' }],
  cut: () => [{ text: words(40), tokensPerSecond: 40, breakAfter: 60, breakBy: 'cut' }],
  nofinish: () => [{ text: words(40), tokensPerSecond: 40, breakAfter: 60, breakBy: 'end' }],
  nodone: () => [{ text: hello, omitsDone: true }],
  comments: () => [{ text: words(40), tokensPerSecond: 40, comments: true }],
  cost: () => [{ text: hello, usage: { prompt_tokens: 20, completion_tokens: 120, cost: 0.0000047 } }],
  badutf8: () => [{ text: words(40), badUtf8: true }],
  '50k': () => [{ text: longText() }],
  '1mb': () => [{ text: longLine() }],
  table: () => [{ text: longTable() }],
  fence: () => [{ text: `\`\`\`js\n${'const a = 1\n'.repeat(2_000)}` }],
  think: () => [{ thinks: words(200), text: markdownText, tokensPerSecond: 20 }],
  thinkonly: () => [{ thinks: words(40), text: '' }],
  hostile: () => [{ text: hostileText, tokensPerSecond: 100 }],
}

/** The script of a question that holds a trigger word; `attempt` counts from 0. */
export function scenarioOf(question: string, attempt: number): GatewayScript | undefined {
  const [, word = ''] = /#([a-z0-9]+)/.exec(question) ?? []
  const scripts = Object.hasOwn(scenarios, word) ? scenarios[word]?.() : undefined
  return scripts?.[Math.min(attempt, scripts.length - 1)]
}
