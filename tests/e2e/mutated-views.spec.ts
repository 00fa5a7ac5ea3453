import type { Operation } from '../../src/contract/declarations/operation.ts'
import { LOST } from '../doubles/services/drifting-answers.ts'
import { drawMutations, type Mutation, truthOf } from '../doubles/services/mutated-service.ts'
import { secondService, account } from '../doubles/services/second-service/second-service.ts'
import { seed, visitsOfEach } from '../fixtures/seeds.ts'
import { visited } from '../fixtures/visited-views.ts'
import { falseStatements, type Seen } from './fixtures/false-statements.ts'
import { expect, test } from './fixtures/journey.ts'
import { connect, type Lane, openLanes } from './fixtures/lanes.ts'
import { SHOWN_ELSEWHERE, shownOf } from './fixtures/shown-facts.ts'
import { askAgain, visit } from './fixtures/visits.ts'

// What is said of a fault is enough to repeat it: a trace of every step, and what moves while it waits, cost the most of all.
test.use({ sharesPanel: true, trace: 'off', contextOptions: { reducedMotion: 'reduce' } })

/** As so many tests: one that visits all would still run when all other journeys have ended. */
const PARTS = 3
/** Pages that visit at the same time. */
const LANES = 3

/**
 * The service's list goes on telling its own status, and what is told last counts: then it is shown in the header as in
 * the rail.
 */
const isToldSince = (op: Operation, { status, own }: Seen): boolean =>
  op.id === 'servers.status' && status !== '' && own.split('\n').includes(status)

/** Statistics are asked for at intervals: what was told of an answer stays until the next one, and is not of that one. */
async function untilForgotten({ page }: Lane, op: Operation): Promise<void> {
  if (op.id !== 'servers.stats') return
  const note = page.getByRole('main').getByText('Statistics couldn’t be read')
  await note.waitFor({ state: 'hidden', timeout: 10_000 }).catch(() => undefined)
}

/**
 * Whether a page waits for what has come. What a page asks for by itself it asks later than we do, so where nothing is
 * looked for it may still wait with good reason, but not for ever.
 */
async function waitsInVain({ page }: Lane, op: Operation, { waits }: Seen): Promise<boolean> {
  if (!waits) return false
  if (!(op.id in SHOWN_ELSEWHERE)) return true
  const ended = page
    .locator(':is(main, body > dialog) .skeleton')
    .first()
    .waitFor({ state: 'detached', timeout: 20_000 })
  return ended.then(
    () => false,
    () => true,
  )
}

/** Visits a view whose read is answered so, and then as it is; answers what was wrong with it. */
async function faultsOf(lane: Lane, op: Operation, mutation: Mutation): Promise<string[]> {
  const wanted = mutation.facts === LOST ? [] : shownOf(op, mutation.facts)
  await untilForgotten(lane, op)
  lane.service.mutate(op.id, mutation)
  const seen = await visit(lane, op, wanted)
  lane.service.mutate('', null)
  const healed = await askAgain(lane, op)
  const { outcome } = seen
  const isShown = outcome.ok && outcome.value.problem === null
  const faults = [
    ...(seen.main.trim() === '' ? ['is blank'] : []),
    ...wanted
      .filter((text) => !seen.main.includes(text) && !isToldSince(op, seen))
      .map((text) => `does not show ${text}`),
    ...((await waitsInVain(lane, op, seen)) ? ['waits for what has come'] : []),
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

for (let part = 1; part <= PARTS; part++)
  test(`@browser no view crashes, is blank, or says what is not so, whatever one of its reads answers (views ${part} of ${PARTS})`, async ({
    openPanel,
    place,
    guard,
  }) => {
    const views = visited.filter((_, one) => one % PARTS === part - 1)
    test.setTimeout(150_000 + visitsOfEach * views.length * 300)
    const other = await secondService()
    place.atEnd(() => other.close())
    const panel = await openPanel()
    await connect(panel.page, { baseUrl: other.baseUrl, account })
    const lanes = await openLanes(LANES, { panel, guard, place })

    const wrong: string[] = []
    const count = { visits: 0, held: 0, did: 0 }
    const work = async (lane: Lane, mine: readonly Operation[]) => {
      for (const op of mine)
        for (const mutation of drawMutations(op, truthOf(op), visitsOfEach, seed)) {
          const faults = await faultsOf(lane, op, mutation)
          wrong.push(...faults)
          count.visits++
          if (mutation.facts === LOST) continue
          count.held++
          if (faults.length === 0) count.did++
        }
    }
    await Promise.all(
      lanes.map((lane, at) =>
        work(
          lane,
          views.filter((_, one) => one % LANES === at),
        ),
      ),
    )
    const said = wrong.filter((one) => / says "/.test(one)).length
    process.stdout.write(
      `${count.visits} visits of ${views.length} views, ${count.did} of ${count.held} whose answers held the facts did ` +
        `their job, false statements: ${said} (FC_SEED=${seed})\n` +
        Object.entries(SHOWN_ELSEWHERE)
          .filter(([id]) => views.some((op) => op.id === id))
          .map(([id, why]) => `not looked for on a page: ${id}, ${why}\n`)
          .join(''),
    )
    expect(wrong).toEqual([])
  })
