import type { Sample, Server, ServerRef } from '../../../../contract/bridge/values.ts'
import { call, on } from '../../../core/bridge.ts'
import { statusKind } from '../../../core/servers/status.ts'
import { now } from '../../../ui/base/now.ts'

export const columns = ['name', 'status', 'players', 'cpu', 'memory'] as const
export type Column = (typeof columns)[number]

/** Crashed servers need somebody; then what runs. */
const ORDER = [
  'crashed',
  'lost',
  'online',
  'starting',
  'stopping',
  'installing',
  'sleeping',
  'unknown',
  'offline',
]
/** Older readings are no longer current, in ms. */
const CURRENT_MS = 60_000

/** From so many servers on, they can be filtered. */
export const FILTERED_FROM = 12

export const filterServers = () => import('./FilterServers.svelte')

/** Shared by the tables of all connections. */
class TableState {
  needle = $state('')
  sort = $state.raw<{ by: Column; down: boolean } | null>(null)
  picked = $state.raw<ReadonlySet<string>>(new Set())
  #anchor: string | null = null

  sortBy(by: Column): void {
    const down = this.sort?.by === by ? !this.sort.down : by !== 'name' && by !== 'status'
    this.sort = { by, down }
  }

  /** `shown`: keys in the order of the table; with `range`, all since the last one. */
  pick(key: string, shown: readonly string[], isOn: boolean, range: boolean): void {
    const [from, to] = [shown.indexOf(range ? (this.#anchor ?? key) : key), shown.indexOf(key)]
    const keys = from === -1 ? [key] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
    this.pickAll(keys, isOn)
    this.#anchor = key
  }

  pickAll(keys: readonly string[], isOn: boolean): void {
    const rest = [...this.picked].filter((key) => !keys.includes(key))
    this.picked = new Set(isOn ? [...rest, ...keys] : rest)
  }

  matches({ name, group }: Server): boolean {
    const needle = this.needle.trim().toLocaleLowerCase()
    return `${name} ${group ?? ''}`.toLocaleLowerCase().includes(needle)
  }
}

export const tableState = new TableState()

export const keyOf = ({ connectionId, serverId }: ServerRef): string => `${connectionId}\n${serverId}`

let samples = $state.raw<ReadonlyMap<string, Sample>>(new Map())

function keep(key: string, sample: Sample): void {
  samples = new Map(samples).set(key, sample)
}

/** Follows the readings of a server while its row is drawn. */
export function followSamples(server: ServerRef): () => void {
  const key = keyOf(server)
  call('servers.samples', { connectionId: server.connectionId, serverId: server.serverId }).then(
    ({ samples: all }) => {
      const last = all.at(-1)
      if (last) keep(key, last)
    },
    () => undefined,
  )
  return on('sample', ({ sample, ...of }) => {
    if (keyOf(of) === key) keep(key, sample)
  })
}

/** Null while it isn't online, or if nothing current is known. */
export function sampleOf(server: ServerRef, status: Server['status']): Sample | null {
  const sample = samples.get(keyOf(server))
  return sample && statusKind(status) === 'online' && now() - sample.at < CURRENT_MS ? sample : null
}

/** Unknown values come last. */
export function sorted(connectionId: string, servers: readonly Server[]): readonly Server[] {
  const { sort } = tableState
  if (!sort) return servers
  const valueOf = (server: Server): number | null => {
    const sample = () => sampleOf({ connectionId, serverId: server.id }, server.status)
    switch (sort.by) {
      case 'name':
        return 0
      case 'status':
        return ORDER.indexOf(statusKind(server.status))
      case 'players':
        return statusKind(server.status) === 'online' ? (server.players?.online ?? null) : null
      case 'cpu':
        return sample()?.cpu ?? null
      case 'memory':
        return sample()?.memory ?? null
    }
  }
  const by = sort.down ? -1 : 1
  const valued = servers.map((server) => ({ server, value: valueOf(server) }))
  return valued
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return (
        by * (a.value - b.value) || (sort.by === 'name' ? by : 1) * a.server.name.localeCompare(b.server.name)
      )
    })
    .map(({ server }) => server)
}
