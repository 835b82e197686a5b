import { expect, it } from 'vitest'
import { prepareMarkdown } from './prepare-markdown'

it.each([
  [
    'money stays money',
    'from $5 to $10, R$ 3, US$4 or R$5 and $6',
    'from \\$5 to \\$10, R\\$ 3, US\\$4 or R\\$5 and \\$6',
  ],
  ['formulas stay formulas', '$x$, $3x$, $2 + 2$ and $$y$$', '$x$, $3x$, $2 + 2$ and $$y$$'],
  ['the other signs of LaTeX are understood', '\\(a\\) and \\[b\\]', '$a$ and $$b$$'],
  ['code is left alone', '`$HOME` ``a`$b`` and $5', '`$HOME` ``a`$b`` and \\$5'],
  [
    'code in a list is left alone, also while it is written',
    '- a\n  ```sh\n  echo $HOME $5',
    '- a\n  ```sh\n  echo $HOME $5',
  ],
  ['addresses are left alone', 'https://example.org/?$top=1 $5', 'https://example.org/?$top=1 \\$5'],
  ['an escaped sign stays escaped', '\\$5 and \\\\$x$', '\\$5 and \\\\$x$'],
  ['a rule is no deep list', '- - - - - - - - - - - - - - - - - -', '- - - - - - - - - - - - - - - - - -'],
  ['too deep a nesting is text from there on', `${'> '.repeat(13)}x`, `${'> '.repeat(12)}\\> x`],
])('%s', (_promise, source, prepared) => expect(prepareMarkdown(source)).toBe(prepared))
