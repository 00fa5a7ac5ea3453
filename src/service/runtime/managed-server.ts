import type { PowerAction } from '../../contract/areas/servers.ts'
import { isStopped } from '../../contract/rules/power.ts'
import type { ConsoleLog } from './console/console-log.ts'
import { formatLineId } from '../../contract/rules/line-ids.ts'
import type { Refusal } from '../../host/refusal.ts'
import type { Say, Software } from '../software/software.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import { awaitAnswer } from './awaited-answer.ts'
import { Listeners } from '../base/change.ts'
import { CrashKeeper } from './crashes/crash-keeper.ts'
import { goneOf, type ProcessExit, type RunningProgram, type StopLimits } from './programs/driver.ts'
import { endingParts, isStop } from './ending.ts'
import type { FailedWorkInput } from './failed-work.ts'
import { InstallRun, missingInstallation, said, type Work, type WorkWords } from './install-run.ts'
import { OnlinePlayers } from './online-players.ts'
import { programOutput } from './program-output.ts'
import * as refusals from './power-refusals.ts'
import { type Phase, restingPhase, type ServerPorts, specAt, statusOf } from './server-phase.ts'
import { RunningJobs } from './running-jobs.ts'
import { SampledStats } from './stats/sampled-stats.ts'
import { survivorText, tellOfSurvivor } from './processes/survivors.ts'
import type { RuntimeStatusInput, ServerSpec, StartMode } from './types.ts'
import { refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'

export type Change = 'status' | 'players' | 'stats'

export class ManagedServer {
  readonly console: ConsoleLog
  readonly changes = new Listeners<Change>()
  readonly jobs = new RunningJobs()
  readonly output = new Listeners<readonly string[]>()
  readonly online: OnlinePlayers
  readonly crashes: CrashKeeper
  readonly stats: SampledStats
  readonly #ports: ServerPorts
  #spec: ServerSpec
  /** The spec it was started with: later changes apply to the next start. */
  #started: ServerSpec | null = null
  #phase: Phase
  #since: string
  /** The end was requested, by a person or by us. */
  #asked = false
  #again = false
  #failure: FailedWorkInput | null = null
  #idle: (() => void)[] = []
  #closing = false
  /** Resolves once it is known what an earlier service left of it. */
  readonly recovered: Promise<void>

  constructor(spec: ServerSpec, ports: ServerPorts) {
    this.#spec = spec
    this.#ports = ports
    this.console = ports.console
    this.crashes = new CrashKeeper(spec.id, ports.crashes)
    this.#phase = this.#resting
    this.#since = this.crashes.crash?.at ?? new Date().toISOString()
    const now = () => ({ spec: this.runs ?? this.#spec, program: this.#program, phase: this.#phase.kind })
    this.stats = new SampledStats(now, () => this.changes.tell('stats'))
    this.online = new OnlinePlayers(ports.softwareOf(spec.software.id)?.maxPlayers ?? 0)
    for (const change of ['players', 'status'] as const)
      this.online.changed.on(() => this.changes.tell(change))
    this.recovered = this.#recover()
  }

  get spec(): ServerSpec {
    return this.#spec
  }

  get runs(): ServerSpec | null {
    return specAt(this.#spec.container ? this.#started && this.#spec : this.#started, this.#phase)
  }

  update(spec: ServerSpec): void {
    const { folder, cpus } = this.#spec
    this.#spec = spec
    if (spec.folder !== folder) this.stats.moved()
    if (spec.cpus !== cpus) this.#program?.useCores?.(spec.cpus ?? null).catch(this.#ports.failed)
    if (!spec.sleep && this.#phase.kind === 'sleeping') this.#enter({ kind: 'offline' })
  }

  get isDown(): boolean {
    return isStopped(this.#phase.kind)
  }

  /** Why nobody knows whether it runs. */
  get missing(): Refusal | null {
    return this.#phase.kind === 'missing' ? this.#phase.search.missing : null
  }

  status(): RuntimeStatusInput {
    const failure = this.#failure ?? undefined
    return { since: this.#since, players: this.online.count, failure, ...statusOf(this.#phase) }
  }

  get #program(): RunningProgram | null {
    return 'program' in this.#phase ? this.#phase.program : null
  }

  /** Throws Refusal 409 if the action makes no sense now. */
  async power(action: PowerAction, how: StartMode = {}): Promise<void> {
    const search = this.#phase.kind === 'missing' ? this.#phase.search : null
    await search?.look()
    if (search && action === 'start' && this.#program) return
    if (action === 'kill') return this.#kill()
    if (action === 'stop') return this.#stop(false)
    return action === 'start' || this.isDown ? this.#start(how) : this.#stop(true)
  }

  /** Returns the id of its console line. */
  command(text: string): string {
    const program = this.#program
    if (!program) throw this.missing ?? refusals.cannotReceive()
    const id = formatLineId(this.console.append([text], 'command'))
    if (!program.write(text)) throw program.noInput ?? refusals.notReading()
    if (text === this.#software()?.stopCommand) this.#asked = true
    return id
  }

  /** A command of the service's own, not shown as anybody's. Returns false if nobody reads it. */
  tell(text: string): boolean {
    return this.#program?.write(text) ?? false
  }

  /** Does nothing if complete or running. */
  install(): void {
    if (this.isDown && !this.#closing) void this.#install().catch(() => undefined)
  }

  async #install(): Promise<boolean> {
    const missing = missingInstallation(this.#software(), this.#spec)
    return missing === null || this.work(missing.words, missing.work)
  }

  work(words: WorkWords, work: Work): Promise<boolean> {
    if (!this.isDown) throw this.#busy('changed')
    if (this.#closing) throw refusals.serviceClosing()
    const run = new InstallRun(() => this.changes.tell('status'))
    this.#failure = null
    this.#enter({ kind: 'installing', run })
    return run.take(words, work, this.#say).finally(() => {
      this.#failure = run.failure
      this.#enter(this.#resting)
    })
  }

  get #resting(): Phase {
    return restingPhase(this.crashes.crash, this.#ports.sleepers.has(this.#spec.id))
  }

  /** Stops for good and waits until nothing is left. Call again to hurry. */
  async shutDown(limits: StopLimits): Promise<void> {
    this.#closing = true
    this.#again = false
    await goneOf(this.#survivor)
    if (this.isDown || this.missing) return
    if (this.#program?.leave) return this.#program.leave()
    const down = new Promise<void>((resolve) => this.#idle.push(resolve))
    this.#asked = true
    if (this.#phase.kind === 'installing') this.#phase.run.cancel()
    if (this.#program) this.#stopProgram(this.#program, limits)
    await down
  }

  async #start(how: StartMode = {}, isFetched = false): Promise<void> {
    if (!this.isDown) throw this.#busy('started')
    if (this.#closing) throw refusals.serviceClosing()
    this.#ports.requireMayStart(this.#say)
    if (!isFetched && !this.#installed('isDone')) return this.#installAndStart(how)
    const before = this.#since
    this.#asked = false
    this.#again = false
    this.#failure = null
    const spec = (this.#started = this.#spec)
    this.#enter({ kind: 'starting', program: null })
    try {
      await this.#ports.freePort()
      await refusals.requireStartable(spec, this.#ports.runsOnPort(spec.port, spec.id))
    } catch (error) {
      this.#say(said(error))
      this.#enter(this.#resting)
      this.#since = before
      throw error
    }
    try {
      const software = this.#software()
      if (!software) throw refusals.notOffered(spec.software.id)
      this.online.max = software.maxPlayers
      this.crashes.began(this.console.position(1))
      this.#say(refusals.startingText(software.name, spec))
      const { driver } = this.#ports
      const program = await software.program(driver.within({ ...spec, ...how }))
      this.#run(await driver.start(spec, program, programOutput(this, this.#heed, software), this.#say))
    } catch (error) {
      this.#say(refusalText('console.not-started'), said(error))
      this.crashes.crashed(null, this.console.position(0), error)
      this.#enter(this.#resting)
    }
  }

  #installed(what: 'isDone' | 'isStartable'): boolean {
    return this.#software()?.installation?.[what](this.#spec) ?? true
  }

  /** Not awaited: downloads can take minutes. */
  #installAndStart(how: StartMode): void {
    const start = () => (this.isDown && this.#installed('isStartable') ? this.#start(how, true) : undefined)
    void this.#install()
      .then((isDone) => (isDone ? start() : undefined))
      .catch(() => undefined)
  }

  #run(program: RunningProgram): void {
    // Its first lines may have arrived already, so it may be online.
    this.#phase = { kind: 'program' in this.#phase ? this.#phase.kind : 'starting', program }
    program.onExit((ending) => this.#program === program && this.#ended(ending))
    program.onPlace?.(() => this.changes.tell('status'))
    const isStarting = () => this.#phase.kind === 'starting' && this.#program === program
    void awaitAnswer(this.runs ?? this.#spec, isStarting, this.#ports.answer, this.#say).then(this.#heed)
    if (this.#asked) this.#stopProgram(program, this.#ports.limits)
    this.stats.soon()
  }

  /** Stops it as `stop` does; then it sleeps. Does nothing unless it is online. */
  fallAsleep(why: RefusalText): void {
    if (this.#phase.kind !== 'online' || this.#closing) return
    this.#say(why)
    this.#stop(false)
    this.#ports.sleepers.set(this.#spec.id)
  }

  #stop(again: boolean): void {
    if (this.#phase.kind === 'sleeping') return this.#enter({ kind: 'offline' })
    if (this.isDown) throw refusals.notRunning()
    if (this.#survivor || this.missing) throw this.#busy(again ? 'restarted' : 'stopped')
    if (this.#phase.kind === 'installing' && again) throw this.#busy('restarted')
    if (this.#phase.kind === 'installing') return this.#phase.run.cancel()
    this.#ports.sleepers.clear(this.#spec.id)
    const isStopping = this.#asked && this.#phase.kind === 'stopping'
    this.#again = again
    this.#asked = true
    if (this.#program && !isStopping) this.#stopProgram(this.#program, this.#ports.limits)
  }

  #stopProgram(program: RunningProgram, limits: StopLimits): void {
    if (this.#phase.kind !== 'stopping') {
      this.#say(refusalText(this.#again ? 'console.restarting' : 'console.stopping'))
      this.#enter({ kind: 'stopping', program })
    }
    program.stop(this.#software()?.stopCommand ?? null, limits, this.#say)
  }

  #kill(): void {
    if (this.#phase.kind === 'installing') return this.#phase.run.cancel()
    const program = this.#program
    if (!program) throw this.isDown ? refusals.notRunning() : this.#busy('killed')
    this.#again = false
    this.#asked = true
    this.#ports.sleepers.clear(this.#spec.id)
    this.#say(refusalText('console.killing'))
    this.#enter({ kind: 'stopping', program })
    program.kill()
  }

  /** Takes its program, whose node is gone, for ended. Throws 409 `node.not-gone`, `server.maybe-running`. */
  async abandon(): Promise<void> {
    const program = this.#program
    if (!program?.abandon) throw refusals.notGone()
    this.#again = false
    await program.abandon()
  }

  get #survivor() {
    return this.#ports.driver.survivors.get(this.#spec.id)
  }

  #busy(what: Parameters<typeof refusals.busy>[0]): Refusal {
    return this.missing ?? refusals.busy(what, this.#phase.kind, this.#survivor !== undefined)
  }

  #ended(ending: ProcessExit): void {
    const wasTold = this.#asked || isStop(ending, this.#phase.kind)
    if (wasTold) this.crashes.over()
    const why = wasTold ? null : this.crashes.crashed(ending, this.console.position(1))
    this.#say(...endingParts(ending, this.#phase.kind, wasTold, why))
    this.#enter(this.#resting)
    if (this.#again) void this.#start().catch(() => undefined)
  }

  #heed = (sign: Sign | null): void => {
    if (!sign) return
    const phase = this.#phase
    if (sign.kind !== 'online' && sign.kind !== 'stopping') return this.online.heard(sign)
    // Check first: repeated signs would list all processes each time.
    if (sign.kind === 'online' && phase.kind === 'starting') {
      this.crashes.over()
      this.#enter({ kind: 'online', program: phase.program })
      this.stats.soon()
    } else if (sign.kind === 'stopping' && phase.kind === 'online')
      this.#enter({ kind: 'stopping', program: phase.program })
  }

  /** Others have started what it follows. */
  found(): void {
    if (this.isDown && !this.#closing) void this.#recover()
  }

  async #recover(): Promise<void> {
    const search = this.#ports.driver.search?.(this.#spec)
    if (search?.missing) {
      this.#enter({ kind: 'missing', search })
      this.#say(said(search.missing))
      await search.done
      this.#enter(this.#resting)
    }
    const survivor = this.#survivor
    if (survivor?.kind === 'running') {
      this.#started = this.#spec
      this.#asked = this.#again = false
      this.crashes.began(this.console.position(1))
      this.#enter({ kind: survivor.isFresh ? 'starting' : 'online', program: null })
      this.#say(survivorText(survivor))
      const output = programOutput(this, this.#heed, this.#software())
      const program = survivor.resume(output, this.console.lastOutput())
      this.#run(program)
      return program.known
    }
    if (survivor?.kind !== 'ending') return
    this.#enter({ kind: 'stopping', program: null })
    await tellOfSurvivor(survivor.gone, this.#say)
    this.crashes.over()
    this.#enter(this.#resting)
  }

  #enter(phase: Phase): void {
    const isNew = phase.kind !== this.#phase.kind
    this.#phase = phase
    if (!('program' in phase)) this.#started = null
    if (['online', 'offline', 'crashed'].includes(phase.kind)) this.#ports.sleepers.clear(this.#spec.id)
    if (!isNew) return
    this.#since = new Date().toISOString()
    if (phase.kind !== 'online') this.stats.forget()
    if (this.isDown) this.online.down()
    this.changes.tell('status')
    if (this.isDown) for (const idle of this.#idle.splice(0)) idle()
  }

  #software = (): Software | null => this.#ports.softwareOf(this.#spec.software.id)

  #say: Say = (...parts) => this.console.say(parts)
}
