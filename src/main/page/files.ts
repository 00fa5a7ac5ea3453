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

/** A built file of the page. */
export interface PageFile {
  type: string
  read: () => Promise<Buffer>
}

/**
 * The built files of the page by address, such as `/assets/main-1a2b.js`. Only what the map holds can be asked for, so
 * that no address leads out of the folder. Throws a sentence where nothing is built.
 */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
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
    files.set(`/${relative(folder, file).split(sep).join('/')}`, { type, read: () => readFile(file) })
  }
  return files
}
