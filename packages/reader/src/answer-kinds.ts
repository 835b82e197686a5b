import { fold } from './fold'

// What kind of thing a question asks for, and whether a text has one of the kind. The index has kinds as terms of their
// own: they begin with a sign that no word has.

const money = /[$€£¥]|\b(?:R\$|USD|EUR|BRL|GBP)\b/
const date =
  /\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.? (?:de )?\p{L}{3,10} (?:de )?\d{4}\b/u
const telephone = /\+\d[\d\s().-]{7,}\d/

export function kindsIn(text: string): string[] {
  const kinds: string[] = []
  if (/\d/.test(text)) kinds.push('#number')
  if (money.test(text)) kinds.push('#money')
  if (date.test(text)) kinds.push('#date')
  if (telephone.test(text)) kinds.push('#telephone')
  return kinds
}

const askedBy: [RegExp, string][] = [
  [
    /\bhow (?:much|many|long|far|high|heavy|loud|old|early|late|often|soon)\b|\bcuant[oa]s?\b|\bquant[oa]s?\b|\bhow .{0,20}\b(?:days|weeks|hours|years|months)\b/,
    '#number',
  ],
  [
    /\b(?:what|which|qual|que|cual)\b.{0,30}\b(?:number|limit|length|maximum|weight|depth|sum|price|percent|numero|limite|comprimento|peso|valor|longitud|suma|importe|profundidade|profundidad|maior|mayor|greatest|highest)\b/,
    '#number',
  ],
  [
    /\b(?:how much|price|cost|salary|rent|fee|amount|turnover|revenue|earn|paid?|spen[dt]|sum|excess|quanto|preco|custa|valor|salario|faturamento|franquia|gastou|cuanto|precio|cuesta|importe|suma|facturo|ingresos|franquicia|gasto)\b/,
    '#money',
  ],
  [
    /\b(?:when|until when|what date|first day|quando|ate quando|que dia|primeiro dia|cuando|hasta cuando|primer dia|que fecha)\b/,
    '#date',
  ],
  [/\b(?:phone|telephone|call|telefone|ligar?|telefono|llamar?)\b/, '#telephone'],
]

export function kindsAskedFor(question: string): string[] {
  const folded = fold(question)
  return askedBy.flatMap(([pattern, kind]) => (pattern.test(folded) ? [kind] : []))
}
