import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Cache size in bytes: enough for what every page loads first. */
const KEPT_MOST = 512 * 1024

export interface PageFile {
  type: string
  read: () => Promise<Buffer>
}

/** Only mapped files are served, so no path leaves the folder. Throws a readable message if nothing is built. */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  let kept = 0
  const read = async (address: string, type: string, file: string) => {
    const body = await readFile(file)
    // The HTML names the newest files, so it is read each time.
    if (type === types['.html'] || kept + body.length > KEPT_MOST) return body
    kept += body.length
    files.set(address, { type, read: () => Promise.resolve(body) })
    return body
  }
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    throw new Error(`The panel's page is not built: ${folder} is missing. Run \`npm run build\` first.`)
  }
  for (const name of names) {
    const type = types[extname(name)]
    if (!type) continue
    const file = join(folder, name)
    const address = `/${relative(folder, file).split(sep).join('/')}`
    files.set(address, { type, read: () => read(address, type, file) })
  }
  return files
}

/**
 * xterm inserts style elements without a nonce, hence `style-src-elem 'unsafe-inline'`; style attributes stay
 * forbidden.
 * @param connect more sources for `connect-src`, such as the browser's socket
 */
export function contentSecurityPolicy(connect: string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
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
