/** Of journeys that `npm test` makes also where there is no PostgreSQL: one for each thing that everybody does. */
export const short = { tag: '@short' }
