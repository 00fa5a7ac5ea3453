import type { Logger } from 'pino'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import type { Clock } from '../../base/clock.ts'
import { Refusal, refusal } from '../../../host/refusal.ts'
import { said } from '../../runtime/install-run.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { BackupRow } from '../../store/backups.ts'
import type { BackupCopyRow } from '../../store/backup-targets.ts'
import type { Store } from '../../store/store.ts'
import type { ResticEngine } from '../restic/restic-engine.ts'
import { CanceledWork, type Works } from '../works.ts'
import type { Targets } from './targets.ts'

/** In the whole service: each takes of the same network. */
const AT_ONCE = 2
/** How long room may stay taken at a target: freeing it reads much of what is there. */
const PRUNE_AFTER_MS = 7 * 24 * 60 * 60 * 1000

interface TargetCopiesPorts {
  store: Pick<Store, 'servers' | 'backups' | 'backupTargets'>
  targets: Targets
  engine: ResticEngine
  works: Pick<Works, 'beside'>
  runtime: Pick<Runtime, 'say'>
  clock: Pick<Clock, 'now'>
  log: Logger
  tell(serverId: string): void
  failed(serverId: string, target: string): void
}

/** Copies of backups at targets: whole backups of a server that a target lacks go there, deleted ones leave. */
export class TargetCopies {
  readonly #ports: TargetCopiesPorts
  readonly #lanes = new Lanes({ atOnce: AT_ONCE })
  readonly #begun = new Map<string, Promise<void>>()

  constructor(ports: TargetCopiesPorts) {
    this.#ports = ports
  }

  /** What an earlier run left undone. */
  resume(): void {
    for (const { id } of this.#ports.store.servers.all()) void this.begin(id)
  }

  /** Makes room for other work on the backups of this server. What fails waits for the next backup; never rejects. */
  begin(serverId: string): Promise<void> {
    const begun = this.#begun.get(serverId)
    if (begun || !this.#isWanting(serverId)) return begun ?? Promise.resolve()
    const { works, log } = this.#ports
    const newest = this.#whole(serverId).at(-1)?.id ?? ''
    const stopping = new AbortController()
    const work = works.beside(
      serverId,
      { kind: 'copy', backupId: newest },
      ({ signal }) => this.#lanes.run('', () => this.#copyAll(serverId, signal), signal),
      { outer: stopping.signal, makeRoom: () => stopping.abort() },
    )
    const ended = work
      .catch((error: unknown) => {
        if (!(error instanceof CanceledWork)) log.warn({ err: error, serverId }, 'copies of backups wait')
      })
      .then(() => {
        this.#begun.delete(serverId)
        return stopping.signal.aborted ? this.begin(serverId) : undefined
      })
    this.#begun.set(serverId, ended)
    return ended
  }

  #isWanting(serverId: string): boolean {
    const { store } = this.#ports
    const copies = store.backupTargets.copiesOf(serverId)
    if (copies.some(({ state }) => state === 'unwanted')) return true
    return this.#chosen(serverId).some((targetId) => this.#lacking(serverId, targetId).length > 0)
  }

  #chosen(serverId: string): string[] {
    const there = new Set(this.#ports.targets.all().map(({ id }) => id))
    return this.#ports.store.backups.settings(serverId).targets.filter((id) => there.has(id))
  }

  /** Oldest first. */
  #whole(serverId: string): BackupRow[] {
    const rows = this.#ports.store.backups.of(serverId)
    return rows.filter(({ state, engine }) => state === 'done' && engine === 'restic').reverse()
  }

  #lacking(serverId: string, targetId: string): BackupRow[] {
    const there = new Set(
      this.#ports.store.backupTargets
        .copiesOf(serverId)
        .filter((copy) => copy.targetId === targetId && copy.state === 'there')
        .map(({ backupId }) => backupId),
    )
    return this.#whole(serverId).filter(({ id }) => !there.has(id))
  }

  async #copyAll(serverId: string, signal: AbortSignal): Promise<void> {
    const { store, engine } = this.#ports
    await engine.require(signal)
    const chosen = this.#chosen(serverId)
    const leaving = store.backupTargets
      .copiesOf(serverId)
      .filter(({ state }) => state === 'unwanted')
      .map(({ targetId }) => targetId)
    for (const targetId of new Set([...chosen, ...leaving])) {
      if (chosen.includes(targetId)) await this.#copyTo(serverId, targetId, signal)
      await this.#removeFrom(serverId, targetId, signal)
    }
  }

  async #copyTo(serverId: string, targetId: string, signal: AbortSignal): Promise<void> {
    const { store, targets, engine } = this.#ports
    for (const { id: backupId } of this.#lacking(serverId, targetId)) {
      const from = engine.store?.(serverId)
      if (!from) throw refusal(409, 'backups.no-engine')
      const copy = { serverId, targetId, backupId }
      try {
        await targets.within(targetId, (target) => target.copy(backupId, from, signal))
        store.backupTargets.putCopy({ ...copy, state: 'there', error: null })
        this.#ports.tell(serverId)
      } catch (error) {
        signal.throwIfAborted()
        this.#failed(copy, error)
        const isOfBackup = error instanceof Refusal && error.code === 'backups.not-found'
        if (!isOfBackup) return
      }
    }
  }

  #failed(copy: Omit<BackupCopyRow, 'state' | 'error'>, error: unknown): void {
    const { store, targets, runtime, log } = this.#ports
    const { serverId, targetId } = copy
    const target = store.backupTargets.byId(targetId)
    if (!target) return
    const told = error instanceof Refusal ? error : refusal(500, 'backups.unexpected')
    if (told !== error) log.error({ err: error, serverId }, 'a backup was not copied')
    store.backupTargets.putCopy({ ...copy, state: 'failed', error: told.asTold })
    const { name } = targets.find(targetId)
    runtime.say(serverId, refusalText('console.backup-not-copied', { target: name }), said(told))
    this.#ports.failed(serverId, name)
    this.#ports.tell(serverId)
  }

  async #removeFrom(serverId: string, targetId: string, signal: AbortSignal): Promise<void> {
    const { store, targets, clock, log } = this.#ports
    const gone = store.backupTargets
      .copiesOf(serverId)
      .filter((copy) => copy.targetId === targetId && copy.state === 'unwanted')
    const row = store.backupTargets.byId(targetId)
    if (!row || gone.length === 0) return
    try {
      await targets.within(targetId, async (target) => {
        await target.forget(
          serverId,
          gone.map(({ backupId }) => backupId),
          signal,
        )
        for (const copy of gone) store.backupTargets.removeCopy(copy)
        if (clock.now() - row.prunedAt < PRUNE_AFTER_MS) return
        await target.prune(signal)
        targets.pruned(targetId)
      })
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ err: error, serverId }, 'copies of deleted backups stay for now')
    }
  }
}
