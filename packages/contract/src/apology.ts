import { type FullLanguage, fullLanguageOf } from './languages'

/** Shown instead of an empty or blank answer (document 1, section 8). */
export const apologyText =
  "I apologize, but I'm having trouble generating a response right now. Please try again in a moment."

const apologyTexts = {
  'en-US': apologyText,
  'pt-BR':
    'Peço desculpas, mas estou com dificuldade para gerar uma resposta agora. Tente novamente em alguns instantes.',
  'es-ES': 'Lo siento, pero ahora mismo tengo problemas para generar una respuesta. Inténtalo de nuevo en un momento.',
} as const satisfies Record<FullLanguage, string>

/** What stands in the place of an empty answer, for somebody who reads `language`. */
export const apologyIn = (language: string | undefined): string => apologyTexts[fullLanguageOf(language)]
