import type { Logger } from 'pino'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { Counter } from '../../host/counter.ts'
import type { Stop } from '../base/change.ts'
import type { Clock } from '../base/clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import type { ManagedServer } from '../runtime/managed-server.ts'
import type { Runtime } from '../runtime/types.ts'
import type { StoredMark } from '../store/stats.ts'
import { Door } from './door.ts'
import { EmptyTime } from './empty-time.ts'
import { SleepingFace, said } from './face.ts'
import type { Face, Host, Joining, Visitor } from './visitor.ts'

const LOOK_MS = 5000
const WEEK_MS = 7 * 24 * 60 * 60_000
/** Of an address, per server. */
const WAKES = { burst: 3, perSecond: 1 / 300 }
const WAITING_MOST = 20
const WAITING_MS = 10 * 60_000

interface SleepPorts {
  runtime: Pick<
    Runtime,
    'onStatus' | 'onPlayerNews' | 'servers' | 'busy' | 'beforePort' | 'closing' | 'find' | 'say'
  >
  files: Pick<AllServerFiles, 'of'>
  icon: (serverId: string) => Promise<string | null>
  marks: (serverId: string, from: number, until: number) => readonly StoredMark[]
  clock: Clock
  log: Pick<Logger, 'warn'>
  told: { slept(serverId: string): void; woken(serverId: string, name: string): void }
}

/** What belongs to one sleeping server. */
interface Night {
  door: Door | null
  face: SleepingFace
  /** Monotonic ms; null while nobody woke it. */
  wakingSince: number | null
  usualMs: number | null
  waiting: Set<Visitor>
  /** The last failure to listen that its console tells. */
  deaf: string | null
}

/** Puts servers to sleep that nobody plays on, and wakes them when somebody joins. */
export class Sleep {
  readonly #ports: SleepPorts
  readonly #empty: EmptyTime
  readonly #nights = new Map<string, Night>()
  /** Opening and closing a door don't overlap. */
  readonly #turns = new Lanes({ perLane: 1 })
  readonly #wakes: Counter
  readonly #stops: Stop[]
  #looking: NodeJS.Timeout | null = null
  #isOver = false

  constructor(ports: SleepPorts) {
    const { runtime, clock } = ports
    this.#ports = ports
    this.#wakes = new Counter(WAKES, () => clock.elapsed())
    this.#empty = new EmptyTime({ runtime, elapsed: () => clock.elapsed() })
    this.#stops = [
      runtime.beforePort((serverId) => this.#letGo(serverId)),
      runtime.onStatus((serverId, { status }) => this.#heard(serverId, status)),
    ]
    const closed = () => void this.#closeDoors()
    runtime.closing.addEventListener('abort', closed)
    this.#stops.push(() => runtime.closing.removeEventListener('abort', closed))
  }

  /** Servers that slept when the service ended sleep on. */
  begin(): void {
    const look = () =>
      void this.look().catch((error: unknown) =>
        this.#ports.log.warn({ err: error }, 'sleep was not looked at'),
      )
    this.#looking = setInterval(look, LOOK_MS).unref()
    look()
  }

  async look(): Promise<void> {
    if (this.#isOver) return
    await this.#empty.look(({ spec }) => this.#ports.told.slept(spec.id))
    for (const server of this.#ports.runtime.servers()) {
      const night = this.#nights.get(server.spec.id)
      const { host, port } = server.spec
      const isMoved = night?.door && (night.door.at.host !== host || night.door.at.port !== port)
      if (isMoved || (night?.door && !isListening(server))) await this.#letGo(server.spec.id)
      if (isAsleep(server) && !this.#nights.get(server.spec.id)?.door) await this.#listen(server)
    }
  }

  /** It is deleted. */
  async forget(serverId: string): Promise<void> {
    await this.#letGo(serverId)
    this.#nights.delete(serverId)
  }

  async close(): Promise<void> {
    this.#isOver = true
    if (this.#looking) clearInterval(this.#looking)
    for (const stop of this.#stops) stop()
    this.#empty.close()
    await this.#closeDoors()
  }

  async #closeDoors(): Promise<void> {
    this.#isOver = true
    for (const night of this.#nights.values()) this.#dismiss(night, said.ending)
    await Promise.all([...this.#nights.keys()].map((serverId) => this.#letGo(serverId)))
  }

  #heard(serverId: string, status: unknown): void {
    const night = this.#nights.get(serverId)
    if (status === 'sleeping') {
      if (night?.wakingSince) this.#dismiss(night, said.failed)
      void this.#listen(this.#ports.runtime.find(serverId))
    } else if (status === 'online' && night) {
      for (const visitor of night.waiting) visitor.sendOn()
      this.#dismiss(night, '')
    } else if (status === 'offline' || status === 'crashed') {
      if (night) this.#dismiss(night, said.failed)
      void this.#letGo(serverId)
    }
  }

  /** The wake is over. Those who still wait leave with the sentence. */
  #dismiss(night: Night, sentence: string): void {
    night.wakingSince = null
    for (const visitor of night.waiting) if (sentence) visitor.sendAway(sentence)
    night.waiting.clear()
  }

  #nightOf(serverId: string): Night {
    const known = this.#nights.get(serverId)
    if (known) return known
    const { files, icon, clock } = this.#ports
    const night: Night = {
      ...{ door: null, wakingSince: null, usualMs: null, waiting: new Set(), deaf: null },
      face: new SleepingFace({
        files: files.of(serverId),
        icon: () => icon(serverId),
        now: () => clock.elapsed(),
      }),
    }
    this.#nights.set(serverId, night)
    return night
  }

  #listen(server: ManagedServer): Promise<void> {
    const serverId = server.spec.id
    return this.#turns.run(serverId, async () => {
      const night = this.#nightOf(serverId)
      if (night.door || this.#isOver || !isListening(server)) return
      const { host, port } = server.spec
      const visited: Host = {
        face: () => this.#face(server, night),
        join: (who) => this.#join(server, night, who),
        waits: (visitor) => this.#letWait(server, night, visitor),
      }
      try {
        night.door = await Door.open({ host, port }, visited, () => this.#ports.clock.elapsed())
        night.deaf = null
      } catch (error) {
        const why = `${(error as NodeJS.ErrnoException).code} ${port}`
        if (night.deaf === why) return
        night.deaf = why
        this.#ports.log.warn({ err: error, serverId }, 'a sleeping server cannot be woken by joining')
        this.#ports.runtime.say(serverId, refusalText('console.cannot-listen', { port: String(port) }))
      }
    })
  }

  /** Resolves once its port is free. */
  #letGo(serverId: string): Promise<void> {
    return this.#turns.run(serverId, async () => {
      const night = this.#nights.get(serverId)
      const door = night?.door
      if (!night || !door) return
      night.door = null
      await door.close()
    })
  }

