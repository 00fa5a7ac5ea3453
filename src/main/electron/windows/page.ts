import { protocol } from 'electron'
import type { PageFile } from '../../page/files.ts'
import { contentSecurityPolicy } from '../../page/policy.ts'

const scheme = 'app'
const host = 'panel'

/**
 * Where the page is from, as `WebFrameMain.origin` tells it. `new URL('app://panel').origin` is the word "null" and no
 * use for a comparison.
 */
export const PAGE_ORIGIN = `${scheme}://${host}`
export const PAGE_ADDRESS = `${PAGE_ORIGIN}/index.html`

/** Makes the page's scheme one that Chromium treats like https. To be called before Electron is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the page's built files, and nothing else, under its scheme. */
export function servePage(files: ReadonlyMap<string, PageFile>): void {
  protocol.handle(scheme, (request) => answer(request, files))
}

const always = {
  'Content-Security-Policy': contentSecurityPolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

async function answer(request: Request, files: ReadonlyMap<string, PageFile>): Promise<Response> {
  const refuse = (status: number) => new Response(null, { status, headers: always })
  if (request.method !== 'GET') return refuse(405)
  // Compared as it was sent: what would have to be decoded or shortened first is no name of a built file.
  const prefix = `${PAGE_ORIGIN}/`
  if (!request.url.startsWith(prefix)) return refuse(404)
  const [path = ''] = request.url.slice(prefix.length - 1).split(/[?#]/)
  const file = files.get(path === '/' ? '/index.html' : path)
  if (!file) return refuse(404)
  const body = await file.read().catch(() => null)
  if (!body) return refuse(500)
  return new Response(new Uint8Array(body), { headers: { ...always, 'Content-Type': file.type } })
}
