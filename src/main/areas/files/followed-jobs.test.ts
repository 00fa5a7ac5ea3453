import { afterAll, afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { FileJob } from '../../../contract/bridge/values.ts'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { reply } from '../../api/test-listener.ts'
import { FollowedJobs } from './followed-jobs.ts'
import { oddFiles } from './odd-files.fixture.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const server = { connectionId: 'c', serverId: 's' }
const job: FileJob = { id: 'j', kind: 'extract', state: 'running', path: 'a.zip' }
const done: FileJob = { ...job, state: 'done' }

let service: Awaited<ReturnType<typeof oddFiles>>
let jobs: FollowedJobs
let told: FileJob['state'][]
let ended: FileJob['state'][]
let notice: () => void
let isThere: boolean
let client: ApiClient

beforeEach(async () => {
  service = await oddFiles()
  told = []
  ended = []
  notice = () => {}
  isThere = true
  client = new ApiClient({ baseUrl: service.listener.baseUrl, dispatcher, token: async () => 't' })
  client.trust()
  jobs = new FollowedJobs({
    client: () => client,
    isThere: () => isThere,
    onJob: (_server, { state }) => void told.push(state),
  })
  jobs.onEnd((_server, { state }) => {
    ended.push(state)
    notice()
  })
})
afterEach(async () => {
  jobs.forget()
  await service[Symbol.asyncDispose]()
})

const end = () => new Promise<void>((resolve) => (notice = resolve))
const answer = (...items: FileJob[]) => {
  service.answers['GET /servers/files/jobs/s'] = (_request, response) =>
    reply(response, 200, { items, nextCursor: null })
}

it('tells every news of a job, and its end once', () => {
  jobs.follow(server, job)
  jobs.heard(server, job)
  jobs.heard(server, done)
  expect(told).toEqual(['running', 'done'])
  expect(ended).toEqual(['done'])
})

it('asks for a bounded number of jobs that a service only tells of, and for each that was begun here', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (let at = 0; at < 1500; at++) jobs.heard(server, { ...job, id: `invented-${at}` })
  expect(vi.getTimerCount()).toBe(32)
  expect(told).toHaveLength(1500)
  jobs.follow(server, job)
  expect(vi.getTimerCount()).toBe(33)
  // The end of one that was passed over is told as any other, and one that ends makes room.
  jobs.heard(server, { ...job, id: 'invented-1400', state: 'done' })
  jobs.heard(server, { ...job, id: 'invented-0', state: 'done' })
  expect(ended).toEqual(['done', 'done'])
  jobs.heard(server, { ...job, id: 'invented-1401' })
  expect(vi.getTimerCount()).toBe(33)
})

it('says nothing of a job that is followed again by an answer that comes after the sign-out', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  jobs.follow(server, job)
  jobs.forget(server.connectionId)
  isThere = false
  jobs.follow(server, job)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([told, ended]).toEqual([[], []])
  expect(vi.getTimerCount()).toBe(0)
})

it('says nothing of a job that was being asked for when somebody signed out', async () => {
  const asked = new Promise<void>((resolve) => {
    service.answers['GET /servers/files/jobs/s'] = () => resolve()
  })
  jobs.follow(server, job)
  await asked
  isThere = false
  client.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect([told, ended]).toEqual([[], []])
})

it('hears of the end of a job that nobody here began', () => {
  jobs.heard(server, { ...job, state: 'failed' })
  expect([told, ended]).toEqual([['failed'], ['failed']])
})

it('answers a job as it ended where its end was heard before the answer that it runs', () => {
  jobs.heard(server, done)
  expect(jobs.follow(server, job)).toBe(done)
  expect(ended).toEqual(['done'])
})

it('asks for a job of which nothing is heard, until it is over', async () => {
  answer(done)
  const over = end()
  jobs.follow(server, job)
  await over
  expect([told, ended]).toEqual([['done'], ['done']])
})

it('tells that a job is lost which the service no longer knows, so that nobody shows it as running', async () => {
  answer()
  const over = end()
  jobs.follow(server, job)
  await over
  expect([told, ended]).toEqual([['lost'], ['lost']])
})

it.each([
  [{ nextCursor: { after: 1 } }, 'job.not-shown'],
  [{ total: 2 }, 'job.not-shown'],
  [{ nextCursor: null }, 'job.lost'],
])('says of a job that is not listed only what the list can know: %j', async (beside, key) => {
  service.answers['GET /servers/files/jobs/s'] = (_request, response) =>
    reply(response, 200, { items: [{ ...done, id: 'other' }], ...beside })
  const lost = new Promise<FileJob>((resolve) => jobs.onEnd((_server, one) => resolve(one)))
  jobs.follow(server, job)
  expect(await lost).toMatchObject({ state: 'lost', error: { text: { key } } })
})
