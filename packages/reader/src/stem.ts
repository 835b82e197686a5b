/**
 * Endings by language do not matter where all three are cut to the same stem: longest first, least stem that is left.
 */
const endings: [ending: string, stays: string, least: number][] = [
  ['amientos', '', 4],
  ['imientos', '', 4],
  ['amiento', '', 4],
  ['imiento', '', 4],
  ['amentos', '', 3],
  ['imentos', '', 4],
  ['amento', '', 3],
  ['imento', '', 4],
  ['aciones', '', 3],
  ['iciones', '', 4],
  ['adores', '', 4],
  ['adoras', '', 4],
  ['acoes', '', 3],
  ['icoes', '', 4],
  ['ations', '', 3],
  ['ation', '', 3],
  ['acion', '', 3],
  ['icion', '', 4],
  ['ciones', 'c', 3],
  ['amente', '', 4],
  ['mente', '', 4],
  ['ments', '', 4],
  ['ment', '', 4],
  ['dades', 'd', 4],
  ['dade', 'd', 4],
  ['idades', '', 4],
  ['idade', '', 4],
  ['idad', '', 4],
  ['tions', 't', 3],
  ['tion', 't', 3],
  ['coes', 'c', 3],
  ['cao', 'c', 3],
  ['cion', 'c', 3],
  ['soes', 's', 3],
  ['sao', 's', 4],
  ['ador', '', 4],
  ['adora', '', 4],
  ['ingly', '', 4],
  ['edly', '', 4],
  ['ings', '', 4],
  ['ing', '', 4],
  ['aram', '', 4],
  ['eram', '', 4],
  ['iram', '', 4],
  ['aron', '', 4],
  ['ieron', '', 4],
  ['avam', '', 4],
  ['aban', '', 4],
  ['ando', '', 4],
  ['endo', '', 4],
  ['indo', '', 4],
  ['iendo', '', 4],
  ['ados', '', 4],
  ['adas', '', 4],
  ['idos', '', 4],
  ['idas', '', 4],
  ['ado', '', 4],
  ['ada', '', 4],
  ['ido', '', 4],
  ['ida', '', 4],
  ['amos', '', 4],
  ['emos', '', 4],
  ['imos', '', 4],
  ['ers', '', 4],
  ['ies', '', 3],
  ['ied', '', 3],
  ['aes', 'a', 3],
  ['oes', '', 3],
  ['ais', 'al', 3],
  ['eis', 'el', 3],
  ['ois', 'ol', 3],
  ['ns', 'm', 3],
  ['ed', '', 4],
  ['er', '', 4],
  ['ar', '', 3],
  ['ir', '', 3],
  ['ou', '', 4],
  ['es', '', 4],
  ['ly', '', 4],
  ['ao', '', 3],
  ['os', '', 3],
  ['as', '', 3],
  ['s', '', 3],
  ['o', '', 4],
  ['a', '', 4],
  ['e', '', 4],
  ['y', '', 3],
].sort(([one], [other]) => String(other).length - String(one).length) as [string, string, number][]

const byLastLetter = new Map<string, typeof endings>()
for (const ending of endings) {
  const last = ending[0].at(-1) ?? ''
  byLastLetter.set(last, [...(byLastLetter.get(last) ?? []), ending])
}

const stems = new Map<string, string>()
const maxStems = 50_000

/** A light stem of a folded word: what is left without its most usual endings in Portuguese, Spanish and English. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  const found = stemOf(word)
  if (stems.size >= maxStems) stems.clear()
  stems.set(word, found)
  return found
}

function stemOf(word: string): string {
  for (const [ending, stays, least] of byLastLetter.get(word.at(-1) ?? '') ?? []) {
    if (word.length - ending.length < least || !word.endsWith(ending)) continue
    const left = word.slice(0, word.length - ending.length)
    if (ending === 's' && left.endsWith('s')) return word
    const bare = left + stays
    // "planned" is "plan", "hopes" and "hope" are "hop".
    if (/(?:ing|ed|er|ers)$/.test(ending) && /([bdglmnprt])\1$/.test(bare)) return bare.slice(0, -1)
    return bare.length > 4 ? bare.replace(/[aoei]$/, '') : bare
  }
  return word
}
