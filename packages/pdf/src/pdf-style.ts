/** The light theme's colours on paper. */
export const colours = {
  ink: '#1b1d19',
  soft: '#4a4e45',
  faint: '#62665b',
  line: '#d5d6ca',
  codeBackground: '#f4f4ee',
  bubble: '#f0f0ea',
  link: '#17614a',
  brand: '#17614a',
} as const

export const sizes = { body: 10.5, code: 8.5, title: 20, small: 8.5 } as const