  #face({ spec }: ManagedServer, night: Night): Promise<Face & { takesTransfers: boolean }> {
    const wakes = spec.sleep !== null && spec.sleep?.wake !== 'nobody'
    return night.face.read({ name: spec.name, version: spec.software.version, wakes })
  }

  async #join(server: ManagedServer, night: Night, who: Joining): Promise<{ sentence: string } | 'wait'> {
    const rule = server.spec.sleep
    const mayWake =
      rule?.wake === 'anybody' || (rule?.wake === 'whitelist' && (await night.face.lists(who.name)))
    if (!mayWake) return { sentence: said.asleep }
    const { takesTransfers } = await this.#face(server, night)
    // No await from here on.
    if (night.wakingSince === null) {
      if (!isAsleep(server)) return { sentence: said.busy }
      if (this.#wakes.take(`${server.spec.id} ${who.address}`) > 0) return { sentence: said.tooOften }
      this.#wake(server, night, who.name)
    }
    if (who.mayWait && takesTransfers && night.waiting.size < WAITING_MOST) return 'wait'
    const gone = this.#ports.clock.elapsed() - (night.wakingSince ?? 0)
    return { sentence: said.waking(secondsLeft(night.usualMs, gone)) }
  }

  #letWait(server: ManagedServer, night: Night, visitor: Visitor): void {
    night.waiting.add(visitor)
    const tooLong = setTimeout(() => {
      night.waiting.delete(visitor)
      visitor.sendAway(said.long)
    }, WAITING_MS).unref()
    visitor.onOver = () => {
      clearTimeout(tooLong)
      night.waiting.delete(visitor)
    }
    // The wake may have ended meanwhile.
    if (night.wakingSince !== null) return
    if (server.status().status === 'online') visitor.sendOn()
    else visitor.sendAway(said.failed)
  }

  #wake(server: ManagedServer, night: Night, name: string): void {
    const { clock, marks, runtime, told, log } = this.#ports
    const serverId = server.spec.id
    night.wakingSince = clock.elapsed()
    night.usualMs = usualStart(marks(serverId, clock.now() - WEEK_MS, clock.now()))
    // After whoever woke it is answered: the door closes then.
    setImmediate(() => {
      runtime.say(serverId, refusalText('console.wakes', { name }))
      server.power('start').then(
        () => told.woken(serverId, name),
        (error: unknown) => {
          log.warn({ err: error, serverId }, 'a sleeping server could not be woken')
          this.#dismiss(night, said.failed)
        },
      )
    })
  }
}

const isAsleep = (server: ManagedServer): boolean => server.status().status === 'sleeping'

/** While something is installed or changed, those who join hear so. */
const isListening = (server: ManagedServer): boolean =>
  isAsleep(server) || server.status().status === 'installing'

const STARTS = 5
const LONGEST_MS = 15 * 60_000

/** How long the last starts took, in ms: their median. Null if none is known. */
function usualStart(marks: readonly StoredMark[]): number | null {
  const took: number[] = []
  let begun: number | null = null
  for (const { at, status } of marks) {
    if (status === 'online' && begun !== null) took.push(at - begun)
    begun = status === 'starting' ? at : null
  }
  const last = took
    .filter((ms) => ms > 0 && ms < LONGEST_MS)
    .slice(-STARTS)
    .sort((a, b) => a - b)
  return last[last.length >> 1] ?? null
}

/** What is left of it, in seconds as people say them. */
const secondsLeft = (usualMs: number | null, goneMs: number): number | null =>
  usualMs === null ? null : Math.max(5, Math.ceil((usualMs - goneMs) / 5000) * 5)
