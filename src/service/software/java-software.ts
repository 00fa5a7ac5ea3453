import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { programEnvironment } from '../runtime/processes/program-environment.ts'
import { StartFailure } from '../runtime/crashes/start-failure.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { readProxySign, readSign } from '../worlds/logs/log-lines.ts'
import { Refusal } from '../../host/refusal.ts'
import type { Catalog, WantedJava } from './catalog.ts'
import { gameBytes, isGameThere, restoreGame } from './installs/game-install.ts'
import { entryOf, filesOf, type InstalledRecords } from './installed.ts'
import { chooseJava } from './java/choose-java.ts'
import { jvmArguments } from './java/jvm-arguments.ts'
import { bringJava, type JavaPorts, prepareJava, startedWith, wantedFor } from './installs/java-install.ts'
import type { RunKind } from './java-kinds.ts'
import { javaProgram } from './installs/java-program.ts'
import { EULA_ADDRESS, EULA_FILE, writeEula, writeSettingsToStart } from './installs/server-files.ts'
import type { Installation, Software } from './software.ts'
import { marked } from './kept-releases.ts'
import { placeStaged } from './installs/staged-files.ts'
import { proxiedServers } from './installs/proxied-servers.ts'
import { PROXY_PLAYERS, writeVelocity } from './installs/velocity-files.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'

const DEFAULT_PLAYERS = 20

export function javaSoftware(kind: RunKind, catalog: Catalog, ports: JavaPorts): Software {
  const { records, javas } = ports
  /** Servers whose Java was missing at their start. */
  const withoutJava = new Set<string>()
  return {
    ...kind,
    ...(kind.isMinecraft && {
      license: { name: 'Minecraft EULA', url: EULA_ADDRESS },
      startsSafely: true as const,
      pausesSaving: true as const,
    }),
    maxPlayers: kind.isProxy ? PROXY_PLAYERS : DEFAULT_PLAYERS,
    readSign: kind.isProxy ? readProxySign : readSign,
    versions: async (signal) =>
      marked(await catalog.versions(signal), ports.kept.of(kind.id), (one) => one.version),
    builds: async (version, signal) =>
      marked(await catalog.builds(version, signal), ports.kept.of(kind.id), (one) =>
        one.version === version ? one.build : null,
      ),
    usesJava: true,
    installation: javaInstallation(kind, catalog, ports, withoutJava),
    async program(spec) {
      const installed = installedFor(kind, records, spec)
      if (!installed) throw new Error(`${kind.name} is not installed. Start the server again to install it.`)
      const wanted = startedWith(installed.java, spec)
      const choice = chooseJava(wanted, await javas.all())
      if (choice.kind === 'missing') {
        withoutJava.add(spec.id)
        const { major } = wanted
        throw new StartFailure(refusalText('console.java-gone', { major }), 'wrong-java', { needed: major })
      }
      const files = ports.filesOf(spec.id)
      if (kind.isProxy) await writeVelocity(files, spec)
      if (kind.isMinecraft) {
        const management = await ports.management.settings(spec.id, files, installed.version)
        const address = { 'server-port': String(spec.port), 'server-ip': spec.host }
        await writeSettingsToStart(files, (values) => ({ ...address, ...management(values) }))
        // Respect people who revoke it in the file.
        if (spec.licenseAccepted && !existsSync(path.join(spec.folder, EULA_FILE))) await writeEula(files)
      }
      const { language } = await programEnvironment()
      const program = javaProgram({
        software: kind.id,
        ...{ loadsAs: installed.loadsAs ?? null, language },
        version: installed.version,
        java: choice.java.executable,
        jvm: jvmArguments({
          limitMb: spec.memoryMb,
          major: choice.java.major,
          set: spec.java?.set ?? 'default',
          own: spec.java?.own ?? [],
        }),
        entry: entryOf(installed),
        folder: spec.folder,
        port: spec.port,
        safely: spec.safely ?? false,
      })
      const reaches = await proxiedServers(files, kind.isProxy ? kind.id : (installed.loadsAs ?? ''))
      return { ...program, ...(reaches.length > 0 && { reaches }) }
    },
  }
}

