import type {
  FileEntry,
  Folder,
  ItemResult,
  SearchHit,
  TrashEntry,
  View,
} from '../../../contract/bridge/values.ts'
import type { Outcome } from '../../../contract/bridge/problem.ts'
import { panel } from '../../app/panel.svelte.ts'
import type { CallInput, CallName, CallOutput } from '../../bridge.ts'
import { ScriptedWay } from '../../scripted-way.fixture.ts'
import { ServerState } from '../server/server-state.svelte.ts'
import { join, nameOf, parentOf } from './paths.ts'

export const server = { connectionId: 'c', serverId: 's' }

export const file = (name: string, size = 10, modifiedAt = '2026-11-20T10:00:00Z'): FileEntry => ({
  name,
  kind: 'file',
  size,
  modifiedAt,
})
export const folder = (name: string): FileEntry => ({
  name,
  kind: 'folder',
  modifiedAt: '2026-11-19T08:00:00Z',
})

/** Main, with the files of one server in memory: enough of it for a list to be moved about in. */
export class FilesMain extends ScriptedWay {
  readonly folders = new Map<string, FileEntry[]>([['', []]])
  trash: TrashEntry[] = []
  /** Paths of deleted files that this computer has kept. */
  former: string[] = []
  hasTrash = true
  /** What a deletion for good cannot keep. */
  lost: { lost: string[]; lostCount: number } = { lost: [], lostCount: 0 }
  hits: SearchHit[] = []
  favourites: string[] = []
  /** Scopes of the account, where it is not the owner. */
  role: string[] | null = null
  /** Parts that the service does not offer. */
  readonly lacking = new Set<CallName>()
  /** What fails, by path: the reason. */
  readonly failing = new Map<string, string>()

