import { operations } from '../../contract/areas/index.ts'
import type { DriftEntry } from '../../contract/bridge/values.ts'
import { DRIFTS_MOST, type DriftRow } from '../views/cache/tables/drift-table.ts'
import type { ViewStore } from '../views/cache/view-store.ts'
import type { Consoles } from '../console/consoles.ts'
import { baseAddress } from '../base/address.ts'
import { checkProfile } from './check-profile.ts'
import { type ProfileBook, profileFor, writeProfile } from './profile-book.ts'
import { proposeProfile } from './propose-profile.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Connections } from '../accounts/connections.ts'
import type { DriftReports } from '../drift/drift-reports.ts'

export interface ProfileDependencies {
  connections: Connections
  driftReports: DriftReports
  profileBook: ProfileBook
  views: ViewStore
  consoles: Consoles
}

export function serviceCalls(rooms: ProfileDependencies): AreaHandlers<'service'> {
  const { connections, driftReports, profileBook, views, consoles } = rooms
  const { profiles } = connections
  const baseUrlOf = (connectionId: string) => connections.get(connectionId).baseUrl

  /** A profile applies to every account at its service; failed reads may work now. */
  async function apply(baseUrl: string): Promise<void> {
    const there = connections.list().filter((one) => one.baseUrl === baseUrl)
    await Promise.all(
      there.map(async ({ id }) => {
        await connections.retry(id)
        void views.refreshConnection(id)
        consoles.reconnect(id)
      }),
    )
  }

  return {
    async 'service.drift'({ connectionId }) {
      const rows = await driftReports.read(connectionId)
      return { places: rows.map(driftPlace), more: rows.length >= DRIFTS_MOST }
    },
    'service.clear-drift': ({ connectionId }) => driftReports.clear(connectionId),

    async 'service.profile'({ connectionId }) {
      const baseUrl = baseUrlOf(connectionId)
      const { profile, faults } = await profiles.fresh(baseUrl)
      const proposed = proposeProfile(baseUrl, profile, await driftReports.read(connectionId))
      const names = profile?.headers ?? []
      const kept = await profiles.headers.kept(baseUrl, names)
      return {
        text: writeProfile(profile ?? { baseUrl }),
        kept: profile !== null,
        proposed: proposed && writeProfile(proposed),
        headers: names.map((name, at) => ({ name, value: kept[at] ?? 'unknown' })),
        faults: [...faults],
      }
    },
    async 'service.save-profile'({ connectionId, text, values }) {
      const baseUrl = baseUrlOf(connectionId)
      const before = (await profiles.fresh(baseUrl)).profile
      const read = profileFor(baseUrl, text, values)
      if (!read.ok) return { kind: 'faulty', faults: read.faults }
      await profileBook.save(read.profile)
      for (const value of values) await profiles.headers.set(baseUrl, value)
      const kept = new Set(read.profile.headers?.map((name) => name.toLowerCase()))
      const gone = (before?.headers ?? []).filter((name) => !kept.has(name.toLowerCase()))
      await profiles.headers.forget(baseUrl, gone)
      await apply(baseUrl)
      return { kind: 'saved' }
    },
    async 'service.remove-profile'({ connectionId }) {
      const baseUrl = baseUrlOf(connectionId)
      const { profile } = await profiles.fresh(baseUrl)
      await profileBook.remove(baseUrl)
      await profiles.headers.forget(baseUrl, profile?.headers ?? [])
      await apply(baseUrl)
    },
    async 'service.use-names'({ baseUrl: typed }) {
      const baseUrl = baseAddress(typed)
      const { profile } = await profiles.fresh(baseUrl)
      const proposed = proposeProfile(baseUrl, profile, connections.entry.refused.take(baseUrl))
      if (proposed) await profileBook.save(proposed)
      await profiles.load()
      await apply(baseUrl)
    },
    async 'service.check-profile'({ connectionId, text, values }) {
      const read = profileFor(baseUrlOf(connectionId), text, values)
      if (!read.ok) return { kind: 'faulty', faults: read.faults }
      const { profile } = read
      const checks = await connections.probe(connectionId, profile, values, (client) =>
        checkProfile(client, profile),
      )
      return { kind: 'tried', checks }
    },
  }
}

const byId = new Map(operations.map((op) => [op.id, op]))

function driftPlace({ since, ...row }: DriftRow): DriftEntry {
  const op = byId.get(row.operation)
  return { ...row, method: op?.method ?? '', path: op?.path ?? '', since: new Date(since).toISOString() }
}