function javaInstallation(
  kind: RunKind,
  catalog: Catalog,
  ports: JavaPorts,
  withoutJava: Set<string>,
): Installation {
  const { records, javas } = ports
  const place = (serverId: string) => placeStaged(ports.filesOf(serverId), records)
  const isStartable = (spec: ServerSpec) => {
    const there = installedFor(kind, records, spec)
    if (!there || withoutJava.has(spec.id)) return false
    const chosen = spec.java?.major ?? null
    // One that is too old isn't downloaded; the start reports it.
    return chosen === null || chosen === there.brought || chosen < there.java.major
  }
  return {
    isStartable,
    isDone: (spec) => isStartable(spec) && isGameThere(records.read(spec.id), spec.folder),
    async run(spec, install) {
      // Decided, then interrupted.
      if (recordFor(kind, records, spec)?.staged) place(spec.id)
      const there = installedFor(kind, records, spec)
      if (there) {
        await bringJava(wantedFor(there.java, spec), ports, install)
        await restoreGame(kind, there, spec, ports, install)
      } else {
        const software = { ...spec.software, build: chosenBuild(kind, records, spec) }
        await prepareJava(kind, catalog, ports, { ...spec, software }, install)
        records.promote(spec.id)
        place(spec.id)
      }
      const now = installedFor(kind, records, spec)
      if (now) records.write(spec.id, { ...now, brought: spec.java?.major ?? null })
      withoutJava.delete(spec.id)
    },
    prepare: (spec, install) => prepareJava(kind, catalog, ports, spec, install),
    place,
    async foresee(spec, signal) {
      const { build, java, file } = await catalog.release(
        spec.software.version,
        spec.software.build ?? null,
        signal,
      )
      const isMissing = chooseJava(java, await javas.all()).kind === 'missing'
      const major = isMissing ? await majorToFetch(java, ports, signal) : java.major
      const game = file.size === null ? null : await gameBytes(kind, spec.software.version, ports, signal)
      const bytes = file.size === null || game === null ? null : file.size + game
      return { build, java: { major, isMissing }, bytes }
    },
    copied(fromId, toId) {
      const there = records.read(fromId)
      if (there && !there.staged) records.write(toId, there)
      const wanted = records.wanted(fromId)
      if (!there && wanted) records.want(toId, wanted)
    },
    forget(serverId) {
      withoutJava.delete(serverId)
      ports.management.forget(serverId)
    },
  }
}

/** The Java that would be downloaded; if unknown, the one wanted. */
async function majorToFetch(java: WantedJava, { javas }: JavaPorts, signal: AbortSignal): Promise<number> {
  try {
    return (await javas.offered(java, signal)).major
  } catch (error) {
    if (error instanceof Refusal) return java.major
    throw error
  }
}

function recordFor(kind: RunKind, records: InstalledRecords, { id, software }: ServerSpec) {
  const there = records.read(id)
  return there?.software === kind.id && there.version === software.version ? there : null
}

function chosenBuild(kind: RunKind, records: InstalledRecords, spec: ServerSpec): string | null {
  const former = recordFor(kind, records, spec)
  if (former) return former.isPinned ? former.build : null
  const wanted = records.read(spec.id) ? null : records.wanted(spec.id)
  return wanted?.software === kind.id && wanted.version === spec.software.version ? wanted.build : null
}

function installedFor(kind: RunKind, records: InstalledRecords, spec: ServerSpec) {
  const there = recordFor(kind, records, spec)
  if (!there || there.staged) return null
  try {
    // Links and folders weren't put there by us.
    const isThere = filesOf(there).every((file) => lstatSync(path.join(spec.folder, file)).isFile())
    return isThere ? there : null
  } catch {
    return null
  }
}
