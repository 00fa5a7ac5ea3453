import { constants, existsSync, lstatSync } from 'node:fs'
import { copyFile, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { diskFullRefusal } from '../disk-full.ts'
import { asRefusal } from '../files/refusals.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { StartFailure } from '../runtime/start-failure.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { readSign } from '../worlds/log-lines.ts'
import type { Catalogue, Release, WantedJava } from './catalogue.ts'
import type { Downloads } from './downloads/downloads.ts'
import type { InstalledRecords } from './installed.ts'
import { readJarEntry } from './jar-entry.ts'
import { chooseJava } from './java/choose-java.ts'
import { jvmArguments } from './java/jvm-arguments.ts'
import type { JavaKind } from './java-kinds.ts'
import { javaProgram } from './java-program.ts'
import { EULA_ADDRESS, EULA_FILE, writeEula, writeSettings } from './server-files.ts'
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
  /** Those whose Java was not here any more when they were started. */
  const withoutJava = new Set<string>()
  return {
    ...kind,
    ...(kind.isMinecraft && { license: { name: 'Minecraft EULA', url: EULA_ADDRESS } }),
    maxPlayers: DEFAULT_PLAYERS,
    readSign,
    versions: (signal) => catalogue.versions(signal),
    usesJava: true,
    installation: {
      isDone(spec) {
        const there = installedFor(kind, records, spec)
        if (!there || withoutJava.has(spec.id)) return false
        const chosen = spec.java?.major ?? null
        // One that is too old for it is not fetched: the start says so.
        return chosen === null || chosen === there.brought || chosen < there.java.major
      },
      async run(spec, install) {
        const there = installedFor(kind, records, spec)
        if (there) await bringJava(wantedFor(there.java, spec), ports, install)
        else await installJava(kind, catalogue, ports, spec, install)
        const now = installedFor(kind, records, spec)
        if (now) records.write(spec.id, { ...now, brought: spec.java?.major ?? null })
        withoutJava.delete(spec.id)
      },
      copied(fromId, toId) {
        const there = records.read(fromId)
        if (there) records.write(toId, there)
      },
      forget(serverId) {
        withoutJava.delete(serverId)
        return records.forget(serverId)
      },
    },
    async program(spec) {
      const installed = installedFor(kind, records, spec)
      if (!installed) throw new Error(`${kind.name} is not installed. Start the server again to install it.`)
      const wanted = wantedFor(installed.java, spec)
      const choice = chooseJava(wanted, await javas.all())
      if (choice.kind === 'missing') {
        withoutJava.add(spec.id)
        const { major } = wanted
        throw new StartFailure(
          `It needs Java ${major}, which is no longer on this computer. Start it again: Java ${major} is downloaded then.`,
          'wrong-java',
          { needed: major },
        )
      }
      const files = filesOf(spec.id)
      if (kind.isMinecraft) {
        await writeSettings(files, { 'server-port': String(spec.port), 'server-ip': spec.host })
        // Who takes it back in the file is believed.
        if (spec.licenseAccepted && !existsSync(path.join(spec.folder, EULA_FILE))) await writeEula(files)
      }
      return javaProgram({
        software: kind.id,
        version: installed.version,
        java: choice.java.executable,
        jvm: jvmArguments({
          limitMb: spec.memoryMb,
          major: choice.java.major,
          set: spec.java?.set ?? 'default',
          own: spec.java?.own ?? [],
        }),
        entry: { form: 'jar', file: installed.jar },
        folder: spec.folder,
        port: spec.port,
      })
    },
  }
}

/** What is in a server's folder; null where that is not what it is to run. */
function installedFor(kind: JavaKind, records: InstalledRecords, { id, folder, software }: ServerSpec) {
  const there = records.read(id)
  if (there?.software !== kind.id || there.version !== software.version) return null
  try {
    // A link or a folder in its place was not put there by us.
    return lstatSync(path.join(folder, there.jar)).isFile() ? there : null
  } catch {
    return null
  }
}

/**
 * The Java that a server is to be run with: the one that was chosen for it, else what its version asks for. Throws where
 * the chosen one is too old for it.
 */
function wantedFor(wanted: WantedJava, { java }: Pick<ServerSpec, 'java'>): WantedJava {
  const chosen = java?.major ?? null
  if (chosen === null) return wanted
  if (chosen >= wanted.major) return { major: chosen, exact: true }
  throw new StartFailure(
    `This server needs Java ${wanted.major}${wanted.exact ? '' : ' or newer'}, and Java ${chosen} was chosen for it. Choose another one in its settings.`,
    'wrong-java',
    { needed: wanted.major, present: chosen },
  )
}

/** Fetches the Java that is wanted, where none does that is here. */
async function bringJava(
  wanted: WantedJava,
  { javas }: Pick<JavaPorts, 'javas'>,
  { signal, progress, say }: InstallPorts,
): Promise<void> {
  if (chooseJava(wanted, await javas.all()).kind === 'found') return
  say(`Java ${wanted.major} is not on this computer. It is being downloaded.`)
  await javas.fetch(wanted.major, { signal, onProgress: (done, total) => progress('java', done, total) })
}

/** Puts the newest stable build of a server's version into its folder, with the Java it needs beside. */
async function installJava(
  kind: JavaKind,
  catalogue: Catalogue,
  ports: JavaPorts,
  spec: ServerSpec,
  install: InstallPorts,
): Promise<void> {
  const { downloads, records, filesOf } = ports
  const { signal, progress } = install
  const release = await catalogue.release(spec.software.version, null, signal)
  if (release.form !== 'jar') throw new Error(`${kind.name} cannot be installed here yet.`)
  await bringJava(wantedFor(release.java, spec), ports, install)
  const file = await downloads.fetch(release.file, {
    signal,
    onProgress: (done, total) => progress('software', done, total),
  })
  if (!(await isWanted(release, file))) {
    // Kept, it would be taken for the file each time.
    await downloads.forget(release.file)
    throw new Error(`What was downloaded is not ${kind.name} for this version. Try again later.`)
  }
  signal.throwIfAborted()
  progress('setup', 0, null)
  const { version, build, java } = release
  try {
    await place(filesOf(spec.id), file, path.join(spec.folder, JAR))
    records.write(spec.id, { software: kind.id, version, build, java, jar: JAR })
  } catch (error) {
    throw diskFullRefusal(error) ?? asRefusal(error, JAR)
  }
}

/** Where a catalogue gives no checksum, the jar itself says what it is. */
async function isWanted({ holds }: Release, file: string): Promise<boolean> {
  if (!holds) return true
  const text = (await readJarEntry(file, holds.entry).catch(() => null)) ?? ''
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()))
  return Object.entries(holds.properties).every(([key, value]) => lines.has(`${key}=${value}`))
}

/** Copies a file so that it is there whole or not at all, also after a power failure, whatever stood at its place. */
async function place(files: ServerFiles, from: string, to: string): Promise<void> {
  // A killed process leaves it where the next one sweeps.
  const temp = files.newTemp()
  try {
    await copyFile(from, temp, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    {
      await using handle = await open(temp, 'r+')
      await handle.sync()
    }
    await rename(temp, to)
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  }
}
