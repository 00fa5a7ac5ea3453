import { expect, test } from 'vitest'
import { type Scope, SCOPES } from '../../../contract/declarations/operation.ts'
import { BOUNDS } from '../../http/limits/bounds.ts'
import { ask, type ScopedCall, ways } from '../../scope-ways.fixture.ts'
import { person, shared } from './access.fixture.ts'

const ASKERS = ['owner', 'collaborator', 'invited', 'removed', 'stranger', 'no token'] as const
type Asker = (typeof ASKERS)[number]
/** To whom nothing of the server was ever granted or offered: what they are told is the same with every scope. */
const WITHOUT_SCOPES: readonly Asker[] = ['owner', 'stranger', 'no token']

/** What is said to somebody at a server where this scope, and the one that all need, was granted or offered. */
function expected(asker: Asker, { needs }: ScopedCall, scope: Scope): string {
  if (asker === 'owner') return 'let in'
  if (asker === 'no token') return '401 auth.token-missing'
  if (asker !== 'collaborator') return '404 server.not-found'
  const holds = needs !== 'owner' && needs.every((one) => one === scope || one === 'server.read')
  return holds ? 'let in' : '403 server.forbidden'
}

test('every operation is asked with every scope by everybody there can be, and each is told what the declarations say', async () => {
  const many = { points: 10_000, seconds: 60 }
  const { service, serverId, owner, other, third, share, invite, list, remove } = await shared({
    bounds: { ...BOUNDS, rates: {} },
    limits: { invitesPerAccount: many, invitesPerPair: many, invitesPerEmail: many },
  })
  const [removed, stranger] = [await person(service, 'removed'), await person(service, 'stranger')]
  const tokens: Record<Asker, string | null> = {
    owner: owner.token,
    collaborator: other.token,
    invited: third.token,
    removed: removed.token,
    stranger: stranger.token,
    'no token': null,
  }
  const wrong: string[] = []
  let asked = 0
  for (const scope of SCOPES) {
    if ((await list(owner)).some(({ id }: { id: string }) => id === other.id)) await remove(owner, other.id)
    await share(other, [scope])
    await invite(owner, third.email, [scope])
    await share(removed, [scope])
    await remove(owner, removed.id)
    const askers = ASKERS.filter((asker) => scope === SCOPES[0] || !WITHOUT_SCOPES.includes(asker))
    for (const way of ways)
      for (const asker of askers) {
        const { answer, said } = await ask(service, way, { serverId, token: tokens[asker], confirm: 'Other' })
        asked++
        const right = expected(asker, way, scope)
        if (said !== right || answer.status === 500)
          wrong.push(`${way.name} by ${asker} with ${scope}: ${said} (${answer.status}), not ${right}`)
        // Whoever was let in to leave has left.
        if (way.name === 'access.leave' && asker === 'collaborator' && said === 'let in')
          await share(other, [scope])
      }
  }
  expect(wrong).toEqual([])
  const withScopes = ASKERS.length - WITHOUT_SCOPES.length
  expect(asked).toBe(ways.length * (SCOPES.length * withScopes + WITHOUT_SCOPES.length))
  process.stdout.write(
    `${ways.length} ways to ask, ${SCOPES.length} scopes, ${ASKERS.length} askers: ${asked} answers\n`,
  )
}, 600_000)
