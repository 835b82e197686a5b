import { type FullLanguage, fullLanguages, type Language, languageOf } from '@parley/contract/languages'
import '../../i18n/later-texts'
import { type SendKey, setSendKey, useSendKey } from '../../data/session/send-key'
import { useTranslation } from '../../i18n/interface-language'
import { enter, mod } from '../../ui/key-names'
import { Segmented } from '../../ui/segmented'
import { Select } from '../../ui/select'
import { setTheme, useTheme } from '../../ui/theme'
import { useChangeLanguage } from './use-change-language'

const languageNames: Record<FullLanguage, string> = { 'en-US': 'English', 'pt-BR': 'Português', 'es-ES': 'Español' }

/**
 * The three full languages, and the page's current one where it is another: otherwise the person could not see or leave
 * it.
 */
function choicesFor(shown: Language): { value: Language; label: string }[] {
  const listed = fullLanguages.map((language) => ({ value: language, label: languageNames[language] }))
  if (listed.some(({ value }) => value === shown)) return listed
  const [base = shown] = shown.split('-')
  return [...listed, { value: shown, label: new Intl.DisplayNames(shown, { type: 'language' }).of(base) ?? shown }]
}

export function AppearanceControls() {
  const { t, language } = useTranslation()
  const theme = useTheme()
  const sendKey = useSendKey()
  const changeLanguage = useChangeLanguage()
  const shown = languageOf(language)
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
        value={shown}
        onChange={(language) => void changeLanguage(language)}
        options={choicesFor(shown)}
      />
      <Segmented<SendKey>
        label={t('settings.sendMessages')}
        value={sendKey}
        onChange={setSendKey}
        options={[
          { value: 'enter', label: t('settings.sendWith', { keys: enter }) },
          { value: 'mod-enter', label: t('settings.sendWith', { keys: `${mod} ${enter}` }) },
        ]}
      />
    </>
  )
}
