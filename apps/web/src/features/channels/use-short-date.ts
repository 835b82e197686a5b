import { useTranslation } from 'react-i18next'

/** A day in words, in the person's language. */
export function useShortDate(): (iso: string) => string {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'long' })
  return (iso) => format.format(new Date(iso))
}
