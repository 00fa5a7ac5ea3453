import type { Operation } from '../../src/contract/declarations/operation.ts'
import { LOST } from '../doubles/services/drifting-answers.ts'
import { type Mutation, mutatedService } from '../doubles/services/mutated-service.ts'
import { secondService, account } from '../doubles/services/second-service/second-service.ts'
import { visited } from '../fixtures/visited-views.ts'
import { falseStatements, type Seen } from './fixtures/false-statements.ts'
import { expect, test } from './fixtures/journey.ts'
import { connect, type Lane, openWindow } from './fixtures/lanes.ts'
import { SHOWN_ELSEWHERE } from './fixtures/shown-facts.ts'
import { lookAgain, visit } from './fixtures/visits.ts'

test.use({ sharesPanel: true, trace: 'off', contextOptions: { reducedMotion: 'reduce' } })

const LANES = 4
/** How long a page may take to draw all of a view on a busy machine, in milliseconds. */
const PATIENCE = 20_000

/**
 * The classes of the specification's errors (§7), each as a service may answer it. What says that there is no such read, or
 * that nobody is signed in, comes last.
 */
const classes: Readonly<Record<string, Partial<Mutation>>> = {
  forbidden: { status: 403, text: '{"error":{"code":"denied","message":"Not permitted."}}' },
  'not found': { status: 404, text: '{"error":{"code":"route.unknown","message":"No such route."}}' },
  validation: { status: 422, text: '{"error":{"code":"request.invalid","message":"That is not valid."}}' },
  'changed answer': { status: 200, text: '<!doctype html><p>Hello</p>', type: 'text/html' },
  'not offered': { status: 501, text: '{}' },
  unauthenticated: { status: 401, text: '{"error":{"code":"auth.needed","message":"Sign in first."}}' },
}

/** What a view is called where it cannot be shown. */
const called: Readonly<Record<string, RegExp>> = {
  'servers.list': /server/i,
  'access.list': /access/i,
  'activity.list': /activity log/i,
  'players.list': /player/i,
  'players.stats': /statistics/i,
  'players.sessions': /visits|times players were on/i,
  'players.whitelist': /whitelist/i,
  'servers.read-config': /configuration|settings/i,
  'files.list': /file|folder/i,
  'backups.list': /backup/i,
  'schedules.list': /schedule/i,
  'files.trash': /trash/i,
  'files.search': /search/i,
  'notifications.list': /notification/i,
  'software.list': /software/i,
  'software.versions': /software|version/i,
  'software.read': /software/i,
  'extensions.list': /plugin|mod|extension/i,
}
/** What the next best read still says where one fails. */
const instead: Readonly<Record<string, string>> = { 'servers.read': 'Lighthouse', 'servers.status': 'Online' }
/** Parts whose absence costs nothing but themselves, and where there is nothing to try again. */
const quiet: Readonly<Record<string, string>> = {
  'account.me': 'whether a token holds is asked for elsewhere too',
  'access.invitations': 'where nobody invites, nothing is drawn',
  'account.second-factor': 'of a service that has none nothing is shown',
  'account.sign-in-methods': 'of a service that does not tell nothing is shown',
  'activity.people': 'nobody can be chosen then; the log itself is shown',
  'account.sessions': 'of a service that does not tell nothing is shown',
  'notifications.settings': 'what cannot be chosen is not offered; the notifications are shown',
  'promocodes.list': 'of a service that has none nothing is shown',
  'promocodes.limits': 'what an account may have stands beside its promocodes where a service tells it',
  'servers.addresses': 'where the ways are not told, the address stands alone',
  'extensions.updates': 'what is installed is shown without it',
  'extensions.changes': 'what is installed is shown without it',
  'backups.targets': 'of a service that has none, or only for its owner, nothing is shown',
  'nodes.list': 'of a service with one computer, or only for its owner, nothing is shown',
  'backups.settings': 'the backups are shown without what is kept of them',
  'modpacks.read': 'of a server without a modpack nothing is shown',
  'files.limits': 'the room that is left stands below a list that is shown',
  'files.jobs':
    'what is compressed and extracted is a part of the list of files; the act itself says what is missing',
}
const views = visited.filter(({ id }) => !(id in SHOWN_ELSEWHERE) && !(id in quiet))

