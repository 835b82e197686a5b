import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** The digests of what stands in a page instead of in files of its own, as its policy names them. */
export type InlineCode = { scripts: string[]; styles: string[] }

export const inlineCodeOf = (html: string): InlineCode => ({
  scripts: digests(html, 'script'),
  styles: digests(html, 'style'),
})

/** Of elements without an address, and with no type but that of a module: they hold code. */
const digests = (html: string, element: string): string[] =>
  [...html.matchAll(new RegExp(`<${element}(?: type="module"(?: async)?)?>([\\s\\S]*?)</${element}>`, 'g'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )

/** Adds these digests to the policy of every page. */
export function allowInline(reply: FastifyReply, { scripts, styles }: InlineCode): void {
  const policy = String(reply.getHeader('content-security-policy') ?? reply.raw.getHeader('content-security-policy'))
  reply.header(
    'content-security-policy',
    policy
      .replace("script-src 'self'", ["script-src 'self'", ...scripts].join(' '))
      .replace("style-src 'self'", ["style-src 'self'", ...styles].join(' ')),
  )
}
