import { createHash } from 'node:crypto'

/**
 * The content security policy of the panel's page. xterm inserts style elements without a nonce, hence
 * `style-src-elem 'unsafe-inline'`; style attributes stay forbidden.
 * @param connect further sources for `connect-src`, such as the socket of the browser's way in
 * @param scripts those that stand in the page itself: no others may
 */
export function contentSecurityPolicy(connect: string[] = [], scripts: string[] = []): string {
  const hashes = scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self'",
    "style-src-elem 'self' 'unsafe-inline'",
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ].join('; ')
}

/** The scripts that stand in a page we built. */
export const scriptsIn = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code)
