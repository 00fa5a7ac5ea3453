import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOST, plainly } from '../../../../tests/doubles/services/drifting-answers.ts'
import {
  type Mutation,
  mutatedService,
  mutations,
  truthOf,
} from '../../../../tests/doubles/services/mutated-service.ts'
import { seeds } from '../../../../tests/fixtures/seeds.ts'
import { visited, viewOf } from '../../../../tests/fixtures/visited-views.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { NamedView } from '../../../contract/bridge/passed.ts'
import { InMemoryDispatcher } from '../../api/answers-at-once.fixture.ts'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/dispatcher.ts'
import { systemClock } from '../../base/retry.ts'
import { compositions } from '../../panel/composed.ts'
import { viewReader } from '../view-reader.ts'
import { FollowedJobs } from '../../areas/files/followed-jobs.ts'
import { noLog } from '../../logging/log.ts'
import { problemsWith } from '../../logging/to-problem.ts'
import { type Cache, openCache } from './cache.ts'
import { ViewStore } from './view-store.ts'

/** Mutated answers per view and seed. The faults set `MUTATED_ANSWERS` to try more. */
const TRIED = Number(process.env['MUTATED_ANSWERS'] ?? 60)

const dispatcher = makeDispatcher()
let folder: string
let cache: Cache

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mutated-views-'))
  cache = await openCache(join(folder, 'cache.db'))
})
afterAll(async () => {
  await dispatcher.close()
  await cache.close()
  await rm(folder, { recursive: true })
})

/** A service of its own, and what reads its views. */
async function openService() {
  const service = await mutatedService()
  const client = new ApiClient({
    baseUrl: service.baseUrl,
    dispatcher: new InMemoryDispatcher((call) => service.atOnce(call), dispatcher),
    token: async () => 'good',
    // Nobody waits here for what is tried again.
    clock: { ...systemClock, sleep: async () => undefined },
  })
  const jobs = new FollowedJobs({ client: () => client, isThere: () => true, onJob: () => undefined })
  const source = viewReader(() => client, compositions({ followedJobs: jobs, added: cache }))
  return {
    ...{ service, client, isShaped: source.isShaped },
    openStore: () =>
      new ViewStore({
        ...{ cache, source, emit: () => undefined, now: Date.now },
        toProblem: problemsWith(noLog),
      }),
    async close() {
      jobs.forget()
      client.close()
      await service.close()
    },
  }
}

type ServicePair = Awaited<ReturnType<typeof openService>>

/** Facts as a view holds them: of items that cannot be told apart the one that came first. */
function held(facts: unknown, by: string | null): unknown {
  if (!Array.isArray(facts) || by === null) return plainly(facts)
  const items = facts as Record<string, unknown>[]
  return plainly(items.filter((one, at) => items.findIndex((other) => other[by] === one[by]) === at))
}

// Several at a time: slow answers among them are waited for.
describe.each(seeds)('by seed %i', (seed) => {
  it.concurrent.each(visited.map((op) => [op.id, op] as const))(
    'holds the facts of %s, or what was there before and why, and what the disk keeps is the same',
    async (_id, op) => {
      const opened = await openService()
      try {
        await holdsWhatIsTrue(op, seed, opened)
      } finally {
        await opened.close()
      }
    },
  )
})

async function holdsWhatIsTrue(op: Operation, seed: number, opened: ServicePair): Promise<void> {
  const named = viewOf(op, `of seed ${seed}`) as unknown as NamedView
  const store = opened.openStore()
  const look = () => store.read(named, undefined, true)
  const truth = (await look()).value
  expect(truth).not.toBeNull()
  const quick = mutations(op, truthOf(op)).filter(({ kind }) => kind !== 'hanging')
  for (const mutation of fc.sample(quick, { numRuns: TRIED, seed })) {
    const { value, problem } = await mutated(opened, op.id, mutation, look)
    const said = JSON.stringify([mutation.kind, mutation.status, mutation.type, mutation.text.slice(0, 2000)])
    if (value !== null) expect(opened.isShaped(op.id as never, value), said).toBe(true)
    if (mutation.facts !== LOST) {
      expect(problem, said).toBeNull()
      const list = op.answer.kind === 'list' ? op.answer : null
      const found = list ? (value as { items: object[] }).items.map(({ ...one }) => one) : value
      // What a view is made of beside this read comes on top of it.
      expect(plainly(found), said).toMatchObject(held(mutation.facts, list?.by ?? null) as object)
    }
    if (problem) {
      expect(problem.message, said).toMatch(/\S/)
      expect(problem.code, said).not.toBe('internal')
      if (op.keep !== 'never') expect(value, said).toEqual(truth)
    }
    const healed = await look()
    expect(healed.problem, said).toBeNull()
    expect(plainly(healed.value), said).toEqual(plainly(truth))
  }
  const last = await look()
  await store.close()
  if (op.keep === 'disk') expect((await opened.openStore().read(named)).value).toEqual(last.value)
}

/** What the view holds after it was asked for while its read answers so; then the read answers as it is again. */
async function mutated<T>(
  { service, client }: ServicePair,
  id: string,
  mutation: Mutation,
  look: () => Promise<T>,
): Promise<T> {
  service.mutate(id, mutation)
  client.trust()
  try {
    return await look()
  } finally {
    service.mutate('', null)
  }
}
