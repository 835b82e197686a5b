import '../../i18n/later-texts'
import { useTranslation } from '../../i18n/interface-language'

/** What leaves the device by a search of the web. */
export default function SearchNote() {
  return useTranslation().t('webSearch.leaves')
}
