import type { Page } from '@playwright/test'
import { api } from '../../src/contract/areas/index.ts'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import { LOST, REFUSED } from '../doubles/services/drifting-answers.ts'
import { drawMutations, type Mutation, mutatedService, truthOf } from '../doubles/services/mutated-service.ts'
import { seed, visitsOfEach } from '../fixtures/seeds.ts'
import { falseStatements, type Seen } from './fixtures/false-statements.ts'
import { choose } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { connect } from './fixtures/lanes.ts'

// What is said of a fault is enough to repeat it: a trace of every step, and what moves while it waits, cost the most of all.
test.use({ sharesPanel: true, trace: 'off', contextOptions: { reducedMotion: 'reduce' } })

/** For how long a write may be on its way, in ms; only what is wrong takes as long. */
const PATIENCE = 30_000

/** Writes as a person does them: each is done where the function has ended, and what it says stands on the page. */
interface Write {
  op: Operation
  tab: string
  /** Sends it. */
  send: (page: Page) => Promise<void>
  /** What stands on the page once it is over: it is done, or something is said of it. */
  over: (page: Page) => Promise<boolean>
  /** It is said to be done, or nothing is said against it. */
  isDone: (page: Page) => Promise<boolean>
}

const command = (page: Page) => page.getByLabel('Command', { exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

const writes: readonly Write[] = [
  {
    op: api.console.command,
    tab: 'console',
    async send(page) {
      await command(page).fill('say hello')
      await command(page).press('Enter')
    },
    // The line is empty while a command is on its way, and nothing else says that it has ended.
    over: async () => true,
    isDone: async (page) => (await alert(page).count()) === 0,
  },
  {
    op: api.files.folder,
    tab: 'files',
    async send(page) {
      await choose(page, 'New', 'New folder')
      await dialog(page).getByRole('textbox').fill('backups')
      await dialog(page).getByRole('textbox').press('Enter')
    },
    over: async (page) =>
      (await dialog(page).count()) === 0 || (await dialog(page).getByRole('alert').count()) > 0,
    isDone: async (page) => (await dialog(page).count()) === 0,
  },
]

async function seenAfter(page: Page, host: string): Promise<Seen> {
  return page.evaluate((connection) => {
    const text = (selector: string) => document.querySelector<HTMLElement>(selector)?.innerText ?? ''
    return {
      outcome: { ok: true, value: { value: null, problem: null } } as Seen['outcome'],
      main: document.body.innerText,
      status: text('main [role=status][aria-label=Status]'),
      rail: text('nav[aria-label=Servers]'),
      own: text(`nav[aria-label=Servers] [role=group][aria-label="${connection}"]`),
      line: text('[role=status][aria-label=Connection]'),
    }
  }, host)
}

/** Sends a write to a service that answers it so; answers what was wrong. */
async function faultsOf(
  page: Page,
  { op, tab, send, over, isDone }: Write,
  mutation: Mutation,
): Promise<string[]> {
  const service = await mutatedService()
  const connectionId = await connect(page, service)
  const ended = page.evaluate(
    (call) =>
      new Promise<void>((resolve) => {
        const before = window.panel.call
        window.panel.call = async (...args) => {
          const outcome = before.apply(window.panel, args)
          const [name, input] = args as [string, { operation?: string }]
          if (name === call || input?.operation === call) void outcome.finally(() => resolve())
          return outcome as never
        }
      }),
    op.id,
  )
  service.mutate(op.id, mutation)
  await page.evaluate((to) => (location.hash = to), `#/c/${encodeURIComponent(connectionId)}/s/a/${tab}`)
  await send(page)
  await ended
  await expect.poll(() => over(page), { timeout: PATIENCE }).toBe(true)
  const seen = await seenAfter(page, new URL(service.baseUrl).host)
  const { kind, status, type, text, facts } = mutation
  const done = await isDone(page)
  const refused = facts === REFUSED || (kind === 'status' && status >= 400)
  const faults = [
    ...(service.asked(op.id) === 1 ? [] : [`was sent ${service.asked(op.id)} times`]),
    ...(facts !== LOST && !refused && !done ? ['was done and is not said to be'] : []),
    ...(refused && done ? ['was refused and nothing is said'] : []),
    ...((kind === 'cut' || kind === 'hanging') && done ? ['is said to be done, which nobody knows'] : []),
    ...falseStatements(op, mutation, seen).map((said) => `says "${said}"`),
  ]
  if ((await dialog(page).count()) > 0) await page.keyboard.press('Escape')
  await page.evaluate((id) => window.panel.call('connections.sign-out', { connectionId: id }), connectionId)
  await service.close()
  return faults.map(
    (fault) =>
      `${op.id} ${fault}, answered ${kind} ${status} ${type} ${text.slice(0, 300)}\n` +
      `  ${JSON.stringify(seen.main.slice(-900))}`,
  )
}

test('@browser of a write nothing is said that is not so, and it is sent once, whatever is answered', async ({
  openPanel,
}) => {
  test.setTimeout(150_000 + visitsOfEach * 20_000)
  const { page } = await openPanel()
  const wrong: string[] = []
  let visits = 0
  for (const write of writes)
    for (const mutation of drawMutations(write.op, truthOf(write.op), visitsOfEach, seed)) {
      visits++
      wrong.push(...(await faultsOf(page, write, mutation)))
    }
  const said = wrong.filter((one) => / says "/.test(one)).length
  process.stdout.write(
    `${visits} writes, ${visits - new Set(wrong).size} told as they are, false statements: ${said} ` +
      `(FC_SEED=${seed})\n`,
  )
  expect(wrong).toEqual([])
})
