import { fold } from './fold'

/** Words that say nothing of what a text is about, folded: Portuguese, Spanish, English. */
const words = `
a ao aos aquela aquelas aquele aqueles aquilo as ate com como da das de dela dele deles do dos e ela elas ele eles em
entre era eram essa essas esse esses esta estao estas estava este estes eu foi foram ha isso isto ja lhe lhes mais mas me
mesmo meu meus minha minhas muito na nao nas nem no nos nossa nosso num numa o os ou para pela pelas pelo pelos por qual
quais quando quanto quantos quantas quanta que quem sao se seja sem ser sera seu seus so sua suas tambem te tem teve ter
um uma umas uns voce voces onde qualquer cada sobre deve devem pode podem fica ficam
al algo alguno algunos ante antes con cual cuales cuando cuanto cuanta cuantos cuantas del desde donde durante el ella
ellas ellos en eran eres es esa esas ese eso esos fue fueron ha han hasta hay la las le les lo los mi mis muy ni nosotros
otra otros otro para pero poco porque quien quienes sea ser si sin sobre son su sus tambien tanto te tiene tienen todo
todos tu tus un una uno unos y ya yo debe deben puede pueden como cada
about after all also am an and any are at be because been before being between both but by can could did do does doing
down during each few for from further had has have having he her here hers him his how i if in into is it its itself
just more most my no nor not of off on once only or other our out over own same she should so some such than that the
their them then there these they this those through to too under until up very was we were what when where which while
who whom why will with would you your may must shall
`
const stopWords = new Set(
  words
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => fold(word)),
)

export const isStopWord = (folded: string): boolean => stopWords.has(folded)
