import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How long a browser may take to read the file of an address that says nothing when it was opened, ms. */
const READ_LIMIT = 60_000
/** Names of the files made here. In a data folder that was somebody's before, others may lie beside them. */
const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.html$/

/**
 * The person's browser. Every user of a computer can read the arguments of its programs, and an address may hold a code:
 * the browser is given a file instead that only this user can read, which leads it there.
 */
export class Browser {
  readonly #folder: string
  readonly #start: (file: string) => Promise<unknown>
  readonly #removals = new Set<NodeJS.Timeout>()

  /** @param folder for this user alone, and for nothing else @param start opens a file with the browser */
  constructor(folder: string, start: (file: string) => Promise<unknown>) {
    this.#folder = folder
    this.#start = start
  }

  /**
   * Opens an address. The file is removed when `reached` resolves, or after a minute where nobody can tell. Rejects where
   * no browser can be started; one that cannot read the file, such as one that a snap confines, says so itself.
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

  /** Removes all files, those of an earlier run that crashed too. */
  async sweep(): Promise<void> {
    for (const removal of this.#removals) clearTimeout(removal)
    this.#removals.clear()
    for (const name of await readdir(this.#folder).catch(() => []))
      if (OURS.test(name)) await rm(join(this.#folder, name), { force: true }).catch(() => undefined)
  }
}

/** A page that leads on at once. `href` of a URL holds no sign that means anything in HTML but `&` and `'`. */
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