const errors = Object.entries(classes).map(([name, answer]): [string, Mutation] => [
  name,
  { kind: 'status', status: 200, type: 'application/json', text: '', facts: LOST, ...answer },
])

/** What is wrong with what a view says whose read was answered by errors alone, one class after another. */
async function faultsOf(page: Lane['page'], op: Operation): Promise<string[]> {
  const service = await mutatedService(0, false)
  // The list is read as soon as somebody is signed in.
  service.mutate(op.id, errors[0]?.[1] ?? null)
  const connectionId = await connect(page, service)
  const lane: Lane = { page, service, connectionId, host: new URL(service.baseUrl).host }
  const wrong: string[] = []
  for (const [name, mutation] of errors) {
    service.mutate(op.id, mutation)
    let seen = await visit(lane, op, [])
    let faults = await faultsSeen(lane, op, mutation, seen)
    // A page that has much to do draws what it loads later when it comes to that.
    for (const until = Date.now() + PATIENCE; faults.length > 0 && Date.now() < until;) {
      seen = await lookAgain(page, seen)
      faults = await faultsSeen(lane, op, mutation, seen)
    }
    wrong.push(...faults.map((fault) => `${op.id} ${name}: ${fault}\n  ${seen.main.slice(0, 500)}`))
  }
  await page.evaluate((id) => window.panel.call('connections.sign-out', { connectionId: id }), connectionId)
  await service.close()
  return wrong
}

/** A service without such a section has nothing to try again. */
const isNoneOf = (said: string): boolean => said.includes('This service doesn’t offer schedules.')

/** What is wrong with a page as it stands. */
async function faultsSeen({ page }: Lane, op: Operation, mutation: Mutation, seen: Seen): Promise<string[]> {
  const ways = await page
    .locator(':is(main, body > dialog) :is(button, a)')
    .filter({ visible: true })
    .allInnerTexts()
  const next = instead[op.id]
  // What a tab or a section is called says nothing of what stands in it.
  const said = seen.main
    .replace('Overview Console Players Files Extensions Settings', '')
    .replace(/General .* Danger zone/, '')
  return [
    ...(seen.main.trim() === '' ? ['is blank'] : []),
    ...(seen.waits ? ['waits for what has come'] : []),
    ...(next !== undefined && !seen.main.includes(next) ? ['does not say what the next best read does'] : []),
    ...(next === undefined && !(called[op.id] as RegExp).test(said) ? ['does not name what it is'] : []),
    ...(next === undefined && !isNoneOf(said) && !ways.some((way) => /again|Sign in/.test(way))
      ? ['has no way on']
      : []),
    ...(op.path.includes(':serverId') && !seen.main.includes('Lighthouse') ? ['takes its server along'] : []),
    ...(/Survival/.test(seen.rail) ? [] : ['takes the other service along']),
    ...falseStatements(op, mutation, seen).map((said) => `says "${said}"`),
  ]
}

test('@browser every view says of each class of error what it is about, and how to go on, and costs nothing beside', async ({
  openPanel,
  place,
  guard,
}) => {
  test.setTimeout(600_000)
  const other = await secondService()
  place.atEnd(() => other.close())
  const panel = await openPanel()
  await connect(panel.page, { baseUrl: other.baseUrl, account })
  expect(views.filter(({ id }) => !(id in called) && !(id in instead)).map(({ id }) => id)).toEqual([])
  const waiting = [...views]
  const wrong: string[] = []
  const lane = async (at: number) => {
    const page = at === 0 ? panel.page : await openWindow({ panel, guard, place })
    for (let op = waiting.shift(); op; op = waiting.shift()) wrong.push(...(await faultsOf(page, op)))
  }
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)))
  process.stdout.write(
    `${views.length * errors.length} errors in ${views.length} views, ${wrong.length} faults\n`,
  )
  expect(wrong).toEqual([])
})
