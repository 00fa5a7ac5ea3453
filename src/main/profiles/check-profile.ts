import { api, operations } from '../../contract/areas/index.ts'
import type { Operation, Page } from '../../contract/declarations/operation.ts'
import type { Server } from '../../contract/areas/servers.ts'
import type { ProfileCheck } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../base/problem.ts'
import { type ApiProfile, wireOf } from '../api/profile/profile.ts'

const ASKED_MOST = 20
/** Whose token it is, and which servers there are. */
const ALWAYS: readonly Operation[] = [api.account.me, api.servers.list]

/** The profile with all writes turned off: a check must not change anything. */
export function readsAlone(profile: ApiProfile): ApiProfile {
  const off = operations.filter((op) => {
    const wire = wireOf(op, profile)
    return op.kind !== 'read' || wire.kind === 'off' || wire.method !== 'GET'
  })
  return {
    ...profile,
    operations: { ...profile.operations, ...Object.fromEntries(off.map(({ id }) => [id, { off: true }])) },
  }
}

/** @param client with `readsAlone` of the profile */
export async function checkProfile(client: ApiClient, profile: ApiProfile): Promise<ProfileCheck[]> {
  const named = operations.filter(({ id }) => profile.operations?.[id] !== undefined)
  const asked = [...new Set([...ALWAYS, ...named])].slice(0, ASKED_MOST)
  const checks: ProfileCheck[] = []
  let serverId: string | null = null
  for (const op of asked) {
    const params = paramsOf(op, serverId)
    const readable = op.answer.kind === 'json' || op.answer.kind === 'list'
    if (isOff(op, profile) || !readable || params === null) {
      checks.push({ operation: op.id, outcome: { kind: 'not-asked' } })
      continue
    }
    try {
      const { value } = await client.send(op, { params, query: {} })
      const items = op.answer.kind === 'list' ? (value as Page<unknown>) : null
      if (op.id === api.servers.list.id) serverId = (items as Page<Server> | null)?.items[0]?.id ?? null
      checks.push({
        operation: op.id,
        outcome: { kind: 'read', items: items?.items.length ?? null, leftOut: items?.leftOut.length ?? 0 },
      })
    } catch (error) {
      if (!(error instanceof PanelProblem)) throw error
      checks.push({ operation: op.id, outcome: { kind: 'failed', problem: error.problem } })
    }
  }
  return checks
}

const isOff = (op: Operation, profile: ApiProfile): boolean => {
  const wire = wireOf(op, readsAlone(profile))
  return wire.kind === 'off'
}

function paramsOf({ path }: Operation, serverId: string | null): Record<string, string> | null {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return names.length === 1 && names[0] === 'serverId' && serverId !== null ? { serverId } : null
}