  constructor() {
    super({
      'view.folder': ({ path }) => this.#folder(path),
      'view.limits': () => ({ ok: true, value: shown(limits) }),
      'view.trash': () => ({ ok: true, value: shown({ items: this.trash, leftOut: [] }) }),
      'view.server': () => ({ ok: true, value: shown({ id: 's', name: 'Meadow', role: this.role }) }),
      'view.status': () => ({ ok: true, value: shown({ status: 'online' as const }) }),
      'view.servers': () => ({
        ok: true,
        value: shown({ items: [{ id: 's', name: 'Meadow' }], leftOut: [] }),
      }),
      'files.favourites': () => ({ ok: true, value: this.favourites }),
      'files.set-favourites': ({ paths }) => ({ ok: true, value: (this.favourites = [...paths]) }),
      'files.jobs': () => ({ ok: true, value: [] }),
      'files.folder': ({ path }) => {
        this.#put(path, folder(nameOf(path)))
        return { ok: true, value: undefined }
      },
      'files.write-text': ({ path }) => {
        this.#put(path, file(nameOf(path), 0))
        return { ok: true, value: { etag: '"1"', running: false } }
      },
      'files.move': ({ items, conflict }) => ({
        ok: true,
        value: { results: items.map(({ from, to }) => this.#bring(from, to, conflict, true)) },
      }),
      'files.copy': ({ items, conflict }) => ({
        ok: true,
        value: { results: items.map(({ from, to }) => this.#bring(from, to, conflict, false)) },
      }),
      'files.deletion': ({ paths }) => ({
        ok: true,
        value: this.hasTrash ? { trash: true } : { trash: false, kept: paths.length, ...this.lost },
      }),
      'files.bring-back': ({ ids }) => {
        for (const path of ids) this.#put(path, file(nameOf(path)))
        this.former = this.former.filter((path) => !ids.includes(path))
        return { ok: true, value: { results: ids.map((path): ItemResult => ({ path, outcome: 'done' })) } }
      },
      'files.remove': ({ paths }) => {
        const results = paths.map((path): ItemResult => this.#fails(path) ?? { path, outcome: 'done' })
        const gone = results.filter((result) => result.outcome === 'done').map((result) => result.path)
        const entries = gone.map((path): TrashEntry => ({
          id: `t-${path}`,
          path,
          kind: this.#take(path).kind,
        }))
        const trash = this.hasTrash ? entries : []
        this.trash = [...trash, ...this.trash]
        // What was kept here goes by its path.
        const kept = { ids: this.hasTrash ? [] : gone, folders: [] }
        return { ok: true, value: { results, trash, kept } }
      },
      'files.restore': ({ ids }) => {
        const back = this.trash.filter((entry) => ids.includes(entry.id))
        this.trash = this.trash.filter((entry) => !ids.includes(entry.id))
        for (const entry of back) this.#put(entry.path, file(nameOf(entry.path)))
        return { ok: true, value: { results: ids.map((path): ItemResult => ({ path, outcome: 'done' })) } }
      },
      'files.purge': ({ ids }) => {
        this.trash = ids ? this.trash.filter((entry) => !ids.includes(entry.id)) : []
        return { ok: true, value: undefined }
      },
      'files.former': () => ({
        ok: true,
        value: this.former.map((path) => ({
          id: path,
          path,
          size: 10,
          at: '2026-11-20T10:00:00Z',
          because: 'deleted' as const,
        })),
      }),
      'files.search': () => ({ ok: true, value: { items: this.hits, more: false } }),
      'files.cancel-job': () => ({ ok: true, value: undefined }),
      'transfers.download': () => ({ ok: true, value: { transferId: 'd' } }),
      'transfers.copy': () => ({ ok: true, value: { transferId: 'c' } }),
    })
  }

  override async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>> {
    if (!this.lacking.has(name)) return super.call(name, input)
    return { ok: false, problem: { code: 'unavailable', message: 'No such operation.', retryable: false } }
  }

  /** Signs the window in to the service and answers the server as its page holds it. */
  signIn(): ServerState {
    panel.take({
      id: 'c',
      kind: 'service',
      name: 'play.example',
      baseUrl: 'https://play.example',
      user: null,
      state: { kind: 'ready' },
      tokenKept: 'keychain',
      expiresAt: null,
    })
    return new ServerState('c', 's')
  }

  /** Names in a folder, as the service would list them. */
  names(path: string): string[] {
    return (this.folders.get(path) ?? []).map((entry) => entry.name)
  }

  inputs(name: string): unknown[] {
    return this.called.filter((call) => call.name === name).map((call) => call.input)
  }

  #folder(path: string): { ok: true; value: View<Folder> } | { ok: false; problem: typeof gone } {
    const entries = this.folders.get(path)
    if (!entries) return { ok: false, problem: gone }
    return {
      ok: true,
      value: shown({ path, entries: entries.map((entry) => ({ ...entry })), leftOut: [], more: false }),
    }
  }

  #fails(path: string): ItemResult | null {
    const message = this.failing.get(path)
    return message === undefined
      ? null
      : { path, outcome: 'failed', error: { code: 'files.denied', message } }
  }

  #put(path: string, entry: FileEntry): void {
    const entries = this.folders.get(parentOf(path)) ?? []
    this.folders.set(parentOf(path), [...entries.filter((one) => one.name !== entry.name), entry])
    if (entry.kind === 'folder' && !this.folders.has(path)) this.folders.set(path, [])
  }

  #take(path: string): FileEntry {
    const entries = this.folders.get(parentOf(path)) ?? []
    this.folders.set(
      parentOf(path),
      entries.filter((entry) => entry.name !== nameOf(path)),
    )
    return entries.find((entry) => entry.name === nameOf(path)) ?? file(nameOf(path))
  }

  #bring(from: string, to: string, conflict: string, move: boolean): ItemResult {
    const fails = this.#fails(from)
    if (fails) return fails
    const taken = this.names(parentOf(to)).includes(nameOf(to))
    if (taken && conflict === 'refuse') {
      const error = { code: 'files.exists', message: `“${nameOf(to)}” already exists.` }
      return { path: from, outcome: 'failed', error }
    }
    const finalPath = taken && conflict === 'keep-both' ? join(parentOf(to), `${nameOf(to)} (2)`) : to
    const entry = move
      ? this.#take(from)
      : (this.folders.get(parentOf(from))?.find((one) => one.name === nameOf(from)) ?? file(nameOf(from)))
    this.#put(finalPath, { ...entry, name: nameOf(finalPath) })
    return { path: from, outcome: 'done', finalPath }
  }
}

const limits = {
  quotaBytes: 20 * 2 ** 30,
  usedBytes: 3.4 * 2 ** 30,
  freeBytes: 88 * 2 ** 30,
  trash: { maxBytes: 2 ** 30, maxDays: 30 },
}
const gone = { code: 'not-found' as const, message: 'There is no such folder.', retryable: false }

function shown<T>(value: T): View<T> {
  return { value, asOf: new Date().toISOString(), stale: false, problem: null }
}
