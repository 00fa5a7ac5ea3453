import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { ServerFiles } from '../files/server-files.ts'
import { refusal } from '../../host/refusal.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { CUSTOM, type InstallationRecord } from './installed.ts'
import type { JavaPorts } from './installs/java-install.ts'
import { javaSoftware } from './java-software.ts'
import type { Installation, Software } from './software.ts'
import { readServerJar, type ServerJar } from './server-jar.ts'

export const UNKNOWN_VERSION = 'unknown'

const KIND = {
  id: CUSTOM,
  name: 'Custom jar',
  description: "A jar of your own, in the server's folder.",
  stopCommand: 'stop',
  isMinecraft: true,
} as const

const KNOWN: ReadonlySet<string> = new Set(
  'vanilla paper folia purpur spigot velocity waterfall bungeecord fabric quilt forge neoforge'.split(' '),
)

/** The software whose extensions a custom jar loads; null if unknown. */
export const loadsAs = ({ kind, base }: Pick<ServerJar, 'kind' | 'base'>): string | null =>
  [kind, base].find((one) => one !== null && KNOWN.has(one)) ?? null

export const customRecord = (jar: string, about: ServerJar): InstallationRecord => ({
  software: CUSTOM,
  version: about.version ?? UNKNOWN_VERSION,
  build: null,
  java: about.java,
  loadsAs: loadsAs(about),
  jar,
})

/** A jar brought by people. It can change, so its requirements are read before each start. Only Java is downloaded. */
export function customJar(ports: JavaPorts): Software {
  const { records, filesOf } = ports
  const base = javaSoftware(KIND, { versions: () => none(), builds: () => none(), release }, ports)
  const installation = base.installation!
  /** Throws a sentence if it can't run. */
  const look = async ({ id, software }: ServerSpec): Promise<void> => {
    const record = records.read(id)
    if (record?.software !== CUSTOM || !('jar' in record)) throw unknownJar()
    const about = await readOwnJar(filesOf(id), record.jar)
    const { java } = about
    records.write(id, { ...record, version: software.version, java, loadsAs: loadsAs(about) })
  }
  // Only Java has to be there; the start reports problems with the jar.
  const isDone = (spec: ServerSpec): boolean =>
    !isThere(spec, records.read(spec.id)) ||
    (records.read(spec.id)?.brought !== undefined && installation.isDone(spec))
  return {
    ...base,
    isBrought: true,
    async program(spec) {
      await look(spec)
      return base.program(spec)
    },
    installation: {
      ...installation,
      isDone,
      isStartable: isDone,
      async run(spec, install) {
        await look(spec)
        await installation.run(spec, install)
      },
    } satisfies Installation,
  }
}

/** Doesn't follow links: their targets weren't brought. */
export function readOwnJar(files: ServerFiles, jar: string): Promise<ServerJar> {
  const there = lstatSync(path.join(files.root, jar), { throwIfNoEntry: false })
  if (there && !there.isFile()) throw refusal(409, 'software.jar-broken.no-file', { jar })
  return readServerJar(files, jar)
}

const isThere = ({ folder }: ServerSpec, record: InstallationRecord | null): boolean =>
  record !== null &&
  'jar' in record &&
  (lstatSync(path.join(folder, record.jar), { throwIfNoEntry: false })?.isFile() ?? false)

const none = () => Promise.resolve([])

const release = () => Promise.reject(unknownJar())

const unknownJar = () => refusal(409, 'software.jar-missing.unknown')
