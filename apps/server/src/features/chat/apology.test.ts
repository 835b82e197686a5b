import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { finalMessage } from './final-message'

it.each([
  ['en-US', "I apologize, but I'm having trouble generating a response right now. Please try again in a moment."],
  [
    'pt-BR',
    'Peço desculpas, mas estou com dificuldade para gerar uma resposta agora. Tente novamente em alguns instantes.',
  ],
  [
    'es-ES',
    'Lo siento, pero ahora mismo tengo problemas para generar una respuesta. Inténtalo de nuevo en un momento.',
  ],
])('an empty answer is an apology in the language of the person (%s) [CH-183]', (userLanguage, text) => {
  const { message, sha256, length } = finalMessage({ mId: 'm', model: 'x', userLanguage }, ' \n', {})
  expect(message).toMatchObject({ empty: true, chat_response: { content: text } })
  expect({ sha256, length }).toEqual({ sha256: createHash('sha256').update(text).digest('hex'), length: text.length })
})
