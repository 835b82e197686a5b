import { addTexts } from './interface-language'
import { laterEnglish } from './later-english'

// Imported for its effect by whatever says one of these texts: they come with it, and are not in the first load.
addTexts('en-US', laterEnglish)
