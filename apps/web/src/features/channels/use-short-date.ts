import { useTranslation } from '../../i18n/interface-language'

/** Formats a day in the person's language. */
export function useShortDate(): (iso: string) => string {
  const { language } = useTranslation()
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })
  return (iso) => format.format(new Date(iso))
}
