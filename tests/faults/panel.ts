import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import WebSocket from 'ws'
import type { CallInput, CallName, CallOutput } from '../../src/contract/bridge/calls.ts'
import type { Outcome, Problem } from '../../src/contract/bridge/problem.ts'
import type { Transfer, TransferItem, Transfers } from '../../src/contract/bridge/transfer-values.ts'
import { letIn, type PageSession } from '../../src/web/let-in.fixture.ts'
import type { Program } from '../e2e/fixtures/program.ts'
import { ACCOUNT } from './host.ts'
import type { Stage } from './stage.ts'
import type { Tree } from './tree.ts'

/** How long nothing may be told of any transfer, in milliseconds: longer than any wait of the panel's own. */
const PATIENCE = 180_000
/** Files the page sends in one request: as the panel's own page does. */
const GROUP = { bytes: 4 * 1024 * 1024, files: 200 }

/** What the panel refused. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(what: string, problem: Problem) {
    super(`${what}: ${problem.code}: ${problem.message}`)
    this.problem = problem
  }
}

/** A panel as people start it, and a page on it that has no window: the same socket, the same hand-over of files. */
export class Panel {
  readonly data: string
  /** Every problem a transfer was shown with. */
  readonly problems: Problem[] = []
  connectionId = ''
  readonly #stage: Stage
  #program: Program | null = null
  #own: PageSession | null = null
  #page = ''
  #socket: WebSocket | null = null
  #nextId = 1
  readonly #waiting = new Map<number, (outcome: Outcome<never>) => void>()
  readonly #watching = new Set<() => void>()
  #now: Transfers = { items: [], limit: null, atOnce: 2 }

  private constructor(stage: Stage, data: string) {
    this.#stage = stage
    this.data = data
  }

  /** @param data its data folder; one of the stage's own unless given */
  static async start(stage: Stage, data = stage.at('panel')): Promise<Panel> {
    const panel = new Panel(stage, data)
    await panel.start()
    return panel
  }

