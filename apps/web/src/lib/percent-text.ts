/** `42%`, as the language writes it. Rounded down: what is not complete is not at 100. */
export function percentText(part: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(Math.floor(part * 100) / 100)
}
