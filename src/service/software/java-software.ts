import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ServerFiles } from '../files/server-files.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { readSign } from '../worlds/log-lines.ts'
import type { Catalogue, Release } from './catalogue.ts'
import type { Downloads } from './downloads/downloads.ts'
import type { InstalledRecords } from './installed.ts'
import { readJarEntry } from './jar-entry.ts'
import { chooseJava } from './java/choose-java.ts'
import { jvmArguments } from './java/jvm-arguments.ts'
import type { JavaKind } from './java-kinds.ts'
import { javaProgram } from './java-program.ts'
import { EULA_ADDRESS, writeEula, writeSettings } from './server-files.ts'
import type { InstallPorts, Software } from './software.ts'
import type { InstalledJava } from './java/find-java.ts'
import type { Wanted } from './downloads/shared-tasks.ts'

/** What Java software stands on. */
export interface JavaPorts {
  downloads: Downloads
  javas: {
    /** Those that are here, whoever put them there. */
    all(): Promise<InstalledJava[]>
    /** Fetches a major version. */
    fetch(major: number, wanted: Wanted): Promise<InstalledJava>
  }
  records: InstalledRecords
  filesOf: (serverId: string) => ServerFiles
}

const JAR = 'server.jar'
/** What a server lets in unless its settings say otherwise. */
const DEFAULT_PLAYERS = 20

/** A kind of server software that runs on Java and comes from its catalogue. */
export function javaSoftware(kind: JavaKind, catalogue: Catalogue, ports: JavaPorts): Software {
  const { records, filesOf, javas } = ports
  return {
    ...kind,
    ...(kind.isMinecraft && { license: { name: 'Minecraft EULA', url: EULA_ADDRESS } }),
    maxPlayers: DEFAULT_PLAYERS,
    readSign,
    versions: (signal) => catalogue.versions(signal),
    installation: {
      isDone: (spec) => {
        const there = records.read(spec.id)
        return (
          there !== null &&
          there.software === kind.id &&
          there.version === spec.software.version &&
          existsSync(path.join(spec.folder, there.jar))
        )
      },
      run: (spec, install) => installJava(kind, catalogue, ports, spec, install),
      forget: (serverId) => records.forget(serverId),
    },
    async program(spec) {
      const installed = records.read(spec.id)
      if (!installed) throw new Error(`${kind.name} is not installed. Start the server again to install it.`)
      const choice = chooseJava(installed.java, await javas.all())
      if (choice.kind === 'missing') throw new Error(choice.sentence)
      const files = filesOf(spec.id)
      if (kind.isMinecraft) {
        await writeSettings(files, { 'server-port': String(spec.port), 'server-ip': spec.host })
        if (spec.licenseAccepted) await writeEula(files)
      }
      return javaProgram({
        software: kind.id,
        version: installed.version,
        java: choice.java.executable,
        jvm: jvmArguments({ limitMb: spec.memoryMb, major: choice.java.major, set: 'default' }),
        entry: { form: 'jar', file: installed.jar },
        folder: spec.folder,
      })
    },
  }
}

/** Puts the newest stable build of a server's version into its folder, with the Java it needs beside. */
async function installJava(
  kind: JavaKind,
  catalogue: Catalogue,
  { downloads, javas, records }: JavaPorts,
  spec: ServerSpec,
  { signal, progress, say }: InstallPorts,
): Promise<void> {
  const release = await catalogue.release(spec.software.version, null, signal)
  if (release.form !== 'jar') throw new Error(`${kind.name} cannot be installed here yet.`)
  const choice = chooseJava(release.java, await javas.all())
  if (choice.kind === 'missing') {
    say(`Java ${release.java.major} isn't on this computer, so it is being downloaded.`)
    await javas.fetch(release.java.major, {
      signal,
      onProgress: (done, total) => progress('java', done, total),
    })
  }
  const file = await downloads.fetch(release.file, {
    signal,
    onProgress: (done, total) => progress('software', done, total),
  })
  await checkContent(kind, release, file)
  signal.throwIfAborted()
  progress('setup', 0, null)
  await place(file, path.join(spec.folder, JAR))
  const { version, build, java } = release
  records.write(spec.id, { software: kind.id, version, build, java, jar: JAR })
}

/** Where a catalogue gives no checksum, the jar itself says what it is. */
async function checkContent({ name }: JavaKind, { holds }: Release, file: string): Promise<void> {
  if (!holds) return
  const text = (await readJarEntry(file, holds.entry).catch(() => null)) ?? ''
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()))
  if (Object.entries(holds.properties).every(([key, value]) => lines.has(`${key}=${value}`))) return
  throw new Error(`What was downloaded is not ${name} for this version. Try again later.`)
}

/** Copies a file so that it is there whole or not at all, whatever stood at its place. */
async function place(from: string, to: string): Promise<void> {
  const fresh = path.join(path.dirname(to), `.${path.basename(to)}.${randomUUID()}`)
  try {
    await copyFile(from, fresh, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await rename(fresh, to)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
