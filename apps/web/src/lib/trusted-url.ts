declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy }
  }
}

type ScriptUrlPolicy = { createScriptURL(url: string): string }

let policy: ScriptUrlPolicy | undefined

/** The one way to a worker's URL: the page's policy takes no other, and it lets nothing but our own origin through. */
export function trustedScriptUrl(url: string | URL): string {
  policy ??= globalThis.window?.trustedTypes?.createPolicy('parley', { createScriptURL: ownUrl }) ?? {
    createScriptURL: ownUrl,
  }
  return policy.createScriptURL(String(url))
}

function ownUrl(url: string): string {
  const full = new URL(url, location.href)
  if (full.origin !== location.origin) throw new TypeError(`Refused to run a script of ${full.origin}`)
  return full.href
}
