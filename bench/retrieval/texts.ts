// What the documents of the benchmark are filled with: names and numbers, and prose that speaks of the same things as
// their facts without stating any.
export type Language = 'en' | 'pt' | 'es'

const names =
  'Marta Oliveira,João Batista Cunha,Inés Robledo,Samuel Okafor,Lívia Prates,Tomás Echeverría,Greta Lindqvist,Rui Sampaio,Carmen Ulloa,Noah Whitfield,Beatriz Antunes,Diego Salcedo,Ada Kowalczyk,Caio Moreira,Pilar Aranda,Oscar Fenwick,Helena Duarte,Julián Cortés,Mina Harcourt,Otávio Rezende,Lucía Zabala'.split(
    ',',
  )
const firms =
  'Norvale,Quintela,Brisamar,Halden,Tavira Sul,Puerto Azul,Lindgren & Filhos,Marisco,Altamira,Kestrel,Ouro Verde,Santillana,Fenmark,Barcelos,Cordillera,Ashgrove,Pedra Alta,Montesol,Ravenhill,Lagoa Nova,Río Claro'.split(
    ',',
  )
const cities =
  'Lisboa,Recife,Sevilla,Leeds,Curitiba,Rosario,Bergen,Faro,Cádiz,Dover,Natal,Bilbao,Gdansk,Olinda,Vigo,Hull,Braga,Mérida,Cork,Santos,Gijón'.split(
    ',',
  )
const streets =
  'Rua das Flores,Calle Mayor,Elm Row,Travessa do Cais,Paseo del Norte,Mill Lane,Rua Augusta,Calle Luna,Station Road,Largo da Sé,Plaza Vieja,Abbey Close,Rua do Sol,Calle Toledo,Quay Street,Beco do Mel,Ronda Sur,Orchard Way,Rua Nova,Calle Olmo,Hill Crescent'.split(
    ',',
  )

/** The values of a document, each number in it another one. */
export function valuesOf(index: number, language: Language, random: (below: number) => number): Record<string, string> {
  const used = new Set<number>()
  const unused = (from: number, below: number): number => {
    const value = from + random(below - from)
    if (used.has(value)) return unused(from, below)
    used.add(value)
    return value
  }
  const money = (value: number) => {
    const text = value.toLocaleString('en-US')
    return language === 'en'
      ? `$${text}.00`
      : language === 'pt'
        ? `R$ ${text.replace(',', '.')},00`
        : `${text.replace(',', '.')},00 €`
  }
  const date = () => `${1 + random(28)}/${1 + random(12)}/20${25 + random(9)}`
  const pick = (list: readonly string[]) => `${list[(index * 5 + 3) % list.length]}`
  const letter = () => String.fromCharCode(65 + random(26))
  const numbers = Array.from({ length: 9 }, (_, n) => [`n${n + 1}`, String(unused(11, n < 2 ? 60 : 990))])
  const sums = Array.from({ length: 4 }, (_, n) => [`m${n + 1}`, money(unused(1_000, 9_990))])
  return {
    ...Object.fromEntries([...numbers, ...sums]),
    ...{ name: pick(names), firm: pick(firms), city: pick(cities), street: `${pick(streets)} ${11 + index}` },
    ...{ date: date(), date2: date(), phone: `+${30 + random(60)} ${100 + random(900)} ${1000 + random(9000)}` },
    code: `${letter()}${letter()}-${1000 + random(9000)}`,
  }
}

const topics: Record<Language, string> = {
  en: 'rent,deposit,notice,pets,repairs,keys,salary,holidays,working time,trial period,overtime,hose,filter,noise,warranty,spare parts,revenue,loss,dividend,employees,emissions,roof,votes,lift,reserve,meeting,medical costs,excess,baggage,dentist,diving,tokens,rate limit,webhooks,errors,versions,water meter,laptop,bicycles,telephone',
  pt: 'aluguel,caução,aviso,animais,reparos,chaves,salário,férias,jornada,experiência,horas extras,mangueira,filtro,ruído,garantia,peças,receita,prejuízo,dividendos,funcionários,emissões,telhado,votos,elevador,reserva,reunião,despesas médicas,franquia,bagagem,dentista,mergulho,tokens,limite de chamadas,webhooks,erros,versões,hidrômetro,notebook,bicicletas,telefone',
  es: 'alquiler,fianza,preaviso,mascotas,reparaciones,llaves,salario,vacaciones,jornada,prueba,horas extra,manguera,filtro,ruido,garantía,repuestos,ingresos,pérdida,dividendos,empleados,emisiones,tejado,votos,ascensor,reserva,reunión,gastos médicos,franquicia,equipaje,dentista,buceo,tokens,límite de llamadas,webhooks,errores,versiones,contador de agua,portátil,bicicletas,teléfono',
}

