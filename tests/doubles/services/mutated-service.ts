import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import { operations } from '../../../src/contract/areas/index.ts'
import type { Operation } from '../../../src/contract/declarations/operation.ts'
import { brokenText, driftingAnswer, LOST } from './drifting-answers.ts'
import { answerJson, beginEvents, oddService } from './odd-service.ts'

/** One answer of a service that is otherwise true. */
export interface Mutation {
  kind: 'drifted' | 'broken' | 'status' | 'cut' | 'hanging' | 'slow'
  status: number
  type: string
  text: string
  /** What of it a reader has to find; LOST where nothing is. */
  facts: unknown
  /** Of a list: whether it may be called complete. */
  complete?: boolean
}

/** For how long a hanging answer keeps silent before its line is cut, in ms. */
const HANGING_MS = 300
/** The pieces of a slow answer, and how far they are apart, in ms. */
const SLOW = { pieces: 4, everyMs: 50 }
const statuses = [201, 204, 206, 302, 400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 501, 503]
const types = ['application/json', 'text/plain', 'text/html', 'image/png', 'nonsense']

/** Answers of an operation as a service that changed, or is broken, might give them: each kind, and how often it comes. */
function kindsOf(op: Operation, truth: unknown): { weight: number; arbitrary: fc.Arbitrary<Mutation> }[] {
  const text = JSON.stringify(truth)
  const plain = { status: 200, type: 'application/json', text, facts: LOST as unknown }
  const drifted = driftingAnswer(op).map(({ text: sent, facts, complete }) => ({
    ...plain,
    kind: 'drifted' as const,
    text: sent,
    facts,
    ...(complete !== undefined && { complete }),
  }))
  const broken = fc
    .record({ text: brokenText(text), type: fc.constantFrom(...types) })
    .map((one) => ({ ...plain, kind: 'broken' as const, ...one }))
  // Who is signed in is asked to see whether a token still holds.
  const wrong = statuses.filter((status) => status !== 401 || op.id !== 'account.me')
  const status = fc
    .record({ status: fc.constantFrom(...wrong), type: fc.constantFrom(...types), text: brokenText(text) })
    .map((one) => ({ ...plain, kind: 'status' as const, ...one }))
  const cut = fc.nat({ max: text.length }).map((length) => ({
    ...plain,
    kind: 'cut' as const,
    text: text.slice(0, length),
  }))
  return [
    { weight: 10, arbitrary: drifted },
    { weight: 5, arbitrary: broken },
    { weight: 5, arbitrary: status },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.constant({ ...plain, kind: 'hanging' as const }) },
    // It takes its time, and is whole: whoever waits has all that it holds.
    { weight: 2, arbitrary: drifted.map((one) => ({ ...one, kind: 'slow' as const })) },
  ]
}

/**
 * So many of these, or one of each kind where these are more: each kind is among them, however few they are, and
 * the others come as often as they would by chance. Another operation is answered with other statuses by the same seed.
 */
export function drawMutations(op: Operation, truth: unknown, count: number, by: number): Mutation[] {
  const kinds = kindsOf(op, truth)
  const seed = [...op.id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, by)
  const each = kinds.flatMap(({ arbitrary }) => fc.sample(arbitrary, { numRuns: 1, seed }))
  const numRuns = Math.max(0, count - kinds.length)
  return numRuns === 0 ? each : [...each, ...fc.sample(fc.oneof(...kinds), { numRuns, seed })]
}

const user = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
const servers = [
  { id: 'a', name: 'Lighthouse', status: 'online' },
  { id: 'b', name: 'Harbour', status: 'offline' },
]
/** The last line of every console there. */
export const TRUE_LINE = 'Done (2.5s)!'
const page = (items: unknown[]) => ({ items, nextCursor: null })
const asItIs = (value: unknown, status = 200): Mutation => ({
  ...{ kind: 'drifted', status, type: 'application/json', text: JSON.stringify(value), facts: value },
})
/** What the service answers to reads whose facts tests speak of; any other answers what its declaration allows. */
const truths: Readonly<Record<string, unknown>> = {
  'account.me': user,
  'servers.list': page(servers),
  'servers.read': servers[0],
  'servers.status': { status: 'online' },
  'servers.stats': { cpuPercent: 12, memoryBytes: 1_000_000 },
  'console.history': page([{ id: '1-1', text: TRUE_LINE, time: '2026-11-22T12:00:00Z' }]),
  'files.list': page([{ name: 'server.properties', kind: 'file', size: 11 }]),
}

const sought = new Map<Operation, unknown>()

/** What the service answers to an operation; sought once, when it is wanted first, which takes some ten milliseconds. */
export function truthOf(op: Operation): unknown {
  if (!(op.id in truths) && !sought.has(op)) sought.set(op, seekTruth(op))
  return truths[op.id] ?? sought.get(op)
}

function seekTruth(op: Operation): unknown {
  const draw = (numRuns: number) =>
    fc
      .sample(driftingAnswer(op), { numRuns, seed: 1 })
      .find(({ facts }) => facts !== LOST && (!Array.isArray(facts) || facts.length > 0))
  // Mostly it is among the first, and the others need not be made.
  const found = draw(10) ?? draw(200)
  return op.answer.kind === 'list' ? page((found?.facts ?? []) as unknown[]) : found?.facts
}

/**
 * Whom a mutated answer about players is of, so that there is somebody on the list whose sheet has to show it; where it
 * is of nobody, somebody whose sheet nobody has opened yet, so that nothing is kept of them.
 */
