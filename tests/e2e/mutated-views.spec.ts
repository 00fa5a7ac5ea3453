import fc from 'fast-check'
import type { Page } from '@playwright/test'
import { operations } from '../../src/contract/areas/index.ts'
import type { Operation } from '../../src/contract/areas/operation.ts'
import { LOST } from '../fixtures/drifting-answers.ts'
import { type Mutation, mutatedService, mutations, truthOf } from '../fixtures/mutated-service.ts'
import { secondService, account } from '../fixtures/second-service/second-service.ts'
import { falseStatements, type Seen } from './fixtures/false-statements.ts'
import { expect, test } from './fixtures/journey.ts'
import { signIn } from './fixtures/views.ts'

/** Visits of each view, and what they are drawn by: `FC_SEED=N`, `MUTATED_VISITS=N`. */
const VISITS = Number(process.env.MUTATED_VISITS ?? 6)
const seed = Number(process.env.FC_SEED ?? 20261122)

/** Every read that is a view. */
const views = operations.filter(({ built, kind, bridge }) => built && kind === 'read' && bridge === 'pass')

const queries: Readonly<Record<string, object>> = {
  'files.list': { path: '' },
  'files.search': { path: '', name: 'a' },
}
/** Where a view is shown that is not shown by the tab of its area. */
const places: Readonly<Record<string, string>> = {
  'account.me': '#/c/CONNECTION',
  'servers.list': '#/',
  'servers.read-config': '#/c/CONNECTION/s/a/settings',
  'files.trash': '#/c/CONNECTION/s/a/files?trash=1',
  'software.list': '#/c/CONNECTION/create',
  'software.versions': '#/c/CONNECTION/create',
}
const placeOf = ({ id, area }: Operation) =>
  places[id] ?? `#/c/CONNECTION/s/a/${area === 'servers' ? 'overview' : area}`

const refOf = (op: Operation, connectionId: string) => {
  const names = [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return {
    view: op.id,
    connectionId,
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name, 'a'])) }),
    ...(queries[op.id] && { query: queries[op.id] }),
  }
}

/** Goes to a view, has its service asked, and answers what is there to be read then. */
const visit = (page: Page, hash: string, ref: object): Promise<Seen> =>
  page.evaluate(
    async ([address, asked]) => {
      const frames = async (count: number) => {
        for (let at = 0; at < count; at++) await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      location.hash = '#/settings'
      await frames(1)
      location.hash = address
      await frames(1)
      const outcome = await window.panel.call('view.read', { ...asked, again: true } as never)
      await frames(2)
      const text = (selector: string) => document.querySelector<HTMLElement>(selector)?.innerText ?? ''
      return {
        outcome: outcome as Seen['outcome'],
        main: text('main'),
        status: text('main [role=status][aria-label=Status]'),
        rail: text('nav[aria-label=Servers]'),
        line: text('[role=status][aria-label=Connection]'),
        marked: document.querySelectorAll('main [aria-invalid=true]').length,
      }
    },
    [hash, ref] as const,
  )

const askAgain = (page: Page, ref: object): Promise<Seen['outcome']> =>
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
  return items
    .filter((one, at) => items.findIndex((other) => other[by] === one[by]) === at)
    .map(({ name }) => name ?? '')
}

test('@browser no view crashes, is blank, or says what is not so, whatever one of its reads answers', async ({
  openPanel,
  place,
}) => {
  test.setTimeout(150_000 + VISITS * 8_000)
  const service = await mutatedService()
  const other = await secondService()
  place.atEnd(() => Promise.all([service.close(), other.close()]))
  const { page } = await openPanel()
  await signIn(page, other.baseUrl, account)
  await page.getByRole('link', { name: 'All servers' }).click()
  await signIn(page, service.baseUrl, service.account)
  const connectionId = new URL(page.url()).hash.split('/')[2] ?? ''

  const wrong: string[] = []
  let visits = 0
  let did = 0
  for (const op of views) {
    const began = performance.now()
    const hash = placeOf(op).replace('CONNECTION', encodeURIComponent(connectionId))
    const ref = refOf(op, connectionId)
    for (const mutation of fc.sample(mutations(op, truthOf(op)), { numRuns: VISITS, seed })) {
      service.mutate(op.id, mutation)
      let seen = await visit(page, hash, ref)
      const missing = () => namesIn(op, mutation).filter((name) => !seen.main.includes(name))
      if (seen.main.trim() === '' || missing().length > 0) {
        await page.waitForTimeout(300)
        seen = await visit(page, hash, ref)
      }
      visits++
      const faults = [
        ...(seen.main.trim() === '' ? ['is blank'] : []),
        ...missing().map((name) => `does not show ${name}`),
        ...(/Survival/.test(seen.rail) ? [] : ['the other service is gone from the list']),
        ...falseStatements(op, mutation, seen).map((said) => `says "${said}"`),
      ]
      const { outcome } = seen
      const value = outcome.ok && outcome.value.problem === null
      if (mutation.facts !== LOST && !value) faults.push('has the facts and is not shown')
      if (mutation.facts === LOST ? faults.length === 0 : value && faults.length === 0) did++
      service.mutate('', null)
      const healed = await askAgain(page, ref)
      if (!healed.ok || healed.value.problem !== null) faults.push('does not recover')
      for (const fault of faults)
        wrong.push(
          `${op.id} ${fault}, answered ${mutation.kind} ${mutation.status} ${mutation.type} ${mutation.text.slice(0, 300)}\n` +
            `  ${JSON.stringify(outcome).slice(0, 300)}\n  ${JSON.stringify(seen.main.slice(0, 400))}`,
        )
    }
    if (process.env.MUTATED_TIMES)
      process.stdout.write(`${op.id}: ${Math.round(performance.now() - began)} ms\n`)
  }
  const said = wrong.filter((one) => / says "/.test(one)).length
  process.stdout.write(`${visits} visits, ${did} did their job, false statements: ${said} (seed ${seed})\n`)
  expect(wrong).toEqual([])
})
