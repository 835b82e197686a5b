/** What answered was not this server's API: a proxy, or something that is broken. */
export class NotJsonError extends Error {
  override name = 'NotJsonError'
}
