import type {
  Connection,
  FileEntry,
  ItemResult,
  ListValue,
  SearchHit,
  TrashEntry,
  View,
} from '../../../contract/bridge/values.ts'
import { NO_TRASH, type Outcome, type Problem } from '../../../contract/bridge/problem.ts'
import { panel } from '../../core/panel.svelte.ts'
import type { CallInput, CallName, CallOutput } from '../../core/bridge.ts'
import { asked, ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { joined, nameOf, parentOf } from '../../../contract/rules/paths.ts'

export const server = { connectionId: 'c', serverId: 's' }

export const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'play.example', baseUrl: 'https://play.example', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}

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

export const noTrash: Problem = {
  ...{ code: 'changed', message: 'This service has no trash.', retryable: false, serviceCode: NO_TRASH },
}

/** Main, with the files of one server in memory: enough of it for a list to be moved about in. */
export class FilesMain extends ScriptedBridge {
  readonly folders = new Map<string, FileEntry[]>([['', []]])
  trash: TrashEntry[] = []
  hasTrash = true
  /** What server.properties contains. */
  settings = ''
  status: 'online' | 'stopping' | 'offline' = 'offline'
  hits: SearchHit[] = []
  /** What the service leaves open of its lists of hits and of the trash. */
  open: Partial<Pick<ListValue<unknown>, 'leftOut' | 'more'>> = {}
  favorites: string[] = []
  /** Scopes of the account, where it is not the owner. */
  role: string[] | null = null
  /** Parts that the service does not offer. */
  readonly lacking = new Set<string>()
  /** What fails, by path: the reason. */
  readonly failing = new Map<string, string>()

  constructor() {
    super({
      'view files.list': ({ query }) => this.#folder(query?.path ?? ''),
      'view files.limits': () => ({ ok: true, value: shown(limits) }),
      'view files.trash': () => ({ ok: true, value: shown({ ...list(this.trash), ...this.open }) }),
      'view servers.read': () => ({ ok: true, value: shown({ id: 's', name: 'Meadow', role: this.role }) }),
      'view servers.status': () => ({ ok: true, value: shown({ status: this.status }) }),
      'view servers.list': () => ({
        ok: true,
        value: shown(list([{ id: 's', name: 'Meadow' }])),
      }),
      'files.favorites': () => ({ ok: true, value: this.favorites }),
      'files.set-favorites': ({ paths }) => ({ ok: true, value: (this.favorites = [...paths]) }),
      'view files.jobs': () => ({ ok: true, value: shown(list([])) }),
      'send files.folder': ({ body: { path } }) => {
        const entry = folder(nameOf(path))
        this.#put(path, entry)
        return { ok: true, value: { entry } }
      },
      'files.read-text': ({ path }) => ({
        ok: true,
        value: {
          ...{ path, size: this.settings.length, modifiedAt: null, etag: null },
          content: { kind: 'text', text: this.settings },
        },
      }),
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
      'files.remove': ({ paths, permanent }) => {
        if (!this.hasTrash && !permanent) return { ok: false, problem: noTrash }
        const results = paths.map((path): ItemResult => this.#fails(path) ?? { path, outcome: 'done' })
        const gone = results.filter((result) => result.outcome === 'done').map((result) => result.path)
        const entries = gone.map((path): TrashEntry => ({
          id: `t-${path}`,
          path,
          kind: this.#take(path).kind,
        }))
        const trash = this.hasTrash ? entries : []
        this.trash = [...trash, ...this.trash]
        return { ok: true, value: { results, trash } }
      },
      'files.restore': ({ ids }) => {
        const back = this.trash.filter((entry) => ids.includes(entry.id))
        this.trash = this.trash.filter((entry) => !ids.includes(entry.id))
        for (const entry of back) this.#put(entry.path, file(nameOf(entry.path)))
        return { ok: true, value: { results: ids.map((path): ItemResult => ({ path, outcome: 'done' })) } }
      },
      'send files.purge': ({ body: { ids } }) => {
        this.trash = ids ? this.trash.filter((entry) => !ids.includes(entry.id)) : []
        return { ok: true, value: undefined }
      },
      'view files.search': () => ({ ok: true, value: shown({ ...list(this.hits), ...this.open }) }),
      'send files.cancel': () => ({ ok: true, value: undefined }),
      'transfers.download': () => ({ ok: true, value: { transferId: 'd' } }),
      'transfers.copy': () => ({ ok: true, value: { transferId: 'c' } }),
    })
  }

  override async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>> {
    if (!this.lacking.has(asked(name, input).name)) return super.call(name, input)
    return { ok: false, problem: { code: 'unavailable', message: 'No such operation.', retryable: false } }
  }

  /** Signs the window in to the service and answers the server as its page holds it. */
  signIn(): ServerState {
    panel.take(connection)
    return new ServerState('c', 's')
  }

  /** Names in a folder, as the service would list them. */
  names(path: string): string[] {
    return (this.folders.get(path) ?? []).map((entry) => entry.name)
  }

  inputs(name: string): unknown[] {
    return this.called.filter((call) => call.name === name).map((call) => call.input)
  }

  #folder(
    path: string,
  ): { ok: true; value: View<ListValue<FileEntry>> } | { ok: false; problem: typeof gone } {
    const entries = this.folders.get(path)
    if (!entries) return { ok: false, problem: gone }
    return {
      ok: true,
      value: shown(list(entries.map((entry) => ({ ...entry })))),
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
    const finalPath = taken && conflict === 'keep-both' ? joined(parentOf(to), `${nameOf(to)} (2)`) : to
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

export const list = <T>(items: T[], leftOut: ListValue<T>['leftOut'] = []): ListValue<T> => ({
  items,
  leftOut,
  more: false,
})
