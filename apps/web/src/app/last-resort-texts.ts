// These screens appear when something basic failed, perhaps the loading of texts: their own are always here.
import { type FullLanguage, fullLanguageOf } from '@parley/contract/languages'

type Texts = Record<
  'brokenTitle' | 'broken' | 'startTitle' | 'start' | 'kept' | 'reload' | 'clearCache' | 'clearing',
  string
>

const texts: Record<FullLanguage, Texts> = {
  'en-US': {
    brokenTitle: 'Something went wrong',
    broken: 'The page ran into an error and cannot go on.',
    startTitle: 'Initialization Error',
    start: 'Parley could not start in this browser.',
    kept: 'Clearing the cache loads the app anew. Your chats stay on this device.',
    reload: 'Reload',
    clearCache: 'Clear cache',
    clearing: 'Clearing…',
  },
  'pt-BR': {
    brokenTitle: 'Algo deu errado',
    broken: 'A página encontrou um erro e não pode continuar.',
    startTitle: 'Erro de inicialização',
    start: 'O Parley não conseguiu iniciar neste navegador.',
    kept: 'Limpar o cache carrega o aplicativo de novo. Suas conversas continuam neste dispositivo.',
    reload: 'Recarregar',
    clearCache: 'Limpar cache',
    clearing: 'Limpando…',
  },
  'es-ES': {
    brokenTitle: 'Algo salió mal',
    broken: 'La página encontró un error y no puede continuar.',
    startTitle: 'Error de inicialización',
    start: 'Parley no pudo iniciarse en este navegador.',
    kept: 'Vaciar la caché vuelve a cargar la aplicación. Tus chats permanecen en este dispositivo.',
    reload: 'Recargar',
    clearCache: 'Vaciar caché',
    clearing: 'Vaciando…',
  },
}

export function lastResortTexts(language: string): Texts {
  return texts[fullLanguageOf(language)]
}
