import { errorCatalogue } from './error-catalogue'
import { type Language, languageOf } from './languages'

/** A code of the error catalogue. */
export type ErrorCode = keyof typeof errorCatalogue
export type ErrorTexts = Record<ErrorCode, string>

const registered = new Map<Language, ErrorTexts>()

/** Makes a language known to errorText. The server knows all; a page loads the one that it shows. */
export function registerErrorTexts(language: Language, texts: ErrorTexts): void {
  registered.set(language, texts)
}

/** The catalogue's text of a code in the nearest language that is registered, else in English. */
export function errorText(code: ErrorCode, language?: string): string {
  return registered.get(languageOf(language))?.[code] ?? errorCatalogue[code].message
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
}

/** Nothing was asked: there are not enough credits. */
export function isAboutCredits(code: string): boolean {
  return code.startsWith('credits.')
}

/** Thrown wherever a catalogue error happens, on the server, in a local store and by the HTTP client alike. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** HTTP status of the catalogue, or the real one of an answer. */
  readonly status: number
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  readonly issues: { path: string; message: string }[] | undefined
  /**
   * What the server said, where its code is not in the catalogue or it gave none: nothing else tells a person what went
   * wrong.
   */
  readonly said: string | undefined

  constructor(
    code: ErrorCode,
    options: {
      cause?: unknown
      message?: string
      status?: number
      retryAfter?: number
      issues?: { path: string; message: string }[]
      said?: string
    } = {},
  ) {
    super(
      options.message ?? options.said ?? errorText(code),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? errorCatalogue[code].status
    this.retryAfter = options.retryAfter
    this.issues = options.issues
    this.said = options.said
  }
}
