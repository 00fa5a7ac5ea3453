import { createHash } from 'node:crypto'

/**
 * xterm inserts style elements without a nonce, hence `style-src-elem 'unsafe-inline'`; style attributes stay
 * forbidden.
 * @param connect more sources for `connect-src`, such as the browser's socket
 * @param scripts the page's inline scripts; no others run
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

export const scriptsIn = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code)