const sentences: Record<Language, string> = {
  en: 'Questions about the {a} are answered by the office on working days.|What is written here on the {a} replaces earlier letters about the {b}.|{name} received a copy of the leaflet on the {a} and signed for it.|Nobody may change the rules on the {a} without hearing those who are affected by the {b}.|The {a} was discussed at length, but nothing was decided.|{firm} keeps the papers on the {a} for the time that the law asks for.|For the {b} the same applies as for the {a}, unless something else was agreed.|Experience shows that the {a} is often confused with the {b}.|In {city} other customs may hold for the {a}; they do not matter here.|Whoever reads this should know the terms used for the {a}.|An overview of the {a} and of the {b} is kept up to date by {firm}.|Comments on the {a} can be sent in any form.|The leaflet on the {a} has {x} pages and was printed on {d}.|Paragraph {x} on the {b} stays as it is.|Only {x} letters on the {a} arrived, and a fee of {c} was refunded.',
  pt: 'Dúvidas sobre {a} são respondidas pelo escritório em dias úteis.|O que consta aqui sobre {a} substitui cartas anteriores sobre {b}.|{name} recebeu uma cópia do folheto sobre {a} e assinou o recibo.|Ninguém pode mudar as regras de {a} sem ouvir os atingidos por {b}.|O tema {a} foi discutido longamente, mas nada se decidiu.|A {firm} guarda os papéis sobre {a} pelo tempo que a lei pede.|Para {b} vale o mesmo que para {a}, salvo acordo diferente.|A experiência mostra que {a} se confunde muitas vezes com {b}.|Em {city} podem existir outros costumes para {a}; aqui não importam.|Quem lê este texto deve conhecer os termos usados em {a}.|Um resumo de {a} e de {b} é mantido em dia pela {firm}.|Comentários sobre {a} podem ser enviados de qualquer forma.|O folheto sobre {a} tem {x} páginas e foi impresso em {d}.|O parágrafo {x} sobre {b} fica como está.|Chegaram só {x} cartas sobre {a}, e uma taxa de {c} foi devolvida.',
  es: 'Las dudas sobre {a} las responde la oficina en días laborables.|Lo que aquí consta sobre {a} sustituye cartas anteriores sobre {b}.|{name} recibió una copia del folleto sobre {a} y firmó el recibo.|Nadie puede cambiar las reglas de {a} sin oír a los afectados por {b}.|El tema {a} se discutió largamente, pero nada se decidió.|{firm} guarda los papeles sobre {a} durante el tiempo que pide la ley.|Para {b} vale lo mismo que para {a}, salvo otro acuerdo.|La experiencia muestra que {a} se confunde a menudo con {b}.|En {city} puede haber otras costumbres para {a}; aquí no importan.|Quien lea este texto debe conocer los términos usados en {a}.|Un resumen de {a} y de {b} lo mantiene al día {firm}.|Los comentarios sobre {a} se pueden enviar de cualquier forma.|El folleto sobre {a} tiene {x} páginas y se imprimió el {d}.|El párrafo {x} sobre {b} queda como está.|Solo llegaron {x} cartas sobre {a}, y se devolvió una tasa de {c}.',
}

export const fillerHeadings: Record<Language, string> = {
  en: 'Scope|Terms|Procedure|Responsibilities|History|Records|Communication|Remarks',
  pt: 'Alcance|Termos|Procedimento|Responsabilidades|Histórico|Registros|Comunicação|Observações',
  es: 'Alcance|Términos|Procedimiento|Responsabilidades|Historia|Registros|Comunicación|Observaciones',
}

export function fillerParagraph(language: Language, values: Record<string, string>, random: (below: number) => number) {
  const words = topics[language].split(',')
  const all = sentences[language].split('|')
  return Array.from({ length: 3 + random(4) }, () => {
    const topic = {
      ...{ a: words[random(words.length)] ?? '', b: words[random(words.length)] ?? '' },
      ...{ x: String(2 + random(40)), d: `${1 + random(28)}/${1 + random(12)}/2019` },
      c:
        language === 'en'
          ? `$${10 + random(90)}.00`
          : language === 'pt'
            ? `R$ ${10 + random(90)},00`
            : `${10 + random(90)},00 €`,
    }
    return filled(all[random(all.length)] ?? '', { ...values, ...topic })
  }).join(' ')
}

export const filled = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
