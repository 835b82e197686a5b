import { type FullLanguage, fullLanguageOf, fullLanguages } from '@parley/contract/languages'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/segmented'
import { Select } from '../../ui/select'
import { setTheme, useTheme } from '../../ui/theme'
import { useChangeLanguage } from './use-change-language'

const languageNames: Record<FullLanguage, string> = { 'en-US': 'English', 'pt-BR': 'Português', 'es-ES': 'Español' }

export function AppearanceControls() {
  const { t, i18n } = useTranslation()
  const theme = useTheme()
  const changeLanguage = useChangeLanguage()
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
      <Select
        label={t('shell.language')}
        value={fullLanguageOf(i18n.language)}
        onChange={(language) => void changeLanguage(language)}
        options={fullLanguages.map((language) => ({ value: language, label: languageNames[language] }))}
      />
    </>
  )
}
