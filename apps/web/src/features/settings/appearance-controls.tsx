import { type FullLanguage, fullLanguages, type Language, languageOf } from '@parley/contract/languages'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/segmented'
import { Select } from '../../ui/select'
import { setTheme, useTheme } from '../../ui/theme'
import { useChangeLanguage } from './use-change-language'

const languageNames: Record<FullLanguage, string> = { 'en-US': 'English', 'pt-BR': 'Português', 'es-ES': 'Español' }

/** The three, and the one of this page, where it is another: otherwise nothing would say so, and nothing lead back. */
function choicesFor(shown: Language): { value: Language; label: string }[] {
  const listed = fullLanguages.map((language) => ({ value: language, label: languageNames[language] }))
  if (listed.some(({ value }) => value === shown)) return listed
  const [base = shown] = shown.split('-')
  return [...listed, { value: shown, label: new Intl.DisplayNames(shown, { type: 'language' }).of(base) ?? shown }]
}

export function AppearanceControls() {
  const { t, i18n } = useTranslation()
  const theme = useTheme()
  const changeLanguage = useChangeLanguage()
  const shown = languageOf(i18n.language)
  return (
    <>
      <Segmented
        label={t('shell.theme')}
        value={theme}
        onChange={setTheme}
        options={[
          { value: 'light', label: t('shell.themeLight') },
          { value: 'dark', label: t('shell.themeDark') },
          { value: 'system', label: t('shell.themeSystem') },
        ]}
      />
      <Select label={t('shell.language')} value={shown} onChange={(language) => void changeLanguage(language)} options={choicesFor(shown)} />
    </>
  )
}
