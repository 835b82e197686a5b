import { expect, it } from 'vitest'
import { firstStyles } from '../../../first-styles'

const page = '<body><main class="screen wide"><h1 class="title"></h1><button data-text="x"></button></main></body>'
const of = (sheet: string) => firstStyles(sheet, page)

it('keeps the rules whose classes and elements the first screen has, and of lists those selectors', () => {
  expect(of('.title{color:red}.menu{color:red}h1,h2,.menu{margin:0}table{border:0}*{padding:0}')).toBe(
    '.title{color:red}h1{margin:0}*{padding:0}',
  )
  expect(of('.screen .title>b{top:0}.wide .title{top:1px}.wide.open{top:2px}')).toBe('.wide .title{top:1px}')
})

it('keeps what depends on a state, and on what is set before the app is there', () => {
  const rules = [
    ':root[dir=rtl]{--along:-1}',
    'button:not(:disabled):hover{top:0}',
    '.screen:has(.title,.menu){left:var(--along)}',
    '[dir=rtl] .title:is(.a,.b){top:0}',
    '.screen[data-compact] .title{top:0}',
    'button[data-text=x]:not([data-off]){top:0}',
  ].join('')
  expect(of(rules)).toBe(rules)
})

it('drops what depends on what the app sets', () => {
  const rules = [
    '.screen:has([data-temporary]){top:0}',
    '.title[data-stop]{top:0}',
    'button[data-text=y]{top:0}',
    '[data-drawer] .title{top:0}',
  ]
  for (const rule of rules) expect(of(rule)).toBe('')
})

it('keeps pseudo-elements where one has a content, and drops them where none has', () => {
  const rules = '*,:before,:after{margin:0}@media print{*,:before{top:0}}h1,:after{left:0}:after{right:0}'
  expect(of(rules)).toBe('*{margin:0}@media print{*{top:0}}h1{left:0}')
  const drawn = `${rules}.title:after{content:"x"}`
  expect(of(drawn)).toBe(drawn)
})

it('keeps the custom properties that are used, also by others that are, and no more', () => {
  const rules = ':root{--a:1px;--b:var(--a);--c:var(--d);--d:2px;--e:0 1px 2px #0006,0 0 0 var(--d)}'
  expect(of(`${rules}.title{top:var(--b)}`)).toBe(':root{--a:1px;--b:var(--a);}.title{top:var(--b)}')
  expect(of(`${rules}.title{top:var(--c,var(--b))}`)).toBe(
    ':root{--a:1px;--b:var(--a);--c:var(--d);--d:2px;}.title{top:var(--c,var(--b))}',
  )
})

it('keeps of media queries what is left of them, and no animations', () => {
  expect(of('@media (width<=9px){.title{top:0}.menu{top:0}}@media print{.menu{top:0}}@keyframes in{0%{top:0}}')).toBe(
    '@media (width<=9px){.title{top:0}}',
  )
})

it('keeps the fonts that the first screen is written in, and no others', () => {
  const face = (name: string) => `@font-face{font-family:F;src:url(/assets/${name}-Ab_1-x.woff2)format("woff2")}`
  const first = [face('instrument-sans-core'), face('bricolage-grotesque-core-600-700')].join('')
  expect(of(first + face('instrument-sans-latin') + face('jetbrains-mono-latin-wght-normal'))).toBe(first)
})

it('is not led astray by braces in texts, and refuses a sheet that is cut off', () => {
  expect(of('.title:before{content:"}{"}.menu{top:0}h1{top:0}')).toBe('.title:before{content:"}{"}h1{top:0}')
  expect(() => of('.title{color:red}h1{')).toThrow('not complete')
})
