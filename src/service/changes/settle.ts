import { lstatSync, mkdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { asRefusal } from '../files/names/refusals.ts'
import { entriesNow } from '../files/safe-fs/read-folder.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { sameName } from './pack-paths.ts'
import { Refusal } from '../../host/refusal.ts'
import type { InstallationRecord, InstalledRecords } from '../software/installed.ts'
import { CUSTOM } from '../software/installed.ts'
import { placeStaged } from '../software/installs/staged-files.ts'
import type { ServerRow } from '../store/servers.ts'
import type { Store } from '../store/store.ts'
import { unsettled } from './change-words.ts'
import type { CopyRecord, CopyRecords, Journal } from './copy-records.ts'
import { moveDimensions } from './dimension-moves.ts'
import { LEFT_OUT } from './parts.ts'
import { inCopies, inServer, type Step } from '../../extensions/folder/step.ts'
import { doSteps, type StepContext, stepFrom } from './steps.ts'

/* All steps can be repeated after a kill. All functions are synchronous, so nothing runs between their steps. */

export interface SettleContext {
  serverId: string
  copies: CopyRecords
  files: ServerFiles
  store: Pick<Store, 'servers'>
  records: InstalledRecords
  changed: (row: ServerRow) => void
  log: Logger
}

/** Completes a committed operation or rolls back an uncommitted one; returns whether it was committed. */
export function settleJournal(settling: SettleContext): boolean {
  const { serverId, copies, records } = settling
  const journal = copies.journal
  const wasDecided = journal?.kind !== 'change' || settleChange(settling, journal)
  if (journal?.kind === 'parts') replaceParts(settling, journal.steps)
  else if (journal && journal.kind !== 'change') run(settling, journal)
  void records.dropNext(serverId).catch(() => undefined)
  return wasDecided
}

/** Like `settleJournal`, while the service runs. Throws 409 `software.unsettled` if it fails. */
export function settleOpen(settling: SettleContext): boolean {
  const { serverId, copies, log } = settling
  let wasDecided = false
  try {
    wasDecided = settleJournal(settling)
  } catch (error) {
    log.error({ err: error, serverId }, 'a change of a server could not be settled')
  }
  if (copies.isOpen) throw unsettled()
  return wasDecided
}

/** Committed if the database row has the new software; if that is the same as before, the install record decides. */
function settleChange(
  settling: SettleContext,
  { copy, to, pack, moves }: Journal & { kind: 'change' },
): boolean {
  const { serverId, copies, records, store, files, log, changed } = settling
  const row = store.servers.byId(serverId)
  const isSame = copy.software.id === to.id && copy.software.version === to.version
  const isDone = isSame
    ? records.next(serverId) === null
    : row?.softwareId === to.id && row.softwareVersion === to.version
  if (isDone) {
    records.promote(serverId)
    copies.add(copy)
    if (pack) finishPack(settling, pack)
    if (moves) moveDimensions(files, moves)
    copies.wantedPack = null
  }
  copies.journal = null
  if (!isDone) return false
  if (row) changed(row)
  try {
    placeStaged(files, records)
  } catch (error) {
    // The next start of the server tries again and reports the error.
    log.warn({ err: error, serverId }, 'what was installed could not be moved into its place yet')
  }
  return true
}

/** Activates a modpack and deletes files of the previous one that it doesn't contain. */
export function finishPack(
  { copies, files }: Pick<SettleContext, 'copies' | 'files'>,
  { id, remove }: { id: string; remove: readonly string[] },
): void {
  copies.packId = id
  for (const at of remove) removeFile(files, at)
}

/** Also removes parent folders left empty. */
function removeFile(files: ServerFiles, at: string): void {
  try {
    using located = files.locate(at)
    if (lstatSync(located.at, { throwIfNoEntry: false })?.isFile()) unlinkSync(located.at)
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
  }
  for (let above = path.posix.dirname(at); above !== '.'; above = path.posix.dirname(above)) {
    try {
      using located = files.locate(above)
      rmdirSync(located.at)
    } catch {
      // Not empty.
      return
    }
  }
}

/** If it throws, either nothing has changed or the journal is still open. */
export function swap(settling: SettleContext, copy: CopyRecord, aside: CopyRecord): void {
  mkdirSync(settling.copies.at(aside), { recursive: true, mode: 0o700 })
  run(settling, { kind: 'undo', copy, aside }, settling.copies.journal)
}

/** If it throws, either nothing has changed or the journal is still open. */
export const reset = (settling: SettleContext, copy: CopyRecord, remove: string[]): void =>
  run(settling, { kind: 'reset', copy, remove }, null)

/** If it throws, either nothing has changed or the journal is still open. */
export function replaceParts({ copies, files }: SettleContext, steps: Step[]): void {
  copies.journal = { kind: 'parts', steps }
  try {
    doSteps({ files, copies: copies.folder }, steps)
  } catch (error) {
    if (!(error instanceof AggregateError)) copies.journal = null
    throw asRefusal(error, '')
  }
  copies.journal = null
}

type CopyContext = StepContext & { copies: string }
type CopyJournal = Exclude<Journal, { kind: 'change' | 'parts' }>

/** `former`: the journal if nothing has changed. */
function run(settling: SettleContext, journal: CopyJournal, former: Journal | null = journal): void {
  const { serverId, copies, files, store, records, changed } = settling
  const { copy } = journal
  const context = { files, copies: copies.folder }
  // Earlier versions wrote no steps.
  const steps =
    journal.steps ?? (journal.kind === 'undo' ? swapSteps(context, journal) : resetSteps(context, journal))
  copies.journal = { ...journal, steps }
  try {
    doSteps(context, steps)
  } catch (error) {
    if (!(error instanceof AggregateError)) copies.journal = former
    throw asRefusal(error, '')
  }
  let row: ServerRow | null = null
  if (journal.kind === 'undo') {
    records.replace(serverId, copy.installed)
    copies.packId = copy.pack ?? null
    row = store.servers.setSoftware(serverId, copy.software)
    copies.add(journal.aside, copy)
  } else {
    copies.add(copy)
    forgetOfPack(copies, journal.remove)
  }
  copies.journal = null
  if (row) changed(row)
}

/** All goes out but what copies leave out, and the copy comes in. */
function swapSteps(context: CopyContext, { copy, aside, phase }: Journal & { kind: 'undo' }): Step[] {
  const inCopy = namesIn(path.join(context.copies, copy.id))
  const isLeft = (name: string) => LEFT_OUT.includes(name) && !inCopy.includes(name)
  const out = phase === 'in' ? [] : namesIn(context.files.root).filter((name) => !isLeft(name))
  return [
    ...out.flatMap((name) => stepFrom(context, inServer(name), inCopies(aside.id, name))),
    ...inCopy.flatMap((name) => stepFrom(context, inCopies(copy.id, name), inServer(name))),
  ]
}

/** The originals have changes made during the copying, so they become the copy. */
function resetSteps(context: CopyContext, { copy, remove }: Journal & { kind: 'reset' }): Step[] {
  const gone = `gone-${randomUUID()}`
  return remove.flatMap((name, at) => {
    const kept = inCopies(copy.id, name)
    const out = stepFrom(context, inServer(name), kept)
    return out.length > 0 ? [...stepFrom(context, kept, inCopies(`${gone}-${at}`)), ...out] : []
  })
}

/** Pack files deleted by a reset don't count as removed by the user: the next installation restores them. */
function forgetOfPack(copies: CopyRecords, removed: readonly string[]): void {
  const { pack } = copies
  if (!pack) return
  const gone = removed.map(sameName)
  const isGone = (at: string) => gone.some((one) => at === one || at.startsWith(`${one}/`))
  const files = pack.files.filter(({ path: at }) => !isGone(sameName(at)))
  if (files.length === pack.files.length) return
  const id = `pack-${randomUUID()}`
  copies.addPack({ ...pack, id, files })
  copies.packId = id
}

const namesIn = (folder: string): string[] => entriesNow(folder).map(({ name }) => name)

/** The copy still contains it. */
export function removeFormer(root: string, copy: CopyRecord, { records, serverId }: SettleContext): void {
  const jar = jarOfFormer(copy, records.read(serverId))
  if (jar === null) return
  try {
    rmSync(path.join(root, jar), { force: true })
  } catch {
    // A leftover is harmless.
  }
}

/** The former software's jar, if no longer needed. Custom jars belong to the user. */
export function jarOfFormer({ installed }: CopyRecord, now: InstallationRecord | null): string | null {
  if (!installed || !('jar' in installed) || installed.software === CUSTOM) return null
  return now && 'jar' in now && now.jar === installed.jar ? null : installed.jar
}
