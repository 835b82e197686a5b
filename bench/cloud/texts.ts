// Messages as people and models write them: several languages, a few words in most messages, most words in few.

const sentences = [
  'How do I keep the tests of a service independent of its database?',
  'The system answers within two hundred milliseconds when the index fits into memory.',
  'You can write the query so that it reads only the rows that belong to one person.',
  'What would you change in this paragraph to make it easier to read?',
  'Here is a short plan: first measure, then change one thing, then measure again.',
  'Como posso organizar as aulas de programação para crianças de dez anos?',
  'O coração da questão é a atenção: não há solução sem informação.',
  'A reunião de amanhã será às nove horas, na praça de São João.',
  'Você pode escrever o código em três partes, e testar cada uma delas.',
  '¿Qué diferencia hay entre una función y un método en este lenguaje?',
  'El niño preguntó cuántos años tardaría la luz en llegar hasta aquí.',
  'La conexión con el servidor se perdió después de veinte minutos.',
  'Wie groß müßte der Speicher sein, damit die Suche schnell bleibt?',
  'Für die Lösung braucht man zuerst eine gute Übersicht über die Daten.',
  'Pourriez-vous résumer ce texte en trois phrases, sans les détails techniques ?',
  'L’été dernier, nous avons préféré voyager à l’étranger plutôt qu’à la maison.',
  'Сколько времени занимает обработка большого файла на этом сервере?',
  'Сначала проверьте соединение, затем повторите запрос ещё раз.',
  '東京タワーはどこにありますか。港区にあります。',
  '数据库的索引可以让搜索更快，但是写入会变慢。',
  'كيف يمكنني كتابة رسالة رسمية إلى صاحب العمل؟',
] as const

const syllables = [
  'ka',
  'lo',
  'mi',
  'ter',
  'ven',
  'so',
  'pra',
  'du',
  'gen',
  'ri',
  'bal',
  'to',
  'ne',
  'fi',
  'cor',
  'ze',
  'hum',
  'la',
  'po',
  'sti',
]

/** The same numbers in every run, from 0 to below 1. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One of some 30,000 words; the tenth word is ten times as rare as the first. */
function word(next: () => number): string {
  let rank = Math.floor(30_000 ** next())
  let text = ''
  do {
    text += syllables[rank % syllables.length] ?? ''
    rank = Math.floor(rank / syllables.length)
  } while (rank > 0)
  return text.length < 4 ? `${text}n` : text
}

const sentence = (next: () => number): string =>
  next() < 0.5
    ? (sentences[Math.floor(next() * sentences.length)] ?? '')
    : `${Array.from({ length: 6 + Math.floor(next() * 12) }, () => word(next)).join(' ')}.`

/** A question of one sentence or two, and an answer of three to fifteen. */
export function exchange(next: () => number): { question: string; answer: string } {
  const some = (count: number): string => Array.from({ length: count }, () => sentence(next)).join(' ')
  return { question: some(next() < 0.7 ? 1 : 2), answer: some(3 + Math.floor(next() * 13)) }
}
