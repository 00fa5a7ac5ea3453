import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How long the browser may take to read the file when nothing reports back, in ms. */
const READ_LIMIT = 60_000
/** Our file names. A data folder may have contained other files before. */
const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.html$/

/** Command lines are visible to every local user, so the browser gets a private redirect file instead of a code. */
export class Browser {
  readonly #folder: string
  readonly #start: (file: string) => Promise<unknown>
  readonly #removals = new Set<NodeJS.Timeout>()

  constructor(folder: string, start: (file: string) => Promise<unknown>) {
    this.#folder = folder
    this.#start = start
  }

  /**
   * Opens an address. The file is removed when `reached` resolves, or after a minute without it. Rejects if no browser
   * can be started. A browser that can't read the file, such as a snap, shows its own error.
   */
  async open(address: string, reached?: Promise<void>): Promise<void> {
    const file = join(this.#folder, `${randomUUID()}.html`)
    await writeFile(file, leadingTo(new URL(address).href), { mode: 0o600, flag: 'wx' })
    const remove = () => void rm(file, { force: true }).catch(() => undefined)
    if (reached) void reached.then(remove)
    else {
      const removal = setTimeout(() => {
        this.#removals.delete(removal)
        remove()
      }, READ_LIMIT)
      removal.unref()
      this.#removals.add(removal)
    }
    await this.#start(file)
  }

  async sweep(): Promise<void> {
    for (const removal of this.#removals) clearTimeout(removal)
    this.#removals.clear()
    for (const name of await readdir(this.#folder).catch(() => []))
      if (OURS.test(name)) await rm(join(this.#folder, name), { force: true }).catch(() => undefined)
  }
}

/** A redirecting page. In a URL's `href` only `&` and `'` are special in HTML. */
function leadingTo(href: string): string {
  const address = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<!doctype html>
<meta charset="utf-8" />
<meta name="referrer" content="no-referrer" />
<title>Wheelhouse</title>
<meta http-equiv="refresh" content="0; url=${address}" />
<a href="${address}">Wheelhouse</a>
`
}
