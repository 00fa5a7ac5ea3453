import { protocol } from 'electron'
import { type PageFile, contentSecurityPolicy } from '../../page/files.ts'

const scheme = 'app'
const host = 'panel'

/** As in `WebFrameMain.origin`. `new URL('app://panel').origin` is the string "null". */
export const PAGE_ORIGIN = `${scheme}://${host}`
export const PAGE_ADDRESS = `${PAGE_ORIGIN}/index.html`

/** Makes Chromium treat the scheme like https. Call before Electron is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

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
  // Compare the raw URL: a built file's name needs no decoding or normalizing.
  const prefix = `${PAGE_ORIGIN}/`
  if (!request.url.startsWith(prefix)) return refuse(404)
  const [path = ''] = request.url.slice(prefix.length - 1).split(/[?#]/)
  const file = files.get(path === '/' ? '/index.html' : path)
  if (!file) return refuse(404)
  const body = await file.read().catch(() => null)
  if (!body) return refuse(500)
  return new Response(new Uint8Array(body), { headers: { ...always, 'Content-Type': file.type } })
}
