// The page that Google sends the person back to, in the popup: it hands what came to the window that opened it, which
// is of this very origin, and closes.
const answer = new URLSearchParams(location.hash.slice(1))
const token = answer.get('id_token')
const state = answer.get('state') ?? ''
history.replaceState(null, '', location.pathname)
const message = token
  ? { type: 'GOOGLE_AUTH_SUCCESS', token, state }
  : { type: 'GOOGLE_AUTH_ERROR', error: answer.get('error') ?? 'unknown', state }
window.opener?.postMessage(message, location.origin)
window.close()
