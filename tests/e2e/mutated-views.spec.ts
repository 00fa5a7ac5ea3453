import fc from 'fast-check'
import type { Operation } from '../../src/contract/areas/operation.ts'
import { LOST } from '../fixtures/drifting-answers.ts'
import { type Mutation, mutations, truthOf } from '../fixtures/mutated-service.ts'
import { secondService, account } from '../fixtures/second-service/second-service.ts'
import { journeySeeds as seeds } from '../fixtures/seeds.ts'
import { viewOf, visited } from '../fixtures/visited-views.ts'
import { falseStatements, type Seen } from './fixtures/false-statements.ts'
import { expect, test } from './fixtures/journey.ts'
import { connect, type Lane, openLanes } from './fixtures/lanes.ts'

// What is said of a fault is enough to repeat it: a trace of every step, and what moves while it waits, cost the most of all.
test.use({ trace: 'off', contextOptions: { reducedMotion: 'reduce' } })

/** Visits of each view by each seed: `MUTATED_VISITS=N`. */
const VISITS = Number(process.env.MUTATED_VISITS ?? 20)
/** Pages that visit at the same time. */
const LANES = 4

/** Where a view is shown that is not shown by the tab of its area. */
const places: Readonly<Record<string, string>> = {
  'account.me': '#/c/CONNECTION',
  'servers.list': '#/',
  'servers.read-config': '#/c/CONNECTION/s/a/settings',
  'files.trash': '#/c/CONNECTION/s/a/files?trash=1',
  'software.list': '#/c/CONNECTION/create',
  'software.versions': '#/c/CONNECTION/create',
}
const placeOf = ({ id, area }: Operation, { connectionId }: Lane) =>
  (places[id] ?? `#/c/CONNECTION/s/a/${area === 'servers' ? 'overview' : area}`).replace(
    'CONNECTION',
    encodeURIComponent(connectionId),
  )

/** Frames within which a part that is loaded when it is first shown is there. */
const LATE = 120

/** Goes to a view, has its service asked, and answers what is there to be read then. */
const visit = ({ page, host }: Lane, address: string, ref: object, names: string[]): Promise<Seen> =>
  page.evaluate(
    async ([to, asked, connection, wanted, late]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const text = (selector: string) => document.querySelector<HTMLElement>(selector)?.innerText ?? ''
      // The first view has a part for each connection.
      const part = to === '#/' ? `main section[aria-label="${connection}"]` : 'main'
      location.hash = '#/settings'
      await frame()
      location.hash = to
      await frame()
      const outcome = await window.panel.call('view.read', { ...asked, again: true } as never)
      await frame()
      const isThere = () => text(part).trim() !== '' && wanted.every((name) => text(part).includes(name))
      for (let frames = 0; frames < late && !isThere(); frames++) await frame()
      await frame()
      return {
        outcome: outcome as Seen['outcome'],
        main: text(part),
        status: text('main [role=status][aria-label=Status]'),
        rail: text('nav[aria-label=Servers]'),
        own: text(`nav[aria-label=Servers] [role=group][aria-label="${connection}"]`),
        line: text('[role=status][aria-label=Connection]'),
        marked: document.querySelectorAll('main [aria-invalid=true]').length,
      }
    },
    [address, ref, host, names, LATE] as const,
  )

const askAgain = ({ page }: Lane, ref: object): Promise<Seen['outcome']> =>
  page.evaluate(
    async (asked) =>
      (await window.panel.call('view.read', { ...asked, again: true } as never)) as Seen['outcome'],
    ref,
  )

/** Names that have to be there to be read. */
function namesIn({ id }: Operation, { facts }: Mutation): string[] {
  if (!['servers.list', 'files.list'].includes(id) || !Array.isArray(facts)) return []
  const by = id === 'servers.list' ? 'id' : 'name'
  const items = facts as Record<string, string>[]
  return (
    items
      .filter((one, at) => items.findIndex((other) => other[by] === one[by]) === at)
      // As it is read: a page draws several spaces as one.
      .map(({ name = '' }) => name.replaceAll(/ +/g, ' '))
  )
}

/** Visits a view whose read is answered so, and then as it is; answers what was wrong with it. */
async function faultsOf(lane: Lane, op: Operation, mutation: Mutation): Promise<string[]> {
  const ref = viewOf(op, lane.connectionId)
  const names = namesIn(op, mutation)
  lane.service.mutate(op.id, mutation)
  const seen = await visit(lane, placeOf(op, lane), ref, names)
  lane.service.mutate('', null)
  const healed = await askAgain(lane, ref)
  const { outcome } = seen
  const isShown = outcome.ok && outcome.value.problem === null
  const faults = [
    ...(seen.main.trim() === '' ? ['is blank'] : []),
    ...names.filter((name) => !seen.main.includes(name)).map((name) => `does not show ${name}`),
    ...(/Survival/.test(seen.rail) ? [] : ['the other service is gone from the list']),
    ...falseStatements(op, mutation, seen).map((said) => `says "${said}"`),
    ...(mutation.facts !== LOST && !isShown ? ['has the facts and is not shown'] : []),
    ...(healed.ok && healed.value.problem === null ? [] : ['does not recover']),
  ]
  const { kind, status, type, text } = mutation
  return faults.map(
    (fault) =>
      `${op.id} ${fault}, answered ${kind} ${status} ${type} ${text.slice(0, 300)}\n` +
      `  ${JSON.stringify(outcome).slice(0, 300)}\n  ${JSON.stringify([seen.main.slice(0, 400), seen.own, seen.line])}`,
  )
}

test('@browser no view crashes, is blank, or says what is not so, whatever one of its reads answers', async ({
  openPanel,
  place,
  guard,
}) => {
  test.setTimeout(150_000 + VISITS * 8_000)
  const other = await secondService()
  place.atEnd(() => other.close())
  const panel = await openPanel()
  await connect(panel.page, { baseUrl: other.baseUrl, account })
  const lanes = await openLanes(LANES, { panel, guard, place })

  const wrong: string[] = []
  const count = { visits: 0, held: 0, did: 0 }
  const work = async (lane: Lane, mine: readonly Operation[]) => {
    for (const op of mine)
      for (const seed of seeds) {
        const began = performance.now()
        for (const mutation of fc.sample(mutations(op, truthOf(op)), { numRuns: VISITS, seed })) {
          const faults = await faultsOf(lane, op, mutation)
          wrong.push(...faults.map((fault) => `seed ${seed}: ${fault}`))
          count.visits++
          if (mutation.facts === LOST) continue
          count.held++
          if (faults.length === 0) count.did++
        }
        if (process.env.MUTATED_TIMES)
          process.stdout.write(`${op.id}: ${Math.round(performance.now() - began)} ms\n`)
      }
  }
  await Promise.all(
    lanes.map((lane, at) =>
      work(
        lane,
        visited.filter((_, one) => one % LANES === at),
      ),
    ),
  )
  const said = wrong.filter((one) => / says "/.test(one)).length
  process.stdout.write(
    `${count.visits} visits of ${visited.length} views, ${count.did} of ${count.held} whose answers held the facts did ` +
      `their job, false statements: ${said} (FC_SEED=${seeds.join(' and ')})\n`,
  )
  expect(wrong).toEqual([])
})
