import fc from 'fast-check'
import type { Page } from '@playwright/test'
import { api } from '../../src/contract/areas/index.ts'
import type { ServerStatus } from '../../src/contract/areas/servers.ts'
import { LOST } from '../doubles/services/drifting-answers.ts'
import {
  brokenEvent,
  type DriftingEvent,
  driftingEvent,
  eventKinds,
  messageOf,
} from '../doubles/services/drifting-events.ts'
import {
  drawMutations,
  type Mutation,
  mutatedService,
  TRUE_LINE,
  truthOf,
} from '../doubles/services/mutated-service.ts'
import { seed, visitsOfEach } from '../fixtures/seeds.ts'
import { falseStatements, type Seen } from './fixtures/false-statements.ts'
import { expect, test } from './fixtures/journey.ts'
import { connect, openWindow } from './fixtures/lanes.ts'

// What is said of a fault is enough to repeat it: a trace of every step, and what moves while it waits, cost the most of all.
test.use({ sharesPanel: true, trace: 'off', contextOptions: { reducedMotion: 'reduce' } })

/** For how long something may take to be there, in ms; only what is wrong takes as long. */
const PATIENCE = 30_000
/** What the status of the other server is marked with. */
const MARK = 1000
const history = api.console.history
const online = { status: 'online', players: { online: 3, max: 20 } }

/** What stands on a page, once what is wanted does, or nothing more is waited for. */
const look = (page: Page, host: string, wanted: Wanted): Promise<Seen & { reached: boolean }> =>
  page.evaluate(
    async ([connection, { header, texts, settled }, patience]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const text = (selector: string) => document.querySelector<HTMLElement>(selector)?.innerText ?? ''
      const plain = (selector: string) => text(selector).replaceAll('\u00a0', ' ')
      const isThere = () => {
        const all = plain('main')
        if (header !== null && text('main [role=status][aria-label=Status]') !== header) return false
        if (settled && !/No output yet|couldn’t be read/.test(all) && plain('.xterm-rows').trim() === '')
          return false
        return texts.every((one) => all.includes(one))
      }
      const latest = performance.now() + patience
      let reached: boolean
      do await frame()
      while (!(reached = isThere()) && performance.now() < latest)
      return {
        reached,
        outcome: { ok: true, value: { value: null, problem: null } } as Seen['outcome'],
        main: plain('main'),
        status: text('main [role=status][aria-label=Status]'),
        rail: text('nav[aria-label=Servers]'),
        own: text(`nav[aria-label=Servers] [role=group][aria-label="${connection}"]`),
        line: text('[role=status][aria-label=Connection]'),
      }
    },
    [host, wanted, PATIENCE] as const,
  )
interface Wanted {
  /** The status in the header; null for any. */
  header: string | null
  texts: string[]
  /** The console says something. */
  settled: boolean
}

const textsOf = (facts: unknown): string[] =>
  Array.isArray(facts) ? (facts as { text: string }[]).map(({ text }) => text) : []

/** Opens a console that nobody has opened yet whose history is answered so, then as it is; answers what was wrong. */
async function historyFaults(
  page: Page,
  service: Awaited<ReturnType<typeof mutatedService>>,
  { mutation, address }: { mutation: Mutation; address: string },
): Promise<string[]> {
  const { host } = new URL(service.baseUrl)
  const texts = textsOf(mutation.facts)
  service.mutate(history.id, mutation)
  await page.evaluate((to) => (location.hash = to), address)
  const seen = await look(page, host, { header: 'Online', texts, settled: true })
  const faults = [
    ...(seen.reached ? [] : ['does not show what it should']),
    ...(texts.length > 0 && /couldn’t be read/.test(seen.main)
      ? ['has lines and says that they cannot be read']
      : []),
    ...((await page.getByLabel('Command', { exact: true }).isEnabled()) ? [] : ['takes no command']),
    ...falseStatements(history, mutation, seen).map((said) => `says "${said}"`),
  ]
  service.mutate('', null)
  if (/couldn’t be read/.test(seen.main)) {
    // The panel may have asked by itself meanwhile: then there is nothing to press.
    await page.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>('main button')]
      buttons.find(({ innerText }) => innerText.trim() === 'Try again')?.click()
    })
    const healed = await look(page, host, { header: 'Online', texts: [TRUE_LINE], settled: true })
    if (!healed.reached) faults.push(`does not recover: ${JSON.stringify(healed.main.slice(0, 400))}`)
  }
  const { kind, status, type, text } = mutation
  return faults.map(
    (fault) =>
      `${history.id} ${fault}, answered ${kind} ${status} ${type} ${text.slice(0, 300)}\n` +
      `  ${JSON.stringify(seen.main.slice(0, 500))} ${seen.status} ${JSON.stringify(seen.own)}`,
  )
}

