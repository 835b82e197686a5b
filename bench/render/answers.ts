/** Characters of English per token, roughly. */
export const charactersPerToken = 4

/**
 * An answer as models write them: headings, paragraphs, lists, a table, code, a formula now and then. Every section
 * differs.
 */
export function answer(tokens: number): string {
  const length = tokens * charactersPerToken
  let text = ''
  for (let section = 1; text.length < length; section += 1)
    text += `${sections.map((write) => write(section)).join('\n\n')}\n\n`
  return text.slice(0, length)
}

const sections: ((n: number) => string)[] = [
  (n) => `## ${n}. How the fee of clause ${n} is worked out`,
  (n) =>
    `The fee in **clause ${n}.2** is *proportional to the time left*, so it shrinks with every month that you stay. See [the law](https://example.org/law/${n}) and \`fee.ts\`. It was ${n * 350} in the draft, and nothing in the text says that it may be charged twice; ask the agency to write that down.`,
  (n) =>
    `1. Read clause ${n} twice.\n2. Write to the agency:\n   - name the **month** in which you leave,\n   - name the sum, ~~${n * 400}~~ ${n * 350}.\n3. Keep a copy of what they answer.`,
  (n) =>
    `| Clause | What it says | Exposure |\n|---|---|---:|\n| ${n}.1 | Three full rents, whenever you leave | ${n * 1050} |\n| ${n}.2 | Index without a ceiling | ${n * 294} |\n| ${n}.3 | Includes structural faults | open |`,
  (n) =>
    `\`\`\`ts\n// The fee after ${n} months\nexport function fee(rent: number, term: number, stayed: number): number {\n  const left = term - stayed\n  if (left <= 0) return 0\n  return rent * 3 * (left / term)\n}\n\nconsole.log(fee(${n * 3500}, 24, ${n % 24}))\n\`\`\``,
  (n) => `With rent $r$ and term $t$ the fee after ${n} months is\n\n$$\nf(${n}) = 3r \\cdot \\frac{t - ${n}}{t}\n$$`,
  (n) =>
    `> The tenant may give the property back before the end, paying the fine agreed upon in proportion to the contract's term of performance (${n}).`,
  (n) =>
    `- [x] Ask for the wording of clause ${n}\n- [ ] Ask who pays for the boiler\n\nThat leaves one point, which is the index. A ceiling of ${n}% a year is usual; without one the rent could rise by more than your income, and you could not leave without paying the fee above.`,
]

export const hostile: Record<string, () => string> = {
  'one line of 1 MB': () => 'lorem ipsum dolor '.repeat(58_000),
  'one word of 1 MB': () => 'a'.repeat(1_000_000),
  'table of 10,000 rows': () =>
    `| a | b | c |\n|---|---|---|\n${Array.from({ length: 10_000 }, (_, row) => `| ${row} | **b** | \`c\` |`).join('\n')}`,
  'code of 50,000 tokens': () =>
    `\`\`\`ts\n${Array.from({ length: 5_000 }, (_, line) => `const value${line} = compute(${line}, 'text') // note`).join('\n')}`,
  'list of 5,000 items': () =>
    Array.from({ length: 5_000 }, (_, item) => `${item + 1}. item **${item}** of the list`).join('\n'),
  '10,000 quote marks': () => '>'.repeat(10_000),
  '4,000 nested list marks': () => '- '.repeat(4_000),
  '30,000 stars, brackets, ticks': () => '*[`_'.repeat(7_500),
  '30,000 opening brackets': () => '['.repeat(30_000),
  'unclosed everything': () => '**bold *it `code [link](http:// ![pic]( $x ~~s '.repeat(500),
  '20,000 open dollar signs': () => '$a '.repeat(20_000),
  'answer of 50,000 tokens': () => answer(50_000),
}
