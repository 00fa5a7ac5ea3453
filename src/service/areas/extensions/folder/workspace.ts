import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readDataFile, writeDataFile } from '../../../../host/data-file.ts'
import { KeptState, type State } from '../../../../extensions/folder/change.ts'
import { type KnownJar, KnownJars } from '../../../../extensions/folder/known-jar.ts'
import { stagedIn } from '../../../changes/steps.ts'
import type { ServerFiles } from '../../../files/server-files.ts'

const MOST_BYTES = 32 * 1024 * 1024
const KNOWN_MOST = 5000

async function knownIn(file: string): Promise<[string, KnownJar][]> {
  try {
    return KnownJars.parse(JSON.parse((await readDataFile(file, MOST_BYTES)) ?? '[]'))
  } catch {
    return []
  }
}

const STATE = 'state.json'
const KNOWN = 'known.json'

/**
 * Staged files and state, beside the server's folder: on the same disk, so that files move in one step, and deleted
 * with the server.
 */
export class Workspace {
  readonly #files: Pick<ServerFiles, 'staging'>
  state: State = {
    ...{ pinned: [], waiting: [], goesBack: false, last: null, untried: [], error: null, firstRun: 'none' },
  }
  readonly known = new Map<string, KnownJar>()
  readonly preparing = new Set<string>()

  private constructor(files: Pick<ServerFiles, 'staging'>) {
    this.#files = files
  }

  get folder(): string {
    const { staging } = this.#files
    const folder = stagedIn(this.#files)
    if (!existsSync(folder) && existsSync(staging)) mkdirSync(folder, { mode: 0o700 })
    return folder
  }

  static async open(files: Pick<ServerFiles, 'staging'>): Promise<Workspace> {
    const opened = new Workspace(files)
    const isRead = await opened.#read()
    if (opened.state.firstRun === 'begun') opened.state = { ...opened.state, firstRun: 'well', untried: [] }
    for (const [mark, jar] of await knownIn(path.join(opened.folder, KNOWN))) opened.known.set(mark, jar)
    // Without a readable state, any staged file may be needed.
    if (isRead) opened.sweep()
    return opened
  }

  /** An unreadable state is set aside, so that the server can still start. */
  async #read(): Promise<boolean> {
    const file = path.join(this.folder, STATE)
    try {
      const text = await readDataFile(file, MOST_BYTES)
      if (text !== null) this.state = KeptState.parse(JSON.parse(text))
      return true
    } catch {
      renameSync(file, `${file}.unreadable`)
      return false
    }
  }

  save(change: Partial<State>): void {
    const next = { ...this.state, ...change }
    writeDataFile(path.join(this.folder, STATE), `${JSON.stringify(next)}\n`)
    this.state = next
  }

  saveKnown(present: ReadonlySet<string>): void {
    if (this.known.size > KNOWN_MOST)
      for (const mark of [...this.known.keys()]) if (!present.has(mark)) this.known.delete(mark)
    try {
      writeDataFile(path.join(this.folder, KNOWN), JSON.stringify([...this.known]))
    } catch {
      // Only a cache: a full disk must not fail the request.
    }
  }

  staged(name: string): string {
    return path.join(this.folder, name)
  }

  sweep(): void {
    const wanted = new Set(
      this.state.waiting.flatMap(({ steps }) =>
        steps.flatMap(({ from }) => (from.folder === 'staged' ? from.path : [])),
      ),
    )
    for (const name of readdirSync(this.folder))
      if (name.endsWith('.jar') && !wanted.has(name) && !this.preparing.has(name))
        rmSync(this.staged(name), { force: true })
  }
}