function playersIn({ id, mutation, count }: Now): unknown[] | null {
  if (!mutation || (id !== 'players.stats' && id !== 'players.sessions')) return null
  const [first] = Array.isArray(mutation.facts) ? (mutation.facts as { name: string; uuid?: string }[]) : []
  return [first ? { name: first.name, uuid: first.uuid } : { name: `Guest ${count}`, uuid: `guest-${count}` }]
}
/** What is answered otherwise, and how often that was changed. */
interface Now {
  id: string
  mutation: Mutation | null
  count: number
}

const routes = operations.map((op) => ({
  op,
  pattern: new RegExp(`^${op.path.replaceAll(/:\w+/g, '[^/]+')}$`),
  isAnswered: op.answer.kind === 'list' || op.answer.kind === 'json',
}))

/** The event streams of a service, and what is told on them. */
function eventStreams() {
  const streams = new Set<ServerResponse>()
  let isCut = false
  /** What was told last. A panel that watches something else begins a new stream, and was perhaps not reached by the old. */
  let toldLast = ''
  return {
    begin(response: ServerResponse, servers: { id: string; status: string }[]) {
      if (isCut) {
        response.destroy()
        return
      }
      const tell = beginEvents(response)
      streams.add(response)
      response.on('close', () => streams.delete(response))
      for (const { id, status } of servers) tell('status', { serverId: id, status: { status } })
      response.write(toldLast)
    },
    /** Writes on the event stream, and first of all on one that takes its place. */
    tell(text: string) {
      toldLast = text
      for (const stream of streams) stream.write(text)
    },
    /** Ends the event stream in the middle of what it tells, and lets no other begin until it is mended. */
    cutIn(text: string) {
      isCut = true
      toldLast = ''
      for (const stream of streams) stream.write(text.slice(0, text.length / 2))
      for (const stream of streams) stream.destroy()
    },
    mend() {
      isCut = false
    },
  }
}

/**
 * A service of two servers, the first of which is online, one of whose operations answers otherwise while a test wants it.
 *
 * @param more online servers beside them, `s1` and so on: each has a console that nobody has opened yet
 * @param tells whether its stream says how each server is: otherwise reads alone do
 */
export async function mutatedService(more = 0, tells = true) {
  const now: Now = { id: '', mutation: null, count: 0 }
  const others = Array.from({ length: more }, (_, at) => ({
    ...{ id: `s${at + 1}`, name: `Buoy ${at + 1}`, status: 'online' },
  }))
  const all = [...servers, ...others].map((one) => ({ ...one }))
  const streams = eventStreams()
  const asked = new Map<string, number>()
  /** What is answered to a call. */
  function told(method: string, pathname: string): Mutation {
    const path = pathname.replace(/^\/api\/v1/, '')
    const route = routes.find(({ op, pattern }) => op.method === method && pattern.test(path))
    const truth = route?.isAnswered ? truthOf(route.op) : undefined
    if (!route || truth === undefined) return asItIs({}, 501)
    asked.set(route.op.id, (asked.get(route.op.id) ?? 0) + 1)
    if (now.mutation && route.op.id === now.id) return now.mutation
    const one = all.find(({ id }) => path.endsWith(`/${id}`))
    const players = route.op.id === 'players.list' ? playersIn(now) : null
    if (players) return asItIs(page(players))
    if (route.op.id === 'servers.list') return asItIs(page(all))
    if (one && route.op.id === 'servers.read') return asItIs(one)
    if (one && route.op.id === 'servers.status') return asItIs({ status: one.status })
    return asItIs(truth)
  }
  const service = await oddService({
    'POST /auth/login': (_request, response) =>
      answerJson(response, { token: 'token-of-a-mutated-service', user }),
    'GET /servers/events': (_request, response) => streams.begin(response, tells ? all : []),
    '*': (request, response, { pathname }) => send(request, response, told(request.method ?? '', pathname)),
  })
  return {
    ...service,
    ...streams,
    account: { email: user.email, password: 'Ann likes long passwords' },
    /** How often an operation was asked for. */
    asked: (id: string) => asked.get(id) ?? 0,
    /** Answers one operation otherwise from now on; null: as it is. */
    mutate(id: string, mutation: Mutation | null) {
      Object.assign(now, { id, mutation, count: now.count + 1 })
    },
    /** Has every read say so of a server from now on, as its stream does: what a stream tells makes reads old. */
    turn(serverId: string, status: string) {
      for (const one of all) if (one.id === serverId) one.status = status
    },
  }
}

async function send(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { kind, status, type, text }: Mutation,
): Promise<void> {
  if (kind === 'hanging') {
    await new Promise((resolve) => setTimeout(resolve, HANGING_MS))
    socket.destroy()
    return
  }
  const headers = { 'Content-Type': type, ...(status === 429 && { 'Retry-After': '0' }) }
  if (kind === 'cut') {
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) + 10 }).write(text)
    setImmediate(() => socket.destroy())
    return
  }
  if (kind === 'slow') {
    response.writeHead(status, headers)
    for (let at = 0; at < SLOW.pieces; at++) {
      const [from, to] = [at, at + 1].map((part) => Math.floor((part * text.length) / SLOW.pieces))
      response.write(text.slice(from, to))
      await new Promise((resolve) => setTimeout(resolve, SLOW.everyMs))
    }
    response.end()
    return
  }
  response.writeHead(status, headers).end(status === 204 ? undefined : text)
}
