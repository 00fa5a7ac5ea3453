import { operations } from '../../contract/areas/index.ts'
import { say } from '../../contract/messages/say.ts'
import { problem } from '../api/problem.ts'
import type { DriftPlace } from '../../contract/bridge/values.ts'
import type { DriftRow } from '../cache/drift-table.ts'
import { checkProfile } from './check-profile.ts'
import { type ProfileBook, profileFor, writeProfile } from './profile-book.ts'
import { proposeProfile } from './propose-profile.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Connections } from '../accounts/connections.ts'
import type { DriftReports } from '../drift/drift-reports.ts'

/** What the calls of a service’s differences work with. */
export interface ProfileRooms {
  connections: Connections
  driftReports: DriftReports
  profileBook: ProfileBook
}

/** How a service differs from the contract, and what a person tells the panel of that. */
export function serviceCalls({
  connections,
  driftReports,
  profileBook,
}: ProfileRooms): AreaHandlers<'service'> {
  const baseUrlOf = (connectionId: string) => connections.get(connectionId).baseUrl
  return {
    'service.drift': async ({ connectionId }) => (await driftReports.read(connectionId)).map(driftPlace),
    'service.clear-drift': ({ connectionId }) => driftReports.clear(connectionId),

    async 'service.profile'({ connectionId }) {
      const baseUrl = baseUrlOf(connectionId)
      const { profile, faults } = await connections.profiles.fresh(baseUrl)
      const proposed = proposeProfile(baseUrl, profile, await driftReports.read(connectionId))
      const names = profile?.headers ?? []
      const values = await connections.profiles.headers.of(baseUrl, names)
      return {
        text: writeProfile(profile ?? { baseUrl }),
        kept: profile !== null,
        proposed: proposed && writeProfile(proposed),
        headers: names.map((name) => ({ name, set: Object.hasOwn(values, name.toLowerCase()) })),
        faults: [...faults],
      }
    },
    async 'service.save-profile'({ connectionId, text }) {
      const baseUrl = baseUrlOf(connectionId)
      const before = (await connections.profiles.fresh(baseUrl)).profile
      const profile = profileFor(baseUrl, text)
      await profileBook.save(profile)
      const kept = new Set(profile.headers?.map((name) => name.toLowerCase()))
      const gone = (before?.headers ?? []).filter((name) => !kept.has(name.toLowerCase()))
      await connections.profiles.headers.forget(baseUrl, gone)
      await connections.retry(connectionId)
    },
    async 'service.remove-profile'({ connectionId }) {
      const baseUrl = baseUrlOf(connectionId)
      const { profile } = await connections.profiles.fresh(baseUrl)
      await profileBook.remove(baseUrl)
      await connections.profiles.headers.forget(baseUrl, profile?.headers ?? [])
      await connections.retry(connectionId)
    },
    async 'service.check-profile'({ connectionId, text }) {
      const profile = profileFor(baseUrlOf(connectionId), text)
      return connections.probe(connectionId, profile, (client) => checkProfile(client, profile))
    },
    async 'service.set-header'({ connectionId, name, value }) {
      const baseUrl = baseUrlOf(connectionId)
      const { profile } = await connections.profiles.fresh(baseUrl)
      const known = profile?.headers?.find((one) => one.toLowerCase() === name.toLowerCase())
      if (known === undefined) throw problem('invalid', say('profile.no-header', { name }))
      await connections.profiles.headers.set(baseUrl, known, value)
    },
  }
}

const byId = new Map(operations.map((op) => [op.id, op]))

function driftPlace({ since, ...row }: DriftRow): DriftPlace {
  const op = byId.get(row.operation)
  return { ...row, method: op?.method ?? '', path: op?.path ?? '', since: new Date(since).toISOString() }
}