test('@browser a console is never blank and says nothing that is not so, whatever its history answers', async ({
  openPanel,
  place,
}) => {
  test.setTimeout(150_000 + visitsOfEach * 20_000)
  const drawn = drawMutations(history, truthOf(history), visitsOfEach, seed)
  const service = await mutatedService(drawn.length)
  place.atEnd(() => service.close())
  const { page } = await openPanel()
  const connectionId = await connect(page, service)
  const wrong: string[] = []
  for (const [at, mutation] of drawn.entries()) {
    const address = `#/c/${encodeURIComponent(connectionId)}/s/s${at + 1}/console`
    wrong.push(...(await historyFaults(page, service, { mutation, address })))
  }
  const said = wrong.filter((one) => / says "/.test(one)).length
  process.stdout.write(
    `${drawn.length} consoles, ${drawn.length - new Set(wrong).size} did their job, false statements: ${said} ` +
      `(FC_SEED=${seed})\n`,
  )
  expect(wrong).toEqual([])
})

const wordOf = (status: ServerStatus): string =>
  typeof status === 'string' ? `${status.charAt(0).toUpperCase()}${status.slice(1)}` : status.raw

/** What has to stand on the pages after an event: the status, and on which of them which texts. */
function wantedAfter({ facts }: DriftingEvent): {
  status: string
  header: string
  console: string[]
  overview: string[]
} {
  const value = facts === LOST ? {} : facts.value
  const { status } = (value['status'] ?? { status: 'online' }) as { status: ServerStatus }
  const players = value['players'] as { online: number; max?: number } | undefined
  const number = new Intl.NumberFormat('en')
  return {
    status: typeof status === 'string' ? status : status.raw,
    header: wordOf(status),
    // The terminal goes on in the next row where a line is longer than that; none is here.
    console: [...new Set(textsOf(value['lines']))],
    overview: players ? [number.format(players.online)] : [],
  }
}

const names = ['console', 'overview'] as const
type Shown = Record<(typeof names)[number], Page>
const steady: Wanted = { header: 'Online', texts: [], settled: false }
const truth = messageOf('status', JSON.stringify({ serverId: 'a', status: online }))

/** The console and the overview of one server, and what its service tells on the event stream. */
class Told {
  readonly shown: Shown
  readonly #service: Awaited<ReturnType<typeof mutatedService>>
  #mark = MARK

  constructor(shown: Shown, service: Awaited<ReturnType<typeof mutatedService>>) {
    this.shown = shown
    this.#service = service
  }

  async open(connectionId: string): Promise<void> {
    for (const name of names) {
      const address = `#/c/${encodeURIComponent(connectionId)}/s/a/${name}`
      await this.shown[name].evaluate((to) => {
        location.hash = to
        window.panel.on('view', (event) => {
          if (event.view !== 'servers.status' || event.params.serverId !== 'b') return
          document.documentElement.dataset['mark'] = `${event.now.value?.exitCode}`
        })
      }, address)
      expect((await this.look(name, steady)).reached).toBe(true)
    }
    await this.isLive()
  }

  isLive(): Promise<void> {
    return expect(this.shown.console.getByText('Live', { exact: true })).toBeVisible()
  }

  look(name: keyof Shown, wanted: Wanted) {
    return look(this.shown[name], new URL(this.#service.baseUrl).host, wanted)
  }

  /** What comes on the stream is in the pages once the mark behind it is. */
  async tell(text: string): Promise<void> {
    const mark = `${++this.#mark}`
    const status = { status: 'offline', exitCode: this.#mark }
    this.#service.tell(text + messageOf('status', JSON.stringify({ serverId: 'b', status })))
    for (const name of names)
      await this.shown[name].waitForFunction(
        (wanted) => document.documentElement.dataset['mark'] === wanted,
        mark,
        { timeout: PATIENCE },
      )
  }

  /** Tells an event, and then the truth again; answers what was wrong. */
  async faultsOf(event: DriftingEvent): Promise<string[]> {
    const { text, facts } = event
    const mutation = { kind: 'drifted', status: 200, type: 'text/event-stream', text, facts } as const
    const wanted = wantedAfter(event)
    const wrong: string[] = []
    this.#service.turn('a', wanted.status)
    await this.tell(text)
    for (const name of names) {
      const seen = await this.look(name, {
        header: wanted.header,
        texts: wanted[name],
        settled: name === 'console',
      })
      const faults = [
        ...(seen.reached ? [] : [`does not show ${wanted.header} and ${JSON.stringify(wanted[name])}`]),
        ...falseStatements(api.console.events, mutation, seen).map((said) => `says "${said}"`),
      ]
      for (const fault of faults)
        wrong.push(
          `the ${name} ${fault}, told ${text.slice(0, 400)}\n  ${JSON.stringify(seen.main.slice(0, 600))}`,
        )
    }
    this.#service.turn('a', online.status)
    await this.tell(truth)
    for (const name of names) {
      const healed = await this.look(name, { ...steady, texts: name === 'overview' ? ['3 of 20'] : [] })
      if (!healed.reached) wrong.push(`the ${name} does not recover, told ${text.slice(0, 400)}`)
    }
    return wrong
  }
}

test('@browser the console, the overview and the list say what was told last, whatever comes on the event stream', async ({
  openPanel,
  place,
  guard,
}) => {
  test.setTimeout(150_000 + visitsOfEach * 30_000)
  const service = await mutatedService()
  place.atEnd(() => service.close())
  const panel = await openPanel()
  const connectionId = await connect(panel.page, service)
  const told = new Told({ console: panel.page, overview: await openWindow({ panel, guard, place }) }, service)
  await told.open(connectionId)

  const kinds = [...eventKinds.map((kind) => driftingEvent(kind, ['a'])), brokenEvent('a')]
  const events = kinds.flatMap((some) => fc.sample(some, { numRuns: visitsOfEach, seed }))
  const wrong: string[] = []
  let did = 0
  for (const event of events) {
    const faults = await told.faultsOf(event)
    wrong.push(...faults)
    if (faults.length === 0) did++
  }

  // One that is cut off in the middle of an event is connected anew.
  service.cutIn(truth)
  await expect(panel.page.getByText('Live', { exact: true })).toBeHidden()
  service.mend()
  await told.isLive()
  const back = 'The stream is back'
  await told.tell(messageOf('lines', JSON.stringify({ serverId: 'a', lines: [{ text: back }] })))
  expect(await told.look('console', { ...steady, texts: [back] })).toMatchObject({ reached: true })
  const said = wrong.filter((one) => / says "/.test(one)).length
  process.stdout.write(
    `${events.length} events, ${did} did their job, false statements: ${said} (FC_SEED=${seed})\n`,
  )
  expect(wrong).toEqual([])
})
