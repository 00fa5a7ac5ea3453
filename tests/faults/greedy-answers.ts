import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { ViewRef } from '../../src/contract/bridge/passed.ts'
import { CatalogSettings } from '../../src/service/software/catalogs/settings.ts'
import { answerJson, oddService } from '../doubles/services/odd-service.ts'
import { viewOf, visited } from '../fixtures/visited-views.ts'
import type { Case } from './case.ts'
import { jsonShapes, type Shape } from './greedy/shapes.ts'
import { Host } from './host.ts'
import { Panel } from './panel.ts'

const MB = 1024 * 1024
/** How long others may wait, in milliseconds. In the short form the computer has other things to do. */
const [SHORT_WORST_MS, LONG_WORST_MS] = [1500, 100]
const GROWTH = 256 * MB
/** Between two questions of the one who waits, in milliseconds. */
const PAUSE_MS = 5
/** Sizes of an answer once it is unpacked, in bytes: of what is refused for its size alone, and of what is just not. */
const [SHORT_SIZES, LONG_SIZES] = [[31 * MB], [31 * MB, 8 * MB, 1 * MB, 64 * MB]]

const residentBytes = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    // Only Linux has it.
    return 0
  }
}

/** Asks something small again and again while `act` goes on. Answers the longest wait in ms and the most memory in bytes. */
async function waitBeside(
  ask: () => Promise<unknown>,
  pid: () => number,
  act: () => Promise<unknown>,
): Promise<{ worst: number; memory: number }> {
  let [worst, memory, isOver] = [0, 0, false]
  const beside = async () => {
    while (!isOver) {
      const began = performance.now()
      await ask()
      worst = Math.max(worst, performance.now() - began)
      memory = Math.max(memory, residentBytes(pid()))
      await after(PAUSE_MS)
    }
  }
  const waiting = beside()
  await act().finally(() => (isOver = true))
  await waiting
  return { worst, memory }
}

function judge(
  it: Case,
  what: string,
  calm: { memory: number },
  found: { worst: number; memory: number },
): void {
  const most = it.long ? LONG_WORST_MS : SHORT_WORST_MS
  const grown = found.memory - calm.memory
  it.tried += 1
  it.note(
    `${what}: others waited ${found.worst.toFixed(0)} of at most ${most} ms, memory +${(grown / MB).toFixed(0)} MB`,
  )
  it.expect(found.worst <= most, `Others waited ${found.worst.toFixed(0)} ms, not ${most}: ${what}.`)
  it.expect(grown <= GROWTH, `Memory grew by ${(grown / MB).toFixed(0)} MB: ${what}.`)
}

/** How a shape stands in an answer: as all of it, and where lists are looked for. */
const wraps: readonly { name: string; wrap: (text: string) => string }[] = [
  { name: 'bare', wrap: (text) => text },
  { name: 'as items', wrap: (text) => `{"items":${text}}` },
  { name: 'in an envelope', wrap: (text) => `{"data":{"list":${text}}}` },
]

interface Sent {
  status: number
  packed: Buffer
}

const send = (response: ServerResponse, { status, packed }: Sent): void =>
  void response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
    .end(packed)

function* answers(it: Case): Generator<{ what: string; sent: Sent }> {
  const sizes = it.long ? LONG_SIZES : SHORT_SIZES
  for (const shape of jsonShapes)
    for (const size of sizes)
      for (const { name, wrap } of it.long ? wraps : wraps.slice(1, 2)) {
        const packed = gzipSync(wrap(shape.text(size)), { level: 1 })
        yield { what: `${shape.name}, ${size / MB} MB, ${name}`, sent: { status: 200, packed } }
      }
  for (const shape of jsonShapes.slice(0, it.long ? undefined : 3)) {
    const packed = gzipSync(`{"error":${shape.text(31 * MB)}}`, { level: 1 })
    yield { what: `${shape.name}, as an error`, sent: { status: 422, packed } }
  }
}

/** A service answers every read with what costs much to read: the panel goes on serving its windows. */
export async function greedyAnswers(it: Case): Promise<void> {
  let now: Sent | null = null
  const user = { id: 'u', name: 'Ann', email: 'owner@example.com' }
  const service = await oddService({
    'POST /auth/login': (_request, response) => answerJson(response, { token: 'a-token-that-is-long', user }),
    'GET /users/me': (_request, response) => answerJson(response, user),
    'GET /servers/events': (request, response) => streamOf(request, response, () => now),
    '*': (_request, response) => (now ? send(response, now) : answerJson(response, { items: [] })),
  })
  it.stage.atEnd(() => service.close())
  const panel = await Panel.start(it.stage)
  await panel.signIn(Number(new URL(service.baseUrl).port))
  const ask = () => panel.call('app.info', undefined)
  const readAll = async () => {
    for (const op of visited) {
      const view = viewOf(op, panel.connectionId) as ViewRef
      await panel.call('view.read', view).catch(() => undefined)
      await panel.call('view.leave', view).catch(() => undefined)
    }
  }
  const calm = await waitBeside(ask, () => panel.pid, readAll)
  it.note(`calm: worst ${calm.worst.toFixed(0)} ms`)
  for (const { what, sent } of answers(it)) {
    now = sent
    judge(it, `panel, ${what}`, calm, await waitBeside(ask, () => panel.pid, readAll))
  }
}

/** An event stream whose lines are as greedy as the answers. */
function streamOf(_request: IncomingMessage, response: ServerResponse, now: () => Sent | null): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(': begins\n\n')
  const shapes: Shape[] = [...jsonShapes]
  const timer = setInterval(() => {
    const shape = shapes.shift()
    if (!shape || !now()) return
    response.write(`event: status\ndata: ${shape.text(4 * MB)}\n\n`)
  }, 200)
  response.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer))
}

/** Catalogs answer everything with what costs much to read: the service goes on serving everybody. */
export async function greedyCatalogs(it: Case): Promise<void> {
  let now: Sent | null = null
  const catalog = await oddService({
    '*': (_request, response) => (now ? send(response, now) : answerJson(response, {})),
  })
  it.stage.atEnd(() => catalog.close())
  const origin = new URL(catalog.baseUrl).origin
  const names = Object.keys(CatalogSettings.shape).filter((name) => name !== 'contact')
  const host = await Host.start(it.stage, {
    catalogs: CatalogSettings.parse(Object.fromEntries(names.map((name) => [name, origin]))),
  })
  const token = await host.signIn()
  const ask = () => host.ask('GET', `/servers/status/${host.serverId}`, token)
  const { items } = (await host.ask('GET', '/software', token)) as { items: { id: string }[] }
  const routes = [
    ...items.map(({ id }) => `/software/${id}/versions`),
    '/extensions/search?query=a&software=paper&version=1.21.1',
    '/modpacks/search?query=a',
    '/modpacks/versions?project=modrinth:AAAAAAAA',
    '/extensions/details?project=modrinth:AAAAAAAA&software=paper&version=1.21.1',
  ]
  const readAll = () =>
    Promise.all(routes.map((route) => host.ask('GET', route, token).catch(() => undefined)))
  const calm = await waitBeside(ask, () => host.pid, readAll)
  for (const { what, sent } of answers(it)) {
    now = sent
    judge(it, `catalogs, ${what}`, calm, await waitBeside(ask, () => host.pid, readAll))
  }
}
