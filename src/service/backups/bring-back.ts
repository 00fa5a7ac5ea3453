import { refusalText } from '../../contract/messages/refusals/index.ts'
import { refusal } from '../../host/refusal.ts'
import { bringBackAll, bringBackParts } from '../changes/bring-back.ts'
import type { WorkWords } from '../runtime/install-run.ts'
import type { InstallPorts } from '../software/software.ts'
import type { BackupRow } from '../store/backups.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { asUuid } from '../../contract/rules/game/player-uuid.ts'
import type { Backups } from './backups.ts'
import type { BackupContents } from './backup-store.ts'
import { notInBackup } from './entries/entries.ts'
import type { BackupPorts } from './ports.ts'

export interface BringBackWish {
  backup: string
  paths?: readonly string[] | undefined
  /** UUIDs. */
  players?: readonly string[] | undefined
  start?: boolean | undefined
}

interface Source {
  row: BackupRow
  store: BackupContents
}

/** Has begun on return: the server must be down. Throws 404, 409. */
export async function bringBackHere(
  backups: Backups,
  ports: BackupPorts,
  serverId: string,
  wish: BringBackWish,
  check: () => void,
): Promise<void> {
  const { runtime, changes } = ports
  const source = backups.whole(serverId, wish.backup)
  const parts = await partsOf(ports, serverId, source, wish)
  check()
  runtime.requireDown(serverId, 'bring-it-back')
  changes.settle(serverId)
  const server = runtime.find(serverId)
  const work = (install: InstallPorts) =>
    parts ? bringParts(backups, ports, source, parts, install) : bringAll(ports, source, install)
  const what = `${runtime.software(source.row.software?.id ?? '')?.name ?? server.spec.software.id} ${source.row.software?.version ?? server.spec.software.version}`
  const cancel = () => void server.power('kill').catch(() => undefined)
  void backups.works
    .now(
      serverId,
      { kind: 'restore', backupId: source.row.id },
      () => runtime.work(serverId, wordsOf(parts ? null : what), work),
      cancel,
    )
    .then((isDone) => (isDone && wish.start ? server.power('start') : undefined))
    .catch((error: unknown) => ports.log.warn({ err: error, serverId }, 'a server was not started'))
}

/** A copy takes the place of what is there in one step, which uses it up. Throws 404, 409. */
export async function goBack(
  { works }: Backups,
  { changes, runtime }: BackupPorts,
  serverId: string,
  { backup, start }: BringBackWish,
  check: () => void,
): Promise<void> {
  await works.now(serverId, { kind: 'restore', backupId: backup }, () =>
    changes.undo(serverId, check, backup),
  )
  if (start) await runtime.find(serverId).power('start')
}

const wordsOf = (what: string | null): WorkWords => ({
  kind: 'restore',
  begins: refusalText('console.bringing-back'),
  done:
    what === null ? refusalText('console.brought-back-part') : refusalText('console.brought-back', { what }),
  canceled: refusalText('console.bring-back-canceled'),
  failed: refusalText('console.not-brought-back'),
})

/** Null for everything. Throws 404 for what isn't in it. */
async function partsOf(
  { files }: BackupPorts,
  serverId: string,
  { row, store }: Source,
  { paths, players }: BringBackWish,
): Promise<string[] | null> {
  if (paths && players) throw refusal(422, 'backups.one-wish').at('players')
  if (paths) {
    const wanted = new Set(paths)
    const found = await namesIn(store, row.id, [...wanted])
    const missing = [...wanted].find((path) => !found.has(path))
    if (missing !== undefined) throw notInBackup(missing)
    return [...wanted]
  }
  if (!players) return null
  const { level } = await readWorldSettings(files.of(serverId))
  const found = await namesIn(
    store,
    row.id,
    players.flatMap((player) => playerFiles(level, player)),
  )
  if (found.size === 0) throw refusal(404, 'backups.no-player').at('players')
  return [...found]
}

async function namesIn(store: BackupContents, id: string, wanted: readonly string[]): Promise<Set<string>> {
  const names = new Set(wanted)
  const found = new Set<string>()
  for await (const { path } of store.walk(id, wanted)) if (names.has(path)) found.add(path)
  return found
}

/** The layout since 26.1 and the one before. */
function playerFiles(level: string, player: string): string[] {
  const uuid = asUuid(player)
  if (uuid === null) return []
  return [
    ...['players/data', 'playerdata'].flatMap((folder) => [
      `${folder}/${uuid}.dat`,
      `${folder}/${uuid}.dat_old`,
    ]),
    ...['players/stats', 'stats', 'players/advancements', 'advancements'].map((at) => `${at}/${uuid}.json`),
  ].map((file) => `${level}/${file}`)
}

/** What is there becomes a copy in the same step, so nothing has to be copied before. */
async function bringAll(
  { changes, files }: BackupPorts,
  { row, store }: Source,
  { signal, progress }: InstallPorts,
): Promise<void> {
  const space = files.of(row.serverId).space
  const bytes = row.bytes ?? 0
  using reservation = await space.reserve(bytes, await space.used())
  await changes.inWork(row.serverId, async (settling, newRecord) => {
    const aside = newRecord()
    const software = row.software ?? { ...aside, ...aside.software }
    const from = {
      software: { id: software.id, version: software.version },
      ...{ installed: software.installed, pack: software.pack ?? null, bytes: row.bytes },
    }
    await bringBackAll(settling, from, aside, (to) =>
      extract(store, row, null, to, { signal, progress, wrote: (more) => reservation.wrote(more) }),
    )
  })
}

async function bringParts(
  backups: Backups,
  { changes, files }: BackupPorts,
  { row, store }: Source,
  parts: readonly string[],
  { signal, progress }: InstallPorts,
): Promise<void> {
  let bytes = 0
  for await (const { size } of store.walk(row.id, parts)) bytes += size
  await backups.before(row.serverId, 'restore', {
    signal,
    progress: (done, total) => progress('copy', done, total),
  })
  using reservation = await files.of(row.serverId).space.reserve(bytes)
  await changes.inWork(row.serverId, (settling) =>
    bringBackParts(settling, parts, (to) =>
      extract(store, row, parts, to, { signal, progress, wrote: (more) => reservation.wrote(more) }, bytes),
    ),
  )
}

async function extract(
  store: BackupContents,
  row: BackupRow,
  parts: readonly string[] | null,
  to: string,
  { signal, progress, wrote }: Pick<InstallPorts, 'signal' | 'progress'> & { wrote: (bytes: number) => void },
  total = row.bytes,
): Promise<void> {
  let last = 0
  progress('restore', 0, total)
  await store.extract(row.id, parts, to, {
    signal,
    progress(done) {
      wrote(done - last)
      progress('restore', (last = done), total)
    },
  })
  signal.throwIfAborted()
}
