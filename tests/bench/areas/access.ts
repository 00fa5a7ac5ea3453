import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '../../../src/contract/areas/index.ts'
import { SCOPES, type Scope } from '../../../src/contract/declarations/operation.ts'
import {
  type AccessRequest,
  type RequiredScopes,
  requireAccess,
  type ServerAccess,
} from '../../../src/service/base/access.ts'
import { heldIn } from '../../../src/service/app.ts'
import { systemClock } from '../../../src/service/base/clock.ts'
import { Refusal } from '../../../src/service/base/refusal.ts'
import { openStore, type Store } from '../../../src/service/store/store.ts'
import { median, type Outcome } from '../table.ts'

const ROUNDS = 20
/** Servers and members beside those that are asked for, as a service of some size has them. */
const SERVERS = 2000
const MEMBERS = 40
/** Of one check, in microseconds: a hundredth of what a request takes. */
const TARGET = 100

/** Who asks, by the account's name, and what is held there; null for a stranger. */
const holdings = new Map<string, 'owner' | readonly Scope[] | null>([
  ['owner', 'owner'],
  ['all', SCOPES],
  ['none', []],
  ['stranger', null],
  ...SCOPES.map((scope): [string, Scope[]] => [`with ${scope}`, [scope]]),
  ...SCOPES.map((scope): [string, Scope[]] => [
    `without ${scope}`,
    SCOPES.filter((other) => other !== scope),
  ]),
])

/** The check that each request to a server begins with: every operation × every holding, by the real store. */
export async function benchAccess(): Promise<Omit<Outcome, 'bench'>> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-access-'))
  const store = await openStore(join(folder, 'service.db'), { clock: systemClock })
  try {
    fill(store)
    const access: ServerAccess = {
      byId: (serverId) => store.servers.byId(serverId),
      held: heldIn(store),
      isGoing: () => false,
    }
    const cells = cellsOf()
    let wrong = 0
    for (const { ask, allowed } of cells) if (isAllowed(access, ask) !== allowed) wrong += 1
    const each = Array.from({ length: ROUNDS }, () => {
      const begun = performance.now()
      for (const { ask } of cells) isAllowed(access, ask)
      return ((performance.now() - begun) / cells.length) * 1000
    })
    const bare = Array.from({ length: ROUNDS }, () => {
      const begun = performance.now()
      for (const { ask } of cells) {
        store.servers.byId(ask.serverId)
        store.sharing.held(ask.serverId, ask.accountId)
      }
      return ((performance.now() - begun) / cells.length) * 1000
    })
    const one = median(each)
    return {
      figures: [
        {
          name: 'access matrix, one check',
          ...{ value: one, unit: 'µs', limit: median(bare), target: TARGET },
          note: `${perSecond(one)} checks a second; ${cells.length} cells, ${ROUNDS} rounds, ${wrong} wrong; limit: the rows it goes by`,
        },
      ],
      lost: wrong,
    }
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const perSecond = (us: number): string => Math.round(1e6 / us).toLocaleString('en-GB')

/** Every way an operation of a server can be asked, by everybody. */
function cellsOf(): { ask: AccessRequest; allowed: boolean }[] {
  return operations.flatMap(({ scope, kind }) => {
    if (scope === null) return []
    const ways: RequiredScopes[] =
      typeof scope === 'object' ? Object.values(scope.needs) : [scope === 'owner' ? scope : [scope]]
    return ways.flatMap((needs) =>
      [...holdings].map(([accountId, held]) => ({
        ask: { accountId, serverId: 'server-0', needs, changes: kind === 'write' },
        allowed: suffices(held, needs),
      })),
    )
  })
}

function suffices(held: 'owner' | readonly Scope[] | null, needs: RequiredScopes): boolean {
  if (held === null || held === 'owner') return held === 'owner'
  return needs !== 'owner' && needs.every((scope) => held.includes(scope))
}

function isAllowed(access: ServerAccess, ask: AccessRequest): boolean {
  try {
    requireAccess(access, ask)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function fill(store: Store): void {
  store.inOneStep(() => {
    const others = Array.from({ length: MEMBERS }, (_, at) => `other-${at}`)
    for (const id of [...holdings.keys(), ...others])
      store.accounts.insert({
        ...{ id, email: `${id.replaceAll(' ', '-')}@example.org`, name: id, language: null },
        ...{ passwordHash: null, confirmedAt: 1, createdAt: 1 },
      })
    for (let at = 0; at < SERVERS; at++)
      store.servers.insert({
        ...{ id: `server-${at}`, ownerId: 'owner', name: `Server ${at}`, memoryMb: 512, port: 20_000 + at },
        ...{ softwareId: 'demo', softwareVersion: '1', createdAt: 1 },
      })
    for (const id of others)
      for (let at = 0; at < SERVERS; at += 10) store.sharing.grant(`server-${at}`, id, SCOPES, 1)
    for (const [id, held] of holdings)
      if (held !== null && held !== 'owner') store.sharing.grant('server-0', id, held, 1)
  })
}