  /** Starts it (again), lets itself in by the address it prints, and opens the page's socket. */
  async start(): Promise<void> {
    this.#program = this.#stage.start('web', ['--no-open', '--data', this.data])
    const own = await letIn(await this.#program.says(/^Panel: (\S+)$/m))
    this.#own = own
    this.#page = randomUUID()
    const socket = new WebSocket(
      `${own.origin.replace('http', 'ws')}/socket?page=${this.#page}`,
      ...own.socket,
    )
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#hear(data.toString()))
    socket.on('close', () => this.#hearNothing())
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.on('error', () => socket.terminate())
    this.#take(await this.call('transfers.list', undefined))
  }

  /** Signs in to a service, or again where the token was not kept. */
  async signIn(port: number): Promise<void> {
    const baseUrl = `http://127.0.0.1:${port}/api/v1`
    const known = (await this.call('connections.list', undefined)).find(({ id }) => id === this.connectionId)
    if (known && known.state.kind !== 'signed-out') return
    this.connectionId = (await this.call('connections.sign-in', { baseUrl, ...ACCOUNT })).id
  }

  /** Makes a call of the bridge as the panel's views do. Throws {@link Refused}. */
  async call<N extends CallName, const In extends CallInput<N>>(
    name: N,
    input: In,
  ): Promise<CallOutput<N, In>> {
    const outcome = await new Promise<Outcome<CallOutput<N, In>>>((resolve) => {
      const id = this.#nextId++
      this.#waiting.set(id, resolve)
      this.#socket?.send(JSON.stringify({ id, name, input }))
    })
    if (!outcome.ok) throw new Refused(name, outcome.problem)
    return outcome.value
  }

  /**
   * Hands a tree over as the page does: says what comes, then sends the bytes. Answers once it is queued; `sent` resolves
   * when the last byte was taken, and with the problem where the panel did not take all of them. `fault` is done after so
   * many bytes of them.
   */
  async upload(
    tree: Tree,
    serverId: string,
    folder = 'arrived',
    fault?: { after: number; act: () => void },
  ): Promise<{ transferId: string; sent: Promise<Problem | null> }> {
    const files = [...tree.files].map(([name, { size, modifiedAt }]) => ({ path: name, size, modifiedAt }))
    const announced = await this.#hand<{ transferId: string; itemIds: number[] }>(
      'POST',
      '/uploads',
      JSON.stringify({
        to: { connectionId: this.connectionId, serverId, folder },
        folders: tree.folders,
        page: this.#page,
        files,
      }),
    )
    if (!announced.ok) throw new Refused('uploads', announced.problem)
    const { transferId, itemIds } = announced.value
    const sent = this.#sendAll(transferId, tree.root, grouped(files, itemIds), fault)
    sent.catch(() => undefined)
    return { transferId, sent }
  }

  /** Files of a transfer that failed, with why. */
  async failures(transferId: string): Promise<TransferItem[]> {
    const only = { only: 'failed', offset: 0, limit: 1000 } as const
    return (await this.call('transfers.items', { transferId, ...only })).items
  }

  /** Waits until something is told to be wrong with a transfer, or with a file of it; null where it ends without. */
  async untilWrong(transferId: string): Promise<Problem | null> {
    const { problem, filesFailed } = await this.until(
      transferId,
      'told to be wrong, or ended',
      (now) => now.problem !== null || now.filesFailed > 0 || now.endedAt !== null,
    )
    if (problem || filesFailed === 0) return problem
    return (await this.failures(transferId))[0]?.problem ?? null
  }

  /** The transfer as it was told last. */
  transfer(transferId: string): Transfer | undefined {
    return this.#now.items.find(({ id }) => id === transferId)
  }

  /**
   * Waits until a transfer is as wanted, also while the panel ends and is started again. Throws where nothing is told for
   * too long, with how it stands.
   */
  until(transferId: string, what: string, look: (transfer: Transfer) => boolean): Promise<Transfer> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#watching.delete(watch)
        reject(new Error(`The transfer was never ${what}: ${JSON.stringify(this.transfer(transferId))}`))
      }, PATIENCE)
      const watch = () => {
        late.refresh()
        const transfer = this.transfer(transferId)
        if (!transfer || !look(transfer)) return
        clearTimeout(late)
        this.#watching.delete(watch)
        resolve(transfer)
      }
      this.#watching.add(watch)
      watch()
    })
  }

  /** Waits until a transfer has ended, however. */
  untilEnded(transferId: string): Promise<Transfer> {
    return this.until(transferId, 'ended', ({ endedAt }) => endedAt !== null)
  }

  /** Ends its process at once, as a crash would. */
  signalKill(): void {
    this.#program?.signal('SIGKILL')
  }

  /** Asks it to end; answers with which code it did. Throws where it does not. */
  async end(): Promise<number | null> {
    const ending = await this.#program?.end()
    this.#socket?.terminate()
    return ending?.code ?? null
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    await this.#program?.ended
    this.#socket?.terminate()
  }

  /** What its page holds. */
  get own(): PageSession {
    if (!this.#own) throw new Error('The panel was not started.')
    return this.#own
  }

  get hasEnded(): boolean {
    return this.#program?.ending !== null
  }

  get pid(): number {
    return this.#program?.pid ?? 0
  }

  async #sendAll(
    transferId: string,
    root: string,
    groups: Sent[][],
    fault: { after: number; act: () => void } | undefined,
  ): Promise<Problem | null> {
    let left = fault?.after ?? Infinity
    let first: Problem | null = null
    const count = (piece: Buffer) => {
      if (left === Infinity) return
      left -= piece.length
      if (left > 0) return
      left = Infinity
      fault?.act()
    }
    for (let group = groups.shift(); group; group = groups.shift()) {
      const at = `/uploads/${transferId}/${group.map(({ id }) => id).join(',')}`
      const outcome = await this.#hand('PUT', at, Readable.from(contents(root, group, count)))
      if (outcome.ok) continue
      first ??= outcome.problem
      // As the panel's own page does: each of a group by itself, and what does not go is told.
      if (group.length > 1) groups.unshift(...group.map((one) => [one]))
      else await this.#hand('DELETE', at, '')
    }
    return first
  }

  async #hand<T>(method: string, at: string, body: string | Readable): Promise<Outcome<T>> {
    const { origin, headers } = this.own
    const answer = await fetch(origin + at, {
      method,
      body: body as BodyInit,
      duplex: 'half',
      headers,
    } as RequestInit)
    if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Outcome<T>
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as
      { id: number; outcome: Outcome<never> } | { event: string; value: unknown }
    if ('event' in message) {
      if (message.event === 'transfers') this.#take(message.value as Transfers)
      return
    }
    this.#waiting.get(message.id)?.(message.outcome)
    this.#waiting.delete(message.id)
  }

  #hearNothing(): void {
    const gone = { code: 'offline', message: 'The panel has ended.', retryable: true } as const
    for (const answer of this.#waiting.values()) answer({ ok: false, problem: gone })
    this.#waiting.clear()
  }

  #take(now: Transfers): void {
    this.#now = now
    for (const { problem } of now.items) if (problem) this.problems.push(problem)
    for (const watch of [...this.#watching]) watch()
  }
}

interface Sent {
  id: number
  path: string
  size: number
}

function grouped(files: { path: string; size: number }[], ids: readonly number[]): Sent[][] {
  const groups: Sent[][] = []
  let bytes = 0
  for (const [at, { path, size }] of files.entries()) {
    const last = groups.at(-1)
    const one = { id: ids[at] ?? 0, path, size }
    if (last && bytes + size <= GROUP.bytes && last.length < GROUP.files) last.push(one)
    else {
      groups.push([one])
      bytes = 0
    }
    bytes += size
  }
  return groups
}

async function* contents(
  root: string,
  group: readonly Sent[],
  count: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  for (const { path: name } of group) {
    const file = path.join(root, ...name.split('/'))
    for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      yield piece as Buffer
      count(piece as Buffer)
    }
  }
}
