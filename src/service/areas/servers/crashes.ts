import { crashes } from '../../../contract/areas/crashes.ts'
import type { Clock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import { linesBefore } from '../../runtime/console/history.ts'
import type { KeptCrash } from '../../runtime/crashes/crash-records.ts'
import type { ManagedServer } from '../../runtime/managed-server.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { writeEula } from '../../software/installs/server-files.ts'
import type { Store } from '../../store/store.ts'
import { damagedRegions, restorableLevel } from '../../worlds/damaged-world.ts'
import { KnownLists } from '../../worlds/known-lists.ts'
import { logToShare } from '../../worlds/logs/log-to-share.ts'
import { positionOf } from '../../runtime/console/line-id.ts'
import type { ServerRegister } from './register.ts'

export interface CrashRoutes {
  store: Pick<Store, 'servers' | 'players'>
  runtime: Pick<Runtime, 'find' | 'crash' | 'catalog' | 'requireDown' | 'software'>
  register: Pick<ServerRegister, 'changed' | 'movePort'>
  files: Pick<AllServerFiles, 'of'>
  extensions: {
    jarsCalled(serverId: string, names: readonly string[]): Promise<string[]>
    versionBefore(serverId: string, jar: string): Promise<string | null>
  }
  clock: Clock
}

/** Bounds of a shared log, counted from its end, and lines read per step. */
const LINES_MOST = 25_000
const CHARACTERS_MOST = 4 * 1024 * 1024
const STEP_LINES = 2_000

export function mountCrashes(app: ServiceApp, routes: CrashRoutes): void {
  const { store, runtime, register, files, extensions, clock } = routes
  const licenseOf = (softwareId: string) =>
    runtime.catalog().find(({ id }) => id === softwareId)?.license ?? null

  const startsSafely = (softwareId: string) => runtime.software(softwareId)?.startsSafely ?? false

  serve(app, crashes.crash, async ({ server, signal }) => {
    const crash = runtime.crash(server.id)
    if (!crash) return {}
    const { facts, evidence, lines, at, exitCode } = crash
    const found = await filesOfCrash(crash, files.of(server.id), signal, (names) =>
      extensions.jarsCalled(server.id, names),
    )
    // The trace names only jars that are no plugins or mods here.
    const cause = crash.cause === 'extension-error' && found.length === 0 ? null : crash.cause
    return {
      ...{ cause, facts: cause ? facts : {}, at, exitCode, evidence: evidence || null },
      ...{ files: found, lines },
      ...(cause === 'extension-error' && {
        // A folder that can't be read takes this way back, not the crash.
        versionBefore: await extensions.versionBefore(server.id, found[0]!).catch(() => null),
      }),
      ...(cause === 'datapacks' && { safely: startsSafely(server.softwareId) }),
      ...(cause === 'eula' && { license: licenseOf(server.softwareId) }),
    }
  })

  serve(app, crashes.crashLog, async ({ server }) => {
    const crash = runtime.crash(server.id)
    if (!crash) throw refusal(409, 'server.not-crashed')
    const log = await logOf(runtime.find(server.id), crash)
    const seen = store.players.allSeen(server.id).map(({ name }) => name)
    const players = [...seen, ...(await listedIn(files.of(server.id)))]
    const shared = await logToShare(log.text, { players })
    return { ...shared, cut: shared.cut || log.cut }
  })

  serve(app, crashes.changePort, async ({ server, body, checkAgain }) => {
    const { port } = await register.movePort(server.id, body.port ?? null, checkAgain)
    return { port }
  })

  serve(app, crashes.startSafely, async ({ server }) => {
    if (!startsSafely(server.softwareId)) throw refusal(409, 'software.no-safe-start')
    await runtime.find(server.id).power('start', { safely: true })
    return { accepted: true }
  })

  serve(app, crashes.acceptLicense, async ({ server, caller, body, checkAgain }) => {
    const license = licenseOf(server.softwareId)
    // The person must have read this license.
    if (license?.url !== body.url) throw refusal(409, 'software.license-other')
    runtime.requireDown(server.id, 'accept-the-license')
    await writeEula(files.of(server.id))
    checkAgain()
    const row = store.servers.acceptLicense(server.id, caller.accountId, clock.now())
    if (row) register.changed(row)
  })
}

async function filesOfCrash(
  crash: KeptCrash,
  files: ServerFiles,
  signal: AbortSignal,
  jarsCalled: (names: string[]) => Promise<string[]>,
): Promise<string[]> {
  const { x, z } = crash.facts
  switch (crash.cause) {
    case 'world-corrupt': {
      const level = await restorableLevel(files)
      return level === null ? [] : [level]
    }
    case 'chunk-corrupt':
      return typeof x === 'number' && typeof z === 'number' ? damagedRegions(files, { x, z }, signal) : []
    case 'extension-error':
      return (await jarsOfCrash(crash, jarsCalled)).slice(0, 1)
    default:
      return jarsOfCrash(crash, jarsCalled)
  }
}

async function jarsOfCrash(
  { facts }: KeptCrash,
  jarsCalled: (names: string[]) => Promise<string[]>,
): Promise<string[]> {
  const names = [facts['extension'], facts['other'], ...String(facts['files'] ?? '').split(', ')]
    .map((name) =>
      String(name ?? '')
        .split('/')
        .at(-1)!
        .trim(),
    )
    .filter((name) => name !== '')
  if (names.length === 0) return []
  try {
    return await jarsCalled(names)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

async function logOf(
  server: ManagedServer,
  { from, to }: KeptCrash,
): Promise<{ text: string; cut: boolean }> {
  const isOfRun = (id: string) => {
    const at = positionOf(id)
    return at !== null && (at.epoch > from.epoch || (at.epoch === from.epoch && at.seq >= from.seq))
  }
  const pieces: string[] = []
  let [lines, characters] = [0, 0]
  let before = { ...to, seq: to.seq + 1 }
  for (;;) {
    const { items, nextCursor } = await linesBefore(server.console, before, STEP_LINES)
    const own = items.filter(({ id }) => isOfRun(id))
    if (own.length > 0) pieces.unshift(own.map(({ text }) => text).join('\n'))
    lines += own.length
    characters += pieces[0]?.length ?? 0
    const next = nextCursor === null ? null : positionOf(nextCursor)
    if (!next || own.length < items.length || items.length === 0)
      return { text: pieces.join('\n'), cut: false }
    if (lines >= LINES_MOST || characters >= CHARACTERS_MOST) return { text: pieces.join('\n'), cut: true }
    before = next
  }
}

async function listedIn(files: ServerFiles): Promise<string[]> {
  const lists = new KnownLists()
  const all = await Promise.all(
    (['cache', 'whitelist', 'ops', 'bans'] as const).map((name) => lists.read(files, name)),
  )
  return all.flatMap(({ entries }) => entries.flatMap(({ name }) => (name === null ? [] : [name])))
}
