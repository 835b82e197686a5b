import i18next from 'i18next'
import { laterEnglish } from './later-english'

// Imported for its effect by whatever says one of these texts: they come with it, and are not in the first load.
const add = (): void => void i18next.addResourceBundle('en-US', 'translation', laterEnglish, true)
if (i18next.isInitialized) add()
i18next.on('initialized', add)
