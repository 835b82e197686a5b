/**
 * Of journeys that npm run test:deep and npm run e2e make, and npm test does not: what they show of the parts is shown
 * there by tests of components, the server or the vault, or by another journey.
 */
export const deep = { tag: '@deep' }
